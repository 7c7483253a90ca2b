/// Searches the member names of one JSON object for duplicates.
///
/// Two names are the same if they have the same Unicode scalars after their escape sequences are decoded, and not if
/// they are only canonically equivalent.
struct MemberNames: ~Escapable {
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

  /// The offset in the JSON text of the first name that repeats an earlier one.
  var duplicate: Int? {
    let end = Int(nodes[object].next)
    let name = count <= Self.pairwiseLimit && !hasEscapes ? pairwiseDuplicate(end) : collectedDuplicate(end)
    return name.map { Int(nodes[$0].start) }
  }

  private func pairwiseDuplicate(_ end: Int) -> Int? {
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

  private func collectedDuplicate(_ end: Int) -> Int? {
    var names = Set<[UInt8]>(minimumCapacity: count)
    var name = object + 1
    while name < end {
      var unescaped: [UInt8] = []
      unescaped.appendUnescaped(text(of: name))
      guard names.insert(unescaped).inserted else { return name }
      name = Int(nodes[name + 1].next)
    }
    return nil
  }

  @_lifetime(copy self)
  private func text(of name: Int) -> Span<UInt8> {
    bytes.extracting(Int(nodes[name].start) + 1..<Int(nodes[name].end) - 1)
  }
}
