import Glibc

/// A file descriptor that is closed when its owner goes out of scope.
///
/// There is exactly one owner at any time, so a descriptor can neither leak nor be closed twice.
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
    // The result is ignored, because Linux closes the descriptor whatever close(2) returns, and no error of close(2)
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
