import Glibc

/// The owner of a file descriptor; the end of the owner closes the descriptor.
///
/// There is exactly one owner at any time. So each descriptor is closed exactly once.
package struct OwnedDescriptor: ~Copyable, Sendable {
  /// The number of the descriptor, valid as long as this owner lives.
  package let rawValue: CInt

  /// Takes over the open descriptor `rawValue`.
  ///
  /// No other code may close it from now on.
  package init(_ rawValue: CInt) {
    self.rawValue = rawValue
  }

  deinit {
    // The result is ignored: Linux closes the descriptor even if close(2) returns an error. No error of close(2)
    // concerns a socket.
    _ = close(rawValue)
  }

  /// Returns the descriptor without closing it.
  ///
  /// The caller then owns it.
  package consuming func release() -> CInt {
    let rawValue = rawValue
    discard self
    return rawValue
  }
}
