import Glibc

/// The address of a Unix socket: a file, or a name in the abstract namespace of Linux (unix(7)).
package struct SocketAddress: Equatable, Sendable {
  /// The greatest length of an address: 107 bytes.
  ///
  /// The `@` before an abstract name does not count.
  ///
  /// The kernel's field `sun_path` has 108 bytes. One of them is for the NUL at the end of a path or at the start of an
  /// abstract name.
  package static let maximumLength = MemoryLayout.size(ofValue: sockaddr_un().sun_path) - 1

  /// The address as text; an abstract name begins with `@`.
  package let description: String

  private let isAbstract: Bool

  /// Makes the address written as `text`: a path, or an abstract name after a leading `@`.
  ///
  /// - Throws: `SocketError` if `text` is empty, has a NUL byte or is longer than `maximumLength`.
  package init(_ text: String) throws(SocketError) {
    try self.init(text, isAbstract: text.utf8.first == UInt8(ascii: "@"))
  }

  /// Makes the address of the file at `path`, even if `path` begins with `@`.
  ///
  /// - Throws: `SocketError` if `path` is empty, has a NUL byte or is longer than `maximumLength`.
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

  /// Calls `body` with the address in the kernel's form.
  func withSystemAddress<Value>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Value) -> Value {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { path in
      unsafe path.copyBytes(from: description.utf8)
      if isAbstract { unsafe path[0] = 0 }
    }
    // An abstract name has no NUL at its end, because the kernel counts every byte as part of the name.
    let length = MemoryLayout<sa_family_t>.size + description.utf8.count + (isAbstract ? 0 : 1)
    return unsafe withUnsafePointer(to: &address) { address in
      unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        unsafe body(address, socklen_t(length))
      }
    }
  }
}
