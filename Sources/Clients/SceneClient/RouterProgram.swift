/// The program that answers at the router's socket.
public struct RouterProgram: Sendable, Equatable {
  /// What it calls itself.
  public let name: String
  /// Which version of it.
  public let version: String
  /// The process that listens at the socket, which may do so for the router (systemd); nil if the kernel does not know.
  public let processID: Int32?
  /// The user of that process.
  public let userID: UInt32?
}
