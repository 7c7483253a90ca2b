import Testing

@testable import SceneServer

@Suite struct HandleTests {
  @Test func handleIsReadAsItIsWritten() {
    var random = SystemRandomNumberGenerator()
    for _ in 0..<100 {
      let handle = Handle(using: &random)
      #expect(handle.text.utf8.count == 32)
      #expect(Handle(handle.text) == handle)
    }
    #expect(Handle("0000000000000001000000000000000f")?.text == "0000000000000001000000000000000f")
  }

  @Test(arguments: [
    "", "0", String(repeating: "0", count: 31), String(repeating: "0", count: 33),
    "0000000000000001000000000000000F",
    "-0000000000000010000000000000001", "0000000000000001000000000000000é",
    "000000000000000100000000000000 0", "0x000000000000010000000000000001",
  ])
  func nothingElseIsAHandle(_ text: String) {
    #expect(Handle(text) == nil)
  }

  @Test func ownerIsFoundOnlyByTheWholeHandle() throws {
    var owners = HandleOwners<Int>(seed: 0)
    owners.insert(1, for: try #require(Handle("0000000000000001000000000000000f")))
    #expect(owners["0000000000000001000000000000000f"] == 1)
    #expect(owners["0000000000000001000000000000000e"] == nil)
    #expect(owners["0000000000000002000000000000000f"] == nil)
  }
}
