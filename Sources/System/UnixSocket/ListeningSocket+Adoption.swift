import Glibc
import SystemPackage

extension ListeningSocket {
  static func checkSuitability(of descriptor: CInt) throws(SocketError) {
    func require(_ condition: Bool, _ cause: SocketError.UnsuitableDescriptor) throws(SocketError) {
      guard condition else { throw SocketError(.unsuitable(cause), about: .descriptor(descriptor)) }
    }
    let domain: CInt
    do throws(SocketError) {
      domain = try socketOption(SO_DOMAIN, of: descriptor)
    } catch {
      try require(error.reason != .call("getsockopt", .badFileDescriptor), .notOpen)
      try require(error.reason != .call("getsockopt", .notSocket), .notASocket)
      throw error
    }
    try require(domain == AF_UNIX, .notUnixDomain)
    try require(socketOption(SO_TYPE, of: descriptor) == CInt(SOCK_STREAM.rawValue), .notAStream)
    try require(socketOption(SO_ACCEPTCONN, of: descriptor) != 0, .notListening)
  }
}
