import Glibc
import SystemPackage

/// Returns the result of `call`, a function that returns -1 and sets `errno` if it fails.
///
/// Repeats the call while signals interrupt it.
///
/// No other code of this module handles `EINTR`.
func systemCall<Value: SignedInteger>(_ call: () -> Value) -> Result<Value, Errno> {
  while true {
    let value = call()
    guard value == -1 else { return .success(value) }
    let error = Errno(rawValue: errno)
    if error != .interrupted { return .failure(error) }
  }
}

extension Result where Failure == Errno {
  /// Returns the value, or throws an error with the name of the failed call and its subject.
  @discardableResult
  func get(_ call: String, about subject: SocketError.Subject? = nil) throws(SocketError) -> Success {
    switch self {
    case .success(let value): return value
    case .failure(let error): throw SocketError(.call(call, error), about: subject)
    }
  }
}
