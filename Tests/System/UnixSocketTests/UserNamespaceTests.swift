import Testing
import UnixSocket

@Suite struct UserNamespaceTests {
  @Test(arguments: [
    ("         0          0 4294967295\n", 0),
    ("      1000       1000          1\n", 65534),
    ("      1000       1000          1\n         0          0          1\n", 0),
    ("         0     100000      65536\n        70          0          1\n", 70),
    ("", 0),
  ])
  func rootIsWhoTheMapSays(map: String, user: UInt32) {
    #expect(UserNamespace.rootID(inMap: map) == user)
  }
}
