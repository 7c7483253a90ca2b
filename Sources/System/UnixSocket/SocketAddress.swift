import Glibc

/// A file, or a name in the abstract namespace of Linux (unix(7)).
package struct SocketAddress: Equatable, Sendable {
  /// 107 bytes: one of the 108 of `sun_path` is for the NUL at the end of a path or the start of an abstract name.
  package static let maximumLength = MemoryLayout.size(ofValue: sockaddr_un().sun_path) - 1
  package let description: String

  private let isAbstract: Bool

  package init(_ text: String) throws(SocketError) {
    try self.init(text, isAbstract: text.utf8.first == UInt8(ascii: "@"))
  }

  /// The address of a file, even if `path` begins with `@`.
  package init(path: String) throws(SocketError) {
    try self.init(path, isAbstract: false)
  }

  private init(_ text: String, isAbstract: Bool) throws(SocketError) {
    let length = text.utf8.count - (isAbstract ? 1 : 0)
    guard length > 0, !text.utf8.contains(0) else {
      throw SocketError(.addressMalformed, about: .name(text))
    }
    guard length <= Self.maximumLength else {
      throw SocketError(.addressTooLong(limit: Self.maximumLength), about: .name(text))
    }
    self.description = text
    self.isAbstract = isAbstract
  }
}

extension SocketAddress: CustomStringConvertible {}

extension SocketAddress {
  var subject: SocketError.Subject { .name(description) }

  func withSystemAddress<Value>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Value) -> Value {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { path in
      unsafe path.copyBytes(from: description.utf8)
      if isAbstract { unsafe path[0] = 0 }
    }
    // The kernel counts every byte as part of an abstract name, which therefore has no NUL at its end.
    let length = MemoryLayout<sa_family_t>.size + description.utf8.count + (isAbstract ? 0 : 1)
    return unsafe withUnsafePointer(to: &address) { address in
      unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        unsafe body(address, socklen_t(length))
      }
    }
  }
}
