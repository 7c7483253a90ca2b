import Glibc

package struct OwnedDescriptor: ~Copyable, Sendable {
  package let rawValue: CInt

  package init(_ rawValue: CInt) {
    self.rawValue = rawValue
  }

  deinit {
    // Linux closes the descriptor even if close(2) returns an error.
    _ = close(rawValue)
  }

  package consuming func release() -> CInt {
    let rawValue = rawValue
    discard self
    return rawValue
  }
}
