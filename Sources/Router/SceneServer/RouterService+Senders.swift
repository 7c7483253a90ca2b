import SceneRouting
import UnixSocket
import VarlinkServer

extension RouterService {
  /// According to the kernel; `nil` if the sender's process is in another PID namespace.
  ///
  /// The process is examined once for each connection.
  func sender(of id: CallID) -> Sender? {
    if let known = senders[id.connection] { return known }
    guard let processID = port.peer(of: id.connection)?.processID else { return nil }
    let sender = Sender(Caller(of: processID))
    senders.insert(sender, for: id.connection)
    return sender
  }
}

extension ConnectionID: IDTableKey {
  package var tableKey: UInt64 { rawValue }
}

extension Sender {
  /// A process that passes on links has no application, because its links can come from any application.
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
