import Foundation
import Glibc
import Synchronization
import SystemPackage
import TestSupport
import Testing
import UnixSocket

@Suite struct ListeningSocketTests {
  @Test func makesDirectoryAndFileForThisUserOnly() throws {
    let parent = try TemporaryDirectory()
    let path = parent.appending("scened/socket")
    let listening = try ListeningSocket.listen(at: path, directoryMode: [.ownerReadWriteExecute])
    #expect(try mode(of: parent.appending("scened")) == S_IFDIR | 0o700)
    #expect(try mode(of: path) == S_IFSOCK | 0o600)
    #expect(fcntl(listening.descriptor.rawValue, F_GETFL) & O_NONBLOCK != 0)
    #expect(fcntl(listening.descriptor.rawValue, F_GETFD) & FD_CLOEXEC != 0)
  }

  @Test func makesDirectoryAndFileWithTheModesAskedFor() throws {
    let parent = try TemporaryDirectory()
    let path = parent.appending("scened/socket")
    _ = try ListeningSocket.listen(
      at: path,
      directoryMode: [.ownerReadWriteExecute, .groupExecute],
      mode: [.ownerWrite]
    )
    #expect(try mode(of: parent.appending("scened")) == S_IFDIR | 0o710)
    #expect(try mode(of: path) == S_IFSOCK | 0o200)
  }

  @Test func leavesAnExistingDirectoryAsItIs() throws {
    let parent = try TemporaryDirectory()
    let directory = parent.appending("scened")
    try #require(mkdir(directory, 0o755) == 0 && chmod(directory, 0o755) == 0)
    _ = try ListeningSocket.listen(at: directory + "/socket", directoryMode: [.ownerReadWriteExecute])
    #expect(try mode(of: directory) == S_IFDIR | 0o755)
  }

  @Test func makesNoDirectoryUnlessAsked() throws {
    let parent = try TemporaryDirectory()
    let directory = parent.appending("scened")
    let error = #expect(throws: SocketError.self) {
      _ = try ListeningSocket.listen(at: directory + "/socket")
    }
    #expect(error?.reason == .call("open", .noSuchFileOrDirectory))
    #expect(error?.subject == .name(directory))
    #expect(!FileManager.default.fileExists(atPath: directory))
  }

  @Test func makesNoMoreThanOneDirectory() throws {
    let parent = try TemporaryDirectory()
    let directory = parent.appending("a/b")
    let error = #expect(throws: SocketError.self) {
      _ = try ListeningSocket.listen(at: directory + "/socket", directoryMode: [.ownerReadWriteExecute])
    }
    #expect(error?.reason == .call("mkdir", .noSuchFileOrDirectory))
    #expect(error?.subject == .name(directory))
  }

  @Test func pathThatIsTooLongIsRefusedBeforeAnythingIsMade() throws {
    let parent = try TemporaryDirectory()
    let directory = parent.appending("scened")
    let path = directory + "/" + String(repeating: "x", count: 100)
    let error = #expect(throws: SocketError.self) {
      _ = try ListeningSocket.listen(at: path, directoryMode: [.ownerReadWriteExecute])
    }
    #expect(error?.reason == .addressTooLong(limit: 107))
    #expect(!FileManager.default.fileExists(atPath: directory))
  }

  @Test func longestPathWorks() throws {
    let directory = try TemporaryDirectory()
    let name = String(repeating: "x", count: SocketAddress.maximumLength - directory.path.utf8.count - 1)
    let path = directory.appending(name)
    let listening = try ListeningSocket.listen(at: path)
    #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path) == [name])
    _ = try StreamSocket.connect(to: SocketAddress(path), nonblocking: true)
    _ = try listening.accept().connection()
  }

  /// The test runs in its own process, because the working directory belongs to the whole process.
  @Test func bareNameIsInTheWorkingDirectory() async {
    await #expect(processExitsWith: .success) {
      let directory = try TemporaryDirectory()
      try #require(chdir(directory.path) == 0)
      let listening = try ListeningSocket.listen(at: "socket")
      #expect(access(directory.appending("socket"), F_OK) == 0)
      try listening.removeFile()
      #expect(access(directory.appending("socket"), F_OK) == -1)
    }
  }

  @Test func staleSocketFileIsReplaced() throws {
    let directory = try TemporaryDirectory()
    let path = directory.appending("socket")
    try makeStaleFile(at: path)
    let listening = try ListeningSocket.listen(at: path)
    _ = try StreamSocket.connect(to: SocketAddress(path), nonblocking: true)
    _ = try listening.accept().connection()
  }

  @Test func liveSocketIsRefusedWithItsOwner() throws {
    let directory = try TemporaryDirectory()
    let path = directory.appending("socket")
    let listening = try ListeningSocket.listen(at: path)
    let error = #expect(throws: SocketError.self) { _ = try ListeningSocket.listen(at: path) }
    #expect(error?.reason == .inUse(owner: getpid()))
    #expect(error?.description == "The socket '\(path)' is in use by process \(getpid()).")
    // The listening socket still works.
    _ = try listening.accept().connection()
    _ = try StreamSocket.connect(to: SocketAddress(path), nonblocking: true)
  }

  @Test func ownerTooBusyToAcceptIsAlive() throws {
    let directory = try TemporaryDirectory()
    let path = directory.appending("socket")
    let listening = try ListeningSocket.listen(at: path, backlog: 0)
    let waiting = try StreamSocket.connect(to: SocketAddress(path), nonblocking: true)
    let error = #expect(throws: SocketError.self) { _ = try ListeningSocket.listen(at: path) }
    #expect(error?.reason == .inUse(owner: nil))
    _ = try listening.accept().connection()
    _ = consume waiting
  }

  /// The test holds the lock until `listen` says that it waits for the lock.
  @Test func lockOfTheDirectoryIsWaitedFor() throws {
    let directory = try TemporaryDirectory()
    let lock = open(directory.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    try #require(flock(lock, LOCK_EX) == 0)
    var waited: [String] = []
    _ = try ListeningSocket.listen(at: directory.appending("socket")) {
      waited.append($0)
      close(lock)
    }
    #expect(waited == [directory.path])
  }

  @Test func fileThatIsNoSocketIsLeftAlone() throws {
    let directory = try TemporaryDirectory()
    let path = directory.appending("socket")
    try Data("precious".utf8).write(to: URL(filePath: path))
    let error = #expect(throws: SocketError.self) { _ = try ListeningSocket.listen(at: path) }
    #expect(error?.reason == .notASocket)
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "precious")
  }

  @Test func linkIsNotFollowed() throws {
    let directory = try TemporaryDirectory()
    let (path, target) = (directory.appending("socket"), directory.appending("target"))
    try makeStaleFile(at: target)
    try #require(symlink(target, path) == 0)
    let error = #expect(throws: SocketError.self) { _ = try ListeningSocket.listen(at: path) }
    #expect(error?.reason == .notASocket)
    #expect(FileManager.default.fileExists(atPath: target))
  }

  /// In each round, four concurrent calls of `listen` have the same path.
  ///
  /// From the second round on, the path has the stale socket file of the round before.
  @Test func ofSeveralStartersExactlyOneWins() throws {
    let directory = try TemporaryDirectory()
    let path = directory.appending("socket")
    for _ in 0..<300 {
      let starters = 4
      let outcomes = Mutex<[CInt]>([])
      let refusals = Mutex<[SocketError.Reason]>([])
      DispatchQueue.concurrentPerform(iterations: starters) { _ in
        do throws(SocketError) {
          let listening = try ListeningSocket.listen(at: path)
          // Duplicates the descriptor. The socket then stays open, so that the other calls of `listen` find it in use.
          let descriptor = fcntl(listening.descriptor.rawValue, F_DUPFD_CLOEXEC, 0)
          outcomes.withLock { $0.append(descriptor) }
        } catch {
          refusals.withLock { $0.append(error.reason) }
        }
      }
      let winners = outcomes.withLock { $0 }
      #expect(winners.count == 1)
      #expect(refusals.withLock { $0 } == Array(repeating: .inUse(owner: getpid()), count: starters - 1))
      // The socket file belongs to the winner: clients can connect.
      do { _ = try StreamSocket.connect(to: SocketAddress(path), nonblocking: true) }
      for winner in winners {
        // A child process that is just being started for another test may still hold the socket. Closing alone would
        // then not end the socket.
        shutdown(winner, CInt(SHUT_RDWR))
        close(winner)
      }
    }
  }

  @Test func nobodyWaitingIsNoError() throws {
    let directory = try TemporaryDirectory()
    let listening = try ListeningSocket.listen(at: directory.appending("socket"))
    switch try listening.accept() {
    case .wouldBlock: break
    default: Issue.record("there is nobody")
    }
  }

  @Test func acceptedConnectionIsNonblockingAndCloseOnExec() throws {
    let directory = try TemporaryDirectory()
    let path = directory.appending("socket")
    let listening = try ListeningSocket.listen(at: path)
    let client = try StreamSocket.connect(to: SocketAddress(path), nonblocking: true)
    let connection = try listening.accept().connection()
    #expect(fcntl(connection.descriptor.rawValue, F_GETFL) & O_NONBLOCK != 0)
    #expect(fcntl(connection.descriptor.rawValue, F_GETFD) & FD_CLOEXEC != 0)
    _ = consume client
  }

  /// The test runs in its own process, because the limit on descriptors applies to the whole process.
  @Test func lackOfDescriptorsIsAResultAndTheConnectionWaits() async {
    await #expect(processExitsWith: .success) {
      let directory = try TemporaryDirectory()
      let path = directory.appending("socket")
      let listening = try ListeningSocket.listen(at: path)
      let client = try StreamSocket.connect(to: SocketAddress(path), nonblocking: true)
      try client.write("patience")
      let limit = try DescriptorLimit.current()
      try DescriptorLimit.set(soft: 3)
      for _ in 0..<2 {
        switch try listening.accept() {
        case .exhausted(let error): #expect(error == .tooManyOpenFiles)
        default: Issue.record("the limit does not hold")
        }
      }
      try DescriptorLimit.set(soft: limit.soft)
      #expect(try listening.accept().connection().text() == "patience")
    }
  }

  @Test func removesItsFile() throws {
    let directory = try TemporaryDirectory()
    let path = directory.appending("socket")
    let listening = try ListeningSocket.listen(at: path)
    try listening.removeFile()
    #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path).isEmpty)
    // The second call finds nothing to remove.
    try listening.removeFile()
  }

  @Test func doesNotRemoveTheFileOfItsSuccessor() throws {
    let directory = try TemporaryDirectory()
    let path = directory.appending("socket")
    let first = try ListeningSocket.listen(at: path)
    try #require(unlink(path) == 0)
    let second = try ListeningSocket.listen(at: path)
    try first.removeFile()
    _ = try StreamSocket.connect(to: SocketAddress(path), nonblocking: true)
    _ = try second.accept().connection()
  }

  private func mode(of path: String) throws -> mode_t {
    var status = stat()
    try #require(lstat(path, &status) == 0)
    return status.st_mode
  }
}
