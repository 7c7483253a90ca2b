/// Source: Shared MIME-info Database 0.21, "The glob files".
///
/// All patterns are in one text, so that the 1,140 patterns of Debian 12 take 30 KB. Binary search finds almost all of
/// them, and needs no hashing.
struct GlobTable: Equatable {
  private struct Glob: Equatable {
    let start: UInt32
    /// Without the `*` at the beginning of a suffix.
    let count: UInt8
    let weight: UInt8
    let type: UInt16
    let isCaseSensitive: Bool
  }

  private var text: [UInt8] = []
  private var literals: [Glob] = []
  /// Such as `*.png`, without the `*`; sorted by ``order(_:_:)``, as ``literals`` are.
  private var suffixes: [Glob] = []
  private var patterns: [Glob] = []
  private var longestSuffix = 0

  /// Each name is compared with all of these; Debian 12 has seven.
  private static let maximumPatterns = 128
  /// Of patterns that are equal without case; a name that matches one is compared with all, and Debian 12 has seven.
  private static let maximumRepetitions = 32
  /// NAME_MAX.
  private static let maximumName = 255

  private struct Rank: Comparable {
    let weight: UInt8
    let count: Int
    let isCaseSensitive: Bool

    static func < (left: Rank, right: Rank) -> Bool {
      (left.weight, left.count, left.isCaseSensitive ? 1 : 0)
        < (right.weight, right.count, right.isCaseSensitive ? 1 : 0)
    }
  }
}

// MARK: - Making a table

extension GlobTable {
  mutating func add(_ pattern: ArraySlice<UInt8>, weight: UInt8, type: UInt16, isCaseSensitive: Bool) {
    guard !pattern.isEmpty, pattern.count <= Self.maximumName else { return }
    let special = Array("*?[\\".utf8)
    let isSuffix = pattern.first == UInt8(ascii: "*")
    let isPlain = !pattern.dropFirst(isSuffix ? 1 : 0).contains(where: special.contains)
    guard isPlain || patterns.count < Self.maximumPatterns else { return }
    let stored = isSuffix && isPlain ? pattern.dropFirst() : pattern
    let glob = Glob(
      start: UInt32(text.count),
      count: UInt8(stored.count),
      weight: weight,
      type: type,
      isCaseSensitive: isCaseSensitive
    )
    text += stored
    switch (isPlain, isSuffix) {
    case (true, false): literals.append(glob)
    case (true, true):
      suffixes.append(glob)
      longestSuffix = max(longestSuffix, stored.count)
    case (false, _): patterns.append(glob)
    }
  }

  /// Call this after adding the last pattern.
  mutating func sort() {
    literals = sorted(withoutRepetitions(literals))
    suffixes = sorted(withoutRepetitions(suffixes))
    patterns = withoutRepetitions(patterns)
  }

  /// Patterns that are equal without regard to case keep the order in which they were added.
  private func sorted(_ globs: [Glob]) -> [Glob] {
    var sorted: [Glob] = []
    var repetitions = 0
    for glob in globs.sorted(by: isBefore) {
      let isEqual = sorted.last.map { order(bytes(of: $0), bytes(of: glob)) == 0 } ?? false
      repetitions = isEqual ? repetitions + 1 : 1
      if repetitions <= Self.maximumRepetitions { sorted.append(glob) }
    }
    return sorted
  }

  private func isBefore(_ left: Glob, _ right: Glob) -> Bool {
    let order = order(bytes(of: left), bytes(of: right))
    return order < 0 || order == 0 && left.start < right.start
  }

  /// The file repeats each case-sensitive pattern without the flag `cs`, for readers that do not know this flag.
  private func withoutRepetitions(_ globs: [Glob]) -> [Glob] {
    struct Pattern: Hashable {
      let type: UInt16
      let text: ArraySlice<UInt8>
    }
    func pattern(_ glob: Glob) -> Pattern { Pattern(type: glob.type, text: bytes(of: glob)) }
    let sensitive = Set(globs.lazy.filter(\.isCaseSensitive).map(pattern))
    return globs.filter { $0.isCaseSensitive || !sensitive.contains(pattern($0)) }
  }

  private func bytes(of glob: Glob) -> ArraySlice<UInt8> {
    text[Int(glob.start)..<Int(glob.start) + Int(glob.count)]
  }

  /// Ignores the case of ASCII; the result is negative, zero or positive.
  private func order(_ left: ArraySlice<UInt8>, _ right: ArraySlice<UInt8>) -> Int {
    for (left, right) in zip(left, right) where lowercased(left) != lowercased(right) {
      return Int(lowercased(left)) - Int(lowercased(right))
    }
    return left.count - right.count
  }
}

// MARK: - Lookup

extension GlobTable {
  /// A literal comes first, then the greatest weight, then the longest pattern, then a case-sensitive one.
  ///
  /// A name in a URL can be longer than any file name, and comparing it with ``patterns`` would take too long.
  func type(ofFileNamed name: [UInt8]) -> UInt16? {
    var best = Best()
    match(name[...], in: literals, extra: 0, into: &best)
    if let type = best.type { return type }
    for start in max(0, name.count - longestSuffix)...name.count {
      match(name[start...], in: suffixes, extra: 1, into: &best)
    }
    guard name.count <= Self.maximumName else { return best.type }
    let lowercase = name.map(lowercased)
    for glob in patterns where Self.matches(bytes(of: glob), glob.isCaseSensitive ? name : lowercase) {
      best.add(
        glob.type,
        Rank(weight: glob.weight, count: Int(glob.count), isCaseSensitive: glob.isCaseSensitive)
      )
    }
    return best.type
  }

  private struct Best {
    var type: UInt16?
    var rank = Rank(weight: 0, count: 0, isCaseSensitive: false)

    mutating func add(_ type: UInt16, _ other: Rank) {
      if self.type == nil || rank < other { (self.type, rank) = (type, other) }
    }
  }

  private func match(_ name: ArraySlice<UInt8>, in globs: [Glob], extra: Int, into best: inout Best) {
    var (low, high) = (0, globs.count)
    while low < high {
      let middle = (low + high) / 2
      if order(bytes(of: globs[middle]), name) < 0 { low = middle + 1 } else { high = middle }
    }
    while low < globs.count, order(bytes(of: globs[low]), name) == 0 {
      let glob = globs[low]
      low += 1
      guard !glob.isCaseSensitive || bytes(of: glob) == name else { continue }
      let rank = Rank(weight: glob.weight, count: name.count + extra, isCaseSensitive: glob.isCaseSensitive)
      best.add(glob.type, rank)
    }
  }
}
