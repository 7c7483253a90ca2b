/// The program that sent an event, as the kernel describes the process at the other end of the connection.
///
/// If this process is a tool such as `scenectl` or `xdg-open`, the sender is the process that started it.
///
/// No property of the sender comes from a message of the program. This is a class, because the record of the event and
/// several effects share it.
package final class Sender: Sendable {
  /// The id of the process.
  package let processID: Int32
  /// The name of the program.
  package let name: String?
  /// The application of the process, according to the name of the process's systemd unit or scope.
  package let applicationID: String?

  /// Describes a sender.
  package init(processID: Int32, name: String? = nil, applicationID: String? = nil) {
    self.processID = processID
    self.name = name
    self.applicationID = applicationID?.asApplicationID
  }

  /// The number of bytes of the sender's texts.
  var size: Int { (name?.utf8.count ?? 0) + (applicationID?.utf8.count ?? 0) }
}

extension Sender: Hashable {
  /// Whether two descriptions have the same content.
  package static func == (left: Sender, right: Sender) -> Bool {
    left.processID == right.processID && left.name == right.name && left.applicationID == right.applicationID
  }

  /// Hashes the process.
  package func hash(into hasher: inout Hasher) { hasher.combine(processID) }
}
