/// The sender of an event: what the kernel knows about the process at the other end of the connection.
///
/// If this process is a tool such as `scenectl` or `xdg-open`, the sender is the process that started it.
///
/// None of these values comes from the sender itself. If a portal passes on an event of another program, the portal is
/// the sender.
public struct Sender: Sendable {
  // The record of an event and several effects share it.
  private final class Storage: Sendable {
    let processID: Int64
    let name: String?
    let applicationID: String?

    init(_ processID: Int64, _ name: String?, _ applicationID: String?) {
      (self.processID, self.name, self.applicationID) = (processID, name, applicationID)
    }
  }

  private let storage: Storage

  /// Describes a sender.
  package init(processID: Int64, name: String? = nil, applicationID: String? = nil) {
    storage = Storage(processID, name, applicationID?.asApplicationID)
  }

  /// The id of the process.
  public var processID: Int64 { storage.processID }
  /// The name of the program.
  public var name: String? { storage.name }
  /// The application of the process's systemd unit or scope; nil if the unit belongs to no application.
  public var applicationID: String? { storage.applicationID }

  /// The bytes of the texts.
  package var size: Int { (storage.name?.utf8.count ?? 0) + (storage.applicationID?.utf8.count ?? 0) }
}

extension Sender: Hashable {
  /// Whether two descriptions have the same content.
  public static func == (left: Sender, right: Sender) -> Bool {
    left.processID == right.processID && left.name == right.name && left.applicationID == right.applicationID
  }

  /// Hashes the id of the process.
  public func hash(into hasher: inout Hasher) { hasher.combine(processID) }
}
