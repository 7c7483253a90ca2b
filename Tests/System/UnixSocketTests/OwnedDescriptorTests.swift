import Glibc
import TestSupport
import Testing
import UnixSocket

/// Each test reads from the peer of a socket, which sees whether all descriptors of the socket are closed.
///
/// The number of a descriptor proves nothing, because other tests may reuse the number.
@Suite struct OwnedDescriptorTests {
  @Test func closesWhenItGoesOutOfScope() throws {
    let pair = try StreamSocketPair()
    let second = pair.second
    do { _ = OwnedDescriptor(fcntl(pair.first.descriptor.rawValue, F_DUPFD_CLOEXEC, 0)) }
    #expect(try second.readResult() == .wouldBlock)
    pair.first.close()
    #expect(try second.nextReadResult() == .end)
  }

  @Test func releasedDescriptorStaysOpen() throws {
    let pair = try StreamSocketPair()
    let second = pair.second
    let copy = OwnedDescriptor(fcntl(pair.first.descriptor.rawValue, F_DUPFD_CLOEXEC, 0)).release()
    pair.first.close()
    #expect(try second.readResult() == .wouldBlock)
    close(copy)
    #expect(try second.nextReadResult() == .end)
  }
}
