/// An identifier in the table; valid until the last set that holds it is gone.
struct IdentifierKey: Hashable {
  let index: Int32
}

/// The kinds of set an identifier can be in.
enum IdentifierSetKind: Int, CaseIterable {
  case preferring
  case allowing
  case matching
}

/// The identifiers that a comparison string contains.
struct MatchedIdentifiers {
  /// Without `*`.
  fileprivate(set) var keys: [IdentifierKey] = []

  func contains(_ key: IdentifierKey, countingWildcard: Bool) -> Bool {
    key == IdentifierTable.wildcard ? countingWildcard : keys.contains(key)
  }
}

/// All identifiers of all sets, each once, with the candidates that hold it.
///
/// Which identifiers a text contains is asked of this table alone, so that how they are found can change
/// without its callers.
struct IdentifierTable {
  /// The identifier that is exactly `*` and matches every event, whatever it holds.
  static let wildcard = IdentifierKey(index: 0)

  private struct Entry {
    var text: String
    var folded: FoldedText
    /// How many sets hold it.
    var uses = 0
    var candidates = [CandidateSet](repeating: CandidateSet(), count: IdentifierSetKind.allCases.count)
  }

  private var entries = [Entry(text: "*", folded: FoldedText("*"), uses: 1)]
  /// By the exact bytes: `String` would take canonically equivalent spellings for the same identifier.
  private var keys = [Array("*".utf8): wildcard]
  private var free: [IdentifierKey] = []

  func text(_ key: IdentifierKey) -> String { entries[Int(key.index)].text }

  /// The key of an identifier, which is held until it is released.
  mutating func retain(_ text: String) -> IdentifierKey {
    let bytes = Array(text.utf8)
    if let key = keys[bytes] {
      entries[Int(key.index)].uses += 1
      return key
    }
    let entry = Entry(text: text, folded: FoldedText(text), uses: 1)
    let key: IdentifierKey
    if let reused = free.popLast() {
      key = reused
      entries[Int(key.index)] = entry
    } else {
      key = IdentifierKey(index: Int32(entries.count))
      entries.append(entry)
    }
    keys[bytes] = key
    return key
  }

  mutating func release(_ key: IdentifierKey) {
    let index = Int(key.index)
    entries[index].uses -= 1
    guard entries[index].uses == 0 else { return }
    keys[Array(entries[index].text.utf8)] = nil
    entries[index] = Entry(text: "", folded: FoldedText(""))
    free.append(key)
  }

  /// The identifiers other than `*` that the text of an event contains.
  func matches(in text: FoldedText?) -> MatchedIdentifiers {
    guard let text else { return MatchedIdentifiers() }
    var matched = MatchedIdentifiers()
    for index in entries.indices.dropFirst() where text.contains(entries[index].folded) {
      matched.keys.append(IdentifierKey(index: Int32(index)))
    }
    return matched
  }

  /// Whether one identifier, told from all others by its text, matches; the definition that ``matches(in:)``
  /// has to agree with.
  func isMatch(_ key: IdentifierKey, in text: FoldedText?) -> Bool {
    key == Self.wildcard || text?.contains(entries[Int(key.index)].folded) == true
  }

  /// Whether `left` says more about an event than `right`: the longer, then the one that sorts first.
  ///
  /// Decides which of several matching identifiers is told as the one that won.
  func isMoreSpecific(_ left: IdentifierKey, than right: IdentifierKey) -> Bool {
    if left == Self.wildcard || right == Self.wildcard { return left != Self.wildcard && left != right }
    let left = entries[Int(left.index)]
    let right = entries[Int(right.index)]
    guard left.folded.bytes.count == right.folded.bytes.count else {
      return left.folded.bytes.count > right.folded.bytes.count
    }
    return left.text.utf8.lexicographicallyPrecedes(right.text.utf8)
  }

  func candidates(_ kind: IdentifierSetKind, holding key: IdentifierKey) -> CandidateSet {
    entries[Int(key.index)].candidates[kind.rawValue]
  }

  mutating func changeCandidates(
    holding key: IdentifierKey,
    in kind: IdentifierSetKind,
    _ change: (inout CandidateSet) -> Void
  ) {
    change(&entries[Int(key.index)].candidates[kind.rawValue])
  }
}
