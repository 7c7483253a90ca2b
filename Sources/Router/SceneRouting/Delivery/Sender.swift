/// The program that sent an event, as the kernel knows the process at the other end.
///
/// Nothing here comes from a message.
package struct Sender: Hashable, Sendable {
  /// The process.
  package var processID: Int32
  /// The name of the program.
  package var name: String?
  /// The application whose unit or scope the process belongs to.
  package var applicationID: String?

  /// Describes a sender.
  package init(processID: Int32, name: String? = nil, applicationID: String? = nil) {
    self.processID = processID
    self.name = name
    self.applicationID = applicationID?.asApplicationID
  }

  /// The number of bytes of its texts.
  var size: Int { (name?.utf8.count ?? 0) + (applicationID?.utf8.count ?? 0) }
}
