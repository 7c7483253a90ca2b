import Glibc
import Testing
import UnixSocket

/// The peer sees when a descriptor is closed; its number proves nothing, as other tests open descriptors meanwhile.
@Suite struct OwnedDescriptorTests {
  @Test func closesWhenItGoesOutOfScope() throws {
    let pair = try StreamSocketPair()
    let second = pair.second
    do { _ = OwnedDescriptor(dup(pair.first.descriptor.rawValue)) }
    #expect(try second.readResult() == .wouldBlock)
    do { _ = pair.first }
    #expect(try second.readResult() == .end)
  }

  @Test func releasedDescriptorStaysOpen() throws {
    let pair = try StreamSocketPair()
    let second = pair.second
    let copy = OwnedDescriptor(dup(pair.first.descriptor.rawValue)).release()
    do { _ = pair.first }
    #expect(try second.readResult() == .wouldBlock)
    close(copy)
    #expect(try second.readResult() == .end)
  }
}
