import CLinux
import Foundation
import Glibc
import SystemPackage
import TestSupport
import Testing
import UnixSocket

@Suite struct StreamSocketTests {
  @Test func whatIsWrittenArrives() throws {
    let pair = try StreamSocketPair()
    #expect(try pair.first.write("to the second") == .bytes(13))
    #expect(try pair.second.write("and back") == .bytes(8))
    #expect(try pair.second.text(limit: 6) == "to the")
    #expect(try pair.second.text() == " second")
    #expect(try pair.first.text() == "and back")
  }

  @Test func nothingToReadIsNoError() throws {
    let pair = try StreamSocketPair()
    #expect(try pair.first.readResult() == .wouldBlock)
  }

  @Test func endComesAfterEverythingWritten() throws {
    let pair = try StreamSocketPair()
    try pair.first.write("last")
    pair.first.shutdown(.writing)
    #expect(try pair.second.text() == "last")
    #expect(try pair.second.nextReadResult() == .end)
    // The direction from `second` to `first` still works.
    #expect(try pair.second.write("answer") == .bytes(6))
    #expect(try pair.first.text() == "answer")
  }

  @Test func peerThatLeavesUnreadBytesResets() throws {
    let pair = try StreamSocketPair()
    let first = pair.first
    try first.write("never read")
    pair.second.close()
    #expect(try first.nextReadResult() == .reset)
    #expect(try first.nextReadResult() == .end)
  }

  @Test func writingToAPeerThatIsGoneIsNoError() throws {
    let pair = try StreamSocketPair()
    let first = pair.first
    pair.second.close()
    #expect(try first.nextReadResult() == .end)
    #expect(try first.write("x") == .closed)
  }

  @Test func writingToAPeerThatNoLongerReadsIsNoError() throws {
    let pair = try StreamSocketPair()
    pair.second.shutdown(.reading)
    #expect(try pair.first.write("x") == .closed)
  }

  @Test func writeTakesWhatThereIsRoomFor() throws {
    let pair = try StreamSocketPair()
    let bytes = [UInt8](repeating: 7, count: 4 << 20)
    guard case .bytes(let taken) = try pair.first.write(bytes.span) else {
      Issue.record("nothing was taken")
      return
    }
    #expect((1..<bytes.count).contains(taken))
    #expect(try pair.first.write("x") == .wouldBlock)
    var read = 0
    while case .bytes(let count) = try pair.second.readResult() { read += count }
    #expect(read == taken)
    #expect(try pair.first.write("x") == .bytes(1))
  }

  @Test func connectSaysWhyItCannot() throws {
    let directory = try TemporaryDirectory()
    let path = directory.appending("missing")
    let missing = #expect(throws: SocketError.self) {
      try withConnection(to: path) { _ in }
    }
    #expect(missing?.reason == .call("connect", .noSuchFileOrDirectory))
    #expect(missing?.description == "The call connect failed for '\(path)': No such file or directory.")

    let stale = directory.appending("stale")
    try makeStaleFile(at: stale)
    let refused = #expect(throws: SocketError.self) {
      try withConnection(to: stale) { _ in }
    }
    #expect(refused?.reason == .call("connect", .connectionRefused))
  }

  @Test func connectsToAnAbstractName() throws {
    let name = "@scened-test-\(getpid())"
    let listening = try inheritedListener(at: "\0\(name.dropFirst())")
    try withConnection(to: name) { client in
      try client.write("hello")
      #expect(try listening.accept().connection().text() == "hello")
    }
  }

  @Test(arguments: [true, false])
  func isNonblockingIfAsked(nonblocking: Bool) throws {
    let directory = try TemporaryDirectory()
    let listening = try ListeningSocket.listen(at: directory.appending("s"))
    let client = try StreamSocket.connect(
      to: SocketAddress(directory.appending("s")),
      nonblocking: nonblocking
    )
    #expect((fcntl(client.descriptor.rawValue, F_GETFL) & O_NONBLOCK != 0) == nonblocking)
    #expect(fcntl(client.descriptor.rawValue, F_GETFD) & FD_CLOEXEC != 0)
    _ = try listening.accept()
  }

  @Test func peerCredentialsAreThoseOfThisProcess() throws {
    let directory = try TemporaryDirectory()
    let path = directory.appending("s")
    let listening = try ListeningSocket.listen(at: path)
    try withConnection(to: path) { client in
      for credentials in [
        try client.peerCredentials(), try listening.accept().connection().peerCredentials(),
      ] {
        #expect(credentials.processID == getpid())
        #expect(credentials.userID == geteuid())
        #expect(credentials.groupID == getegid())
      }
    }
  }

  @Test func peerCredentialsAreThoseOfAnotherProcess() async throws {
    let directory = try TemporaryDirectory()
    let path = directory.appending("s")
    let listening = try ListeningSocket.listen(at: path)
    await #expect(processExitsWith: .success) { [path = path as String] in
      try withConnection(to: path) { try $0.write("\(getpid()) \(geteuid()) \(getegid())") }
    }
    let connection = try listening.accept().connection()
    let credentials = try connection.peerCredentials()
    let process = try #require(credentials.processID)
    #expect(try connection.text() == "\(process) \(credentials.userID) \(credentials.groupID)")
    #expect(process != getpid())
  }

  /// The sender of bytes is the process that writes them, even if another process listens.
  ///
  /// For example, systemd listens, and the service that systemd starts writes.
  @Test func senderIsTheProcessThatWrites() throws {
    let directory = try TemporaryDirectory()
    let listening = try ListeningSocket.listen(at: directory.appending("s"))
    let client = try StreamSocket.connect(to: SocketAddress(directory.appending("s")), nonblocking: true)
    let connection = try listening.accept().connection()
    try connection.write("unnoted")
    try client.noteSenders()
    #expect(try client.senderOfNextBytes()?.processID == nil)
    #expect(try client.text() == "unnoted")
    #expect(try client.senderOfNextBytes() == nil)
    let writer = try SpawnedProgram.run(
      "/bin/sh",
      ["-c", "echo $$ >&3"],
      activation: ["connection": connection.descriptor.rawValue]
    )
    #expect(writer.ending == .exit(0))
    let sender = try #require(try client.senderOfNextBytes())
    #expect(sender.userID == geteuid() && sender.groupID == getegid())
    let process = try #require(sender.processID)
    #expect(process != getpid())
    #expect(try client.text() == "\(process)\n", "Looking at the sender reads nothing.")
    connection.shutdown(.writing)
    #expect(try client.senderOfNextBytes() == nil, "Nobody sends the end of a connection.")
  }

  @Test(arguments: [false, true])
  func receivesNoDescriptors(listenerIsInherited: Bool) throws {
    let directory = try TemporaryDirectory()
    let path = directory.appending("s")
    let listening = try listenerIsInherited ? inheritedListener(at: path) : ListeningSocket.listen(at: path)
    let attached = try StreamSocketPair()
    let marker = attached.second
    let client = try StreamSocket.connect(to: SocketAddress(path), nonblocking: true)
    let outcome = client.send(120, attaching: attached.first.descriptor.rawValue)
    let connection = try listening.accept().connection()
    // The client has tried to send a byte with a descriptor attached. Linux 6.16 and newer refuse the byte. Older
    // kernels send the byte, and drop the descriptor when the byte is read.
    var (value, length): (CInt, socklen_t) = (0, 4)
    if getsockopt(connection.descriptor.rawValue, SOL_SOCKET, SO_PASSRIGHTS, &value, &length) == 0 {
      #expect(outcome == -Int(EPERM))
    } else {
      #expect(outcome == 1)
      #expect(try connection.text() == "x")
    }
    attached.first.close()
    #expect(try marker.nextReadResult() == .end)
  }
}

/// Makes a listening socket at `name` without the module under test, and adopts the socket.
private func inheritedListener(at name: String) throws -> ListeningSocket {
  let listener = OwnedDescriptor(socket(AF_UNIX, CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0))
  try bind(listener.rawValue, toName: name)
  try #require(listen(listener.rawValue, 1) == 0)
  return try ListeningSocket.adopt(listener)
}

private func withConnection(to address: String, _ body: (borrowing StreamSocket) throws -> Void) throws {
  try body(StreamSocket.connect(to: SocketAddress(address), nonblocking: true))
}

extension StreamSocket {
  /// Sends one byte with `descriptor` attached to it.
  ///
  /// - Returns: 1, or the error as a negative number.
  fileprivate borrowing func send(_ byte: UInt8, attaching descriptor: CInt) -> Int {
    // A struct cmsghdr with its data, in the layout of CMSG_SPACE(sizeof(int)) on a 64-bit machine.
    var control: (length: Int, level: CInt, type: CInt, descriptor: CInt, padding: CInt) =
      (20, SOL_SOCKET, CInt(SCM_RIGHTS), descriptor, 0)
    var byte = byte
    return withUnsafeMutableBytes(of: &control) { control in
      withUnsafeMutableBytes(of: &byte) { byte in
        var vector = iovec(iov_base: byte.baseAddress, iov_len: 1)
        return withUnsafeMutablePointer(to: &vector) { vector in
          var message = msghdr()
          message.msg_iov = vector
          message.msg_iovlen = 1
          message.msg_control = control.baseAddress
          message.msg_controllen = control.count
          return sendmsg(self.descriptor.rawValue, &message, 0) == 1 ? 1 : -Int(errno)
        }
      }
    }
  }
}
