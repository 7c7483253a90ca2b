import Glibc
import SystemPackage

/// Returns the result of `call`.
///
/// A failed `call` must return -1 and set `errno`. If a signal interrupts the call, the call is repeated. No other code
/// of this module handles `EINTR`.
func systemCall<Value: SignedInteger>(_ call: () -> Value) -> Result<Value, Errno> {
  while true {
    let value = call()
    guard value == -1 else { return .success(value) }
    let error = Errno(rawValue: errno)
    if error != .interrupted { return .failure(error) }
  }
}

extension Result where Failure == Errno {
  /// Returns the value of a successful system call, or throws the error of a failed one.
  ///
  /// In the error, `call` is the name of the system call, and `subject` is what the error is about.
  @discardableResult
  func get(_ call: String, about subject: SocketError.Subject? = nil) throws(SocketError) -> Success {
    switch self {
    case .success(let value): return value
    case .failure(let error): throw SocketError(.call(call, error), about: subject)
    }
  }
}
