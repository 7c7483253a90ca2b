import RouterInterface

/// The sender of an event: what the kernel knows about the process at the other end of the connection.
///
/// If this process is a tool such as `scenectl` or `xdg-open`, the sender is the process that started it.
///
/// None of these values comes from the sender itself. If a portal passes on an event of another program, the portal is
/// the sender.
public struct Sender: Sendable, Equatable, WireRepresentable {
  let wire: Wire.Sender

  init(_ wire: Wire.Sender) {
    self.wire = wire
  }

  /// The id of the process.
  public var processID: Int64 { wire.processID }
  /// The name of the program.
  public var name: String? { wire.name }
  /// The application of the process's systemd unit or scope; nil if the unit belongs to no application.
  public var applicationID: String? { wire.applicationID }
}
