import Glibc

/// Owns a file descriptor, and closes it when this value is destroyed.
///
/// The value cannot be copied. So the descriptor has only one owner, and is closed only once.
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
    // The result is ignored, because Linux closes the descriptor even if close(2) returns an error.
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
