import Glibc
import TestSupport
import Testing
import UnixSocket

/// Each test reads from one end of a connection, to see whether all descriptors of the other end are closed.
///
/// The number of a closed descriptor would prove nothing, because another test may already use it again.
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
