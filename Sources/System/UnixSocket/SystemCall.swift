import Glibc
import SystemPackage

/// The outcome of `call`, a function that returns -1 and sets `errno` if it fails; repeated while signals interrupt it.
///
/// The one place of the project that handles `EINTR`.
func systemCall<Value: SignedInteger>(_ call: () -> Value) -> Result<Value, Errno> {
  while true {
    let value = call()
    guard value == -1 else { return .success(value) }
    let error = Errno(rawValue: errno)
    if error != .interrupted { return .failure(error) }
  }
}

extension Result where Failure == Errno {
  /// The value, or the error with the name of the call that failed and what it was about.
  @discardableResult
  func get(_ call: String, about subject: SocketError.Subject? = nil) throws(SocketError) -> Success {
    switch self {
    case .success(let value): return value
    case .failure(let error): throw SocketError(.call(call, error), about: subject)
    }
  }
}
