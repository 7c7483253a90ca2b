import Glibc
import Testing
import UnixSocket

/// Each test runs in its own process, because the limits apply to the whole process.
@Suite struct DescriptorLimitTests {
  @Test func holdsForThisProcess() async {
    await #expect(processExitsWith: .success) {
      try DescriptorLimit.set(soft: 50)
      #expect(try DescriptorLimit.current().soft == 50)
      var copies = 0
      while dup(0) >= 0 { copies += 1 }
      #expect(errno == EMFILE && copies < 50)
    }
  }

  @Test func isRaisedToTheHardLimitAtMost() async {
    await #expect(processExitsWith: .success) {
      let before = try DescriptorLimit.set(soft: 50)
      let after = try DescriptorLimit.set(soft: .max)
      #expect(after.hard == before.hard)
      #expect(after.soft == before.hard && after.soft > 50)
    }
  }
}
