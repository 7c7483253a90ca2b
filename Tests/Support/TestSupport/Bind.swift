import Glibc

/// Binds `socket` to `name`: a path, or an abstract name after a NUL.
///
/// Meant for sockets that the module under test would not make.
package func bind(_ socket: CInt, toName name: String) throws {
  let outcome = withAddress(name) { Glibc.bind(socket, $0, $1) }
  guard outcome == 0 else { throw Overdue("bind failed for \(name): \(String(cString: strerror(errno))).") }
}

/// Connects `socket` to the socket that is bound to `name`.
package func connect(_ socket: CInt, toName name: String) throws {
  let outcome = withAddress(name) { Glibc.connect(socket, $0, $1) }
  guard outcome == 0 else {
    throw Overdue("connect failed for \(name): \(String(cString: strerror(errno))).")
  }
}

private func withAddress(_ name: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> CInt) -> CInt {
  var address = sockaddr_un()
  address.sun_family = sa_family_t(AF_UNIX)
  withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: name.utf8) }
  let length = socklen_t(MemoryLayout<sa_family_t>.size + name.utf8.count)
  return withUnsafePointer(to: &address) {
    $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, length) }
  }
}
