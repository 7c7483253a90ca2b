import SceneRouting
import UnixSocket
import VarlinkServer

extension RouterService {
  /// Returns the sender of a call, according to the kernel.
  ///
  /// Returns `nil` if the sender's process is in another PID namespace.
  ///
  /// The process is examined once for each connection. Later calls cost a look-up.
  func sender(of id: CallID) -> Sender? {
    if let known = senders[id.connection.rawValue] { return known }
    guard let processID = port.peer(of: id.connection)?.processID else { return nil }
    let sender = Sender(Caller(of: processID))
    senders.insert(sender, for: id.connection.rawValue)
    return sender
  }
}

extension Sender {
  /// Describes a process.
  ///
  /// A process that passes on the links of other programs gets a name and no application, because its links can come
  /// from any application.
  fileprivate init(_ caller: Caller) {
    let processID = Int64(caller.processID)
    switch caller.unit {
    case .application(let id):
      self.init(processID: processID, name: caller.name, applicationID: id)
    case .intermediary(let program): self.init(processID: processID, name: program)
    case .other: self.init(processID: processID, name: caller.name)
    }
  }
}
