@testable import SceneRouting

/// Adds, removes and looks for identifiers as the input says, and compares what is found with a plain list.
///
/// Built with `swift build --sanitize fuzzer --product FuzzIdentifiers`.
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

/// The next bytes, in few different ones so that texts have much in common; long ones repeat them.
private func takeText(length: Int, from input: inout ArraySlice<UInt8>) -> [UInt8] {
  let bytes = input.prefix(length & 15).map { $0 & 0x83 }
  input = input.dropFirst(length & 15)
  let repeated = Array(repeatElement(bytes, count: 1 << (2 * (length >> 4))).joined())
  return repeated.isEmpty ? [0] : repeated
}

/// A trie, and the same as a plain list.
private struct CheckedTrie {
  private var trie = IdentifierTrie(seed: 1)
  private var nodes: [[UInt8]: Int32] = [:]

  mutating func insert(_ text: [UInt8]) {
    let node = trie.insert(text.span)
    precondition(nodes[text] == nil || nodes[text] == node)
    trie.setHolders(of: node, .single(IdentifierSetID(slot: 0)))
    nodes[text] = node
  }

  mutating func remove(_ text: [UInt8]) {
    guard let node = nodes.removeValue(forKey: text) else { return }
    trie.setHolders(of: node, .none)
  }

  mutating func check(_ text: [UInt8]) {
    var found: [Int32] = []
    trie.forEachMatch(in: text.span) { found.append($0) }
    let expected = nodes.filter { occurs($0.key, in: text) }.map(\.value)
    precondition(found.sorted() == expected.sorted())
    precondition(nodes.allSatisfy { trie.text(of: $0.value) == $0.key })
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
