import CLinux
import Glibc
import TestSupport
import Testing
import UnixSocket

@Suite struct ListeningSocketAdoptionTests {
  @Test func adoptsWhatAnotherProcessHasPrepared() throws {
    let directory = try TemporaryDirectory()
    let path = directory.appending("socket")
    let inherited: CInt
    do {
      let prepared = try ListeningSocket.listen(at: path)
      inherited = fcntl(prepared.descriptor.rawValue, F_DUPFD_CLOEXEC, 0)
    }
    try #require(fcntl(inherited, F_SETFL, 0) == 0)
    let client = try StreamSocket.connect(to: SocketAddress(path), nonblocking: true)
    try client.write("early")

    let listening = try ListeningSocket.adopt(OwnedDescriptor(inherited))
    #expect(fcntl(inherited, F_GETFL) & O_NONBLOCK != 0)
    #expect(fcntl(inherited, F_GETFD) & FD_CLOEXEC != 0)
    #expect(try listening.accept().connection().text() == "early")
    // `removeFile` leaves the file, because another process made the file.
    try listening.removeFile()
    #expect(access(path, F_OK) == 0)
  }

  @Test func refusesWhatIsNotOpen() {
    // The number is above any descriptor limit, so no other test can get this number meanwhile.
    let error = #expect(throws: SocketError.self) { _ = try ListeningSocket.adopt(OwnedDescriptor(.max)) }
    #expect(error?.reason == .unsuitable(.notOpen))
  }

  @Test(arguments: Unsuitable.all)
  func refusesWhatCannotBeListenedOn(unsuitable: Unsuitable) throws {
    let descriptor = try unsuitable.make()
    let error = #expect(throws: SocketError.self) {
      _ = try ListeningSocket.adopt(OwnedDescriptor(descriptor))
    }
    #expect(error?.reason == .unsuitable(unsuitable.cause))
    #expect(error?.subject == .descriptor(descriptor))
    #expect(
      error?.description == "Nobody can connect to descriptor \(descriptor): it \(unsuitable.cause.rawValue)."
    )
  }

  struct Unsuitable: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let cause: SocketError.UnsuitableDescriptor
    let make: @Sendable () throws -> CInt

    static let all = [
      Unsuitable(testDescription: "a file", cause: .notASocket) { memfd_create("file", MFD_CLOEXEC) },
      Unsuitable(testDescription: "a TCP socket", cause: .notUnixDomain) { newSocket(AF_INET, SOCK_STREAM) },
      Unsuitable(testDescription: "a datagram socket", cause: .notAStream) { newSocket(AF_UNIX, SOCK_DGRAM) },
      Unsuitable(testDescription: "a packet socket", cause: .notAStream) {
        newSocket(AF_UNIX, SOCK_SEQPACKET)
      },
      Unsuitable(testDescription: "an idle socket", cause: .notListening) { newSocket(AF_UNIX, SOCK_STREAM) },
      Unsuitable(testDescription: "a connection", cause: .notListening) {
        let pair = try StreamSocketPair()
        return fcntl(pair.first.descriptor.rawValue, F_DUPFD_CLOEXEC, 0)
      },
    ]

    private static func newSocket(_ domain: CInt, _ type: __socket_type) -> CInt {
      socket(domain, CInt(type.rawValue | SOCK_CLOEXEC.rawValue), 0)
    }
  }
}
