import Glibc
import SystemPackage

/// Repeats a call that a signal interrupts; a failed one returns -1 and sets `errno`.
func systemCall<Value: SignedInteger>(_ call: () -> Value) -> Result<Value, Errno> {
  while true {
    let value = call()
    guard value == -1 else { return .success(value) }
    let error = Errno(rawValue: errno)
    if error != .interrupted { return .failure(error) }
  }
}

extension Result where Failure == Errno {
  @discardableResult
  func get(_ call: String, about subject: SocketError.Subject? = nil) throws(SocketError) -> Success {
    switch self {
    case .success(let value): return value
    case .failure(let error): throw SocketError(.call(call, error), about: subject)
    }
  }
}
