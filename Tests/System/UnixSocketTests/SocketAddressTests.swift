import Testing
import UnixSocket

@Suite struct SocketAddressTests {
  @Test(arguments: [
    String(repeating: "p", count: 107),
    "@" + String(repeating: "a", count: 107),
    // The limit counts bytes, and each `é` has two bytes.
    String(repeating: "é", count: 53) + "p",
  ])
  func longestAddressIsAccepted(text: String) throws {
    #expect(try SocketAddress(text).description == text)
  }

  @Test(arguments: [
    String(repeating: "p", count: 108),
    "@" + String(repeating: "a", count: 108),
    String(repeating: "é", count: 54),
  ])
  func longerAddressIsRefused(text: String) {
    let error = #expect(throws: SocketError.self) { try SocketAddress(text) }
    #expect(error?.reason == .addressTooLong(limit: 107))
    #expect(error?.description == "The socket address '\(text)' has more than 107 bytes.")
  }

  @Test(arguments: ["", "@", "/tmp/\0x", "@\0"])
  func malformedAddressIsRefused(text: String) {
    let error = #expect(throws: SocketError.self) { try SocketAddress(text) }
    #expect(error?.reason == .addressMalformed)
  }

  @Test func pathMayBeginWithTheSignOfAnAbstractName() throws {
    #expect(try SocketAddress(path: "@") != SocketAddress("@@"))
    #expect(try SocketAddress(path: "@name") != SocketAddress("@name"))
    #expect(try SocketAddress(path: "name") == SocketAddress("name"))
  }
}
