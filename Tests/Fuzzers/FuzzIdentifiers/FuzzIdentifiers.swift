@testable import SceneRouting

/// Adds, removes and finds identifiers as the input demands, and compares the results with a plain list.
///
/// Built with `SCENED_FUZZERS=1 swift build --sanitize fuzzer --product FuzzIdentifiers`.
@c(LLVMFuzzerTestOneInput)
public func fuzzIdentifiers(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  var input = Array(UnsafeBufferPointer(start: start, count: count))[...]
  var checked = CheckedTrie()
  while let step = input.popFirst() {
    let text = takeText(length: Int(step >> 2), from: &input)
    switch step & 3 {
    case 0, 1: checked.insert(text)
    case 2: checked.remove(text)
    default: checked.check(text)
    }
  }
  checked.removeAll()
  return 0
}

/// Takes the next text from the input.
///
/// The bytes of the text have few different values, so that texts have much in common. A long text repeats its bytes.
private func takeText(length: Int, from input: inout ArraySlice<UInt8>) -> [UInt8] {
  let bytes = input.prefix(length & 15).map { $0 & 0x83 }
  input = input.dropFirst(length & 15)
  let repeated = Array(repeatElement(bytes, count: 1 << (2 * (length >> 4))).joined())
  return repeated.isEmpty ? [0] : repeated
}

/// A trie, together with a plain list of the same identifiers.
private struct CheckedTrie: ~Copyable {
  private var trie = IdentifierTrie(seed: 1)
  private var nodes: [[UInt8]: IdentifierKey] = [:]

  mutating func insert(_ text: [UInt8]) {
    let (node, present) = trie.insert(text.span, 7)
    precondition(nodes[text] == nil ? present == nil : nodes[text] == node && present == 7)
    nodes[text] = node
  }

  mutating func remove(_ text: [UInt8]) {
    guard let node = nodes.removeValue(forKey: text) else { return }
    trie.remove(node)
  }

  mutating func check(_ text: [UInt8]) {
    var found: [IdentifierKey] = []
    trie.forEachMatch(in: text.span) { found.append($0) }
    let expected = nodes.filter { occurs($0.key, in: text) }.map(\.value)
    precondition(found.count == expected.count && Set(found) == Set(expected))
    precondition(nodes.allSatisfy { bytes(of: $0.value) == $0.key })
  }

  private func bytes(of key: IdentifierKey) -> [UInt8] {
    trie.withText(of: key) { text in
      [UInt8](capacity: text.count) { for index in text.indices { $0.append(text[index]) } }
    }
  }

  mutating func removeAll() {
    for text in nodes.keys { remove(text) }
    precondition(trie.nodeCount == 0 && trie.texts.byteCount == 0 && trie.count == 0)
  }

  private func occurs(_ pattern: [UInt8], in text: [UInt8]) -> Bool {
    guard pattern.count <= text.count else { return false }
    return (0...(text.count - pattern.count)).contains { text[$0...].starts(with: pattern) }
  }
}
