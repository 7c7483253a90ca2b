import Glibc

/// A file descriptor that is closed when its owner goes out of scope.
///
/// There is exactly one owner at any time, so a descriptor is neither leaked nor closed twice.
package struct OwnedDescriptor: ~Copyable, Sendable {
  /// The number of the descriptor, valid as long as this owner lives.
  package let rawValue: CInt

  /// Takes over the open descriptor `rawValue`, which nobody else may close from here on.
  package init(_ rawValue: CInt) {
    self.rawValue = rawValue
  }

  deinit {
    // On Linux the descriptor is closed whatever close(2) returns, and no error concerns a socket.
    _ = close(rawValue)
  }

  /// Gives the descriptor away without closing it.
  package consuming func release() -> CInt {
    let rawValue = rawValue
    discard self
    return rawValue
  }
}
