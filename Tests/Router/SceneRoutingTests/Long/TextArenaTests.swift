import Testing

@testable import SceneRouting

@Suite struct TextArenaTests {
  /// Stores more texts than a trie with 450,000 identifiers of this length needs.
  @Test func pagesDoNotRunOut() {
    let count = 530_000
    var arena = TextArena()
    let text = [UInt8](repeating: 0x61, count: 1025)
    for _ in 0..<count { _ = arena.store(text.span, count: 1025) }
    #expect(arena.byteCount == count * 1025)
  }

  @Test(arguments: [1, 8, 1024, 1025, 4096, 4097, 6144, 6145, 12_288])
  func textsOfAllLengthsAreStoredAndRemoved(_ length: Int) {
    var arena = TextArena()
    let texts = (0..<100).map { number in [UInt8](repeating: UInt8(number), count: length) }
    for _ in 0..<2 {
      let references = texts.map { arena.store($0.span, count: length) }
      #expect(arena.byteCount == 100 * length)
      for (text, reference) in zip(texts, references) {
        let isStored = arena.isStored(text.span, from: 0, count: length, at: reference)
        #expect(isStored)
      }
      for reference in references { arena.remove(reference, count: length) }
      #expect(arena.byteCount == 0)
    }
  }
}
