/// The member names of one object, of which no two may be the same.
///
/// Names are the same if their scalars are, however these are escaped; canonically equivalent names differ.
struct MemberNames: ~Escapable {
  /// Up to this many names each is compared with each.
  private static let pairwiseLimit = 24

  private let object: Int
  private let count: Int
  private let hasEscapes: Bool
  private let nodes: Span<JSONNode>
  private let bytes: Span<UInt8>

  @_lifetime(copy nodes, copy bytes)
  init(of object: Int, _ count: Int, hasEscapes: Bool, nodes: Span<JSONNode>, bytes: Span<UInt8>) {
    self.object = object
    self.count = count
    self.hasEscapes = hasEscapes
    self.nodes = nodes
    self.bytes = bytes
  }

  /// Where the second of two members with one name stands in the text, or nil.
  var duplicate: Int? {
    let end = Int(nodes[object].next)
    let duplicate =
      count <= Self.pairwiseLimit && !hasEscapes
      ? pairwiseDuplicate(before: end) : tabulatedDuplicate(before: end)
    return duplicate.map { Int(nodes[$0].start) }
  }

  private func pairwiseDuplicate(before end: Int) -> Int? {
    var second = object + 1
    while second < end {
      let length = nodes[second].end &- nodes[second].start
      var first = object + 1
      while first < second {
        if nodes[first].end &- nodes[first].start == length, text(of: first).equals(text(of: second)) {
          return second
        }
        first = Int(nodes[first + 1].next)
      }
      second = Int(nodes[second + 1].next)
    }
    return nil
  }

  /// Looks each name up among those before it, in a hash table with open addressing.
  private func tabulatedDuplicate(before end: Int) -> Int? {
    let mask = 2 << (Int.bitWidth - count.leadingZeroBitCount) - 1
    var table = [(hash: Int, name: Int)](repeating: (0, 0), count: mask + 1)
    var unescaped: [UInt8] = []
    var other: [UInt8] = []
    var name = object + 1
    while name < end {
      unescaped.removeAll(keepingCapacity: true)
      unescape(name, into: &unescaped)
      var hasher = Hasher()
      unsafe unescaped.withUnsafeBytes { unsafe hasher.combine(bytes: $0) }
      let hash = hasher.finalize()
      var slot = hash & mask
      while table[slot].name != 0 {
        if table[slot].hash == hash {
          other.removeAll(keepingCapacity: true)
          unescape(table[slot].name, into: &other)
          if other == unescaped { return name }
        }
        slot = (slot + 1) & mask
      }
      table[slot] = (hash, name)
      name = Int(nodes[name + 1].next)
    }
    return nil
  }

  @_lifetime(copy self)
  private func text(of name: Int) -> Span<UInt8> {
    bytes.extracting(Int(nodes[name].start) + 1..<Int(nodes[name].end) - 1)
  }

  private func unescape(_ name: Int, into buffer: inout [UInt8]) {
    if nodes[name].hasEscapes {
      buffer.appendUnescaped(text(of: name))
    } else {
      buffer.append(contentsOf: text(of: name))
    }
  }
}
