@testable import DesktopEntries

/// Looks up the types of file names in a MIME database, and compares the results with those of a plain search.
///
/// The input has four parts, with a line `--` between them: the contents of `globs2`, `aliases` and `subclasses`, and
/// names of files.
func checkTypes(_ input: [UInt8]) {
  var sections: [[[UInt8]]] = [[]]
  for line in lines(of: input) {
    if line.elementsEqual("--".utf8) {
      sections.append([])
    } else {
      sections[sections.count - 1].append(line)
    }
  }
  while sections.count < 4 { sections.append([]) }
  let files = sections.map { Array($0.joined(separator: [UInt8(ascii: "\n")])) }
  let directory = MIMEDatabase.Directory(globs2: files[0], aliases: files[1], subclasses: files[2])
  let database = MIMEDatabase([directory])
  let globs = plainGlobs(sections[0])
  for name in sections[3] {
    let expected = types(ofFileNamed: name, globs).map { database.unaliased($0) }
    let type = database.type(ofFileNamed: name)
    precondition(
      type.map(expected.contains) ?? expected.isEmpty,
      "another type: \(type ?? "none"), and not one of \(expected)"
    )
  }
  for type in sections[1...2].joined().compactMap({
    String(validating: $0.prefix { $0 != 0x20 }, as: UTF8.self)
  }) {
    checkAnswers(of: database, about: type)
  }
}

private func checkAnswers(of database: MIMEDatabase, about type: String) {
  let names = database.names(of: type)
  precondition(names[0] == database.unaliased(type) && Set(names).count == names.count)
  precondition(names.dropFirst().allSatisfy { database.unaliased($0) == names[0] }, "other names: \(names)")
  let lineage = database.lineage(of: type)
  precondition(lineage[0] == names[0] && Set(lineage).count == lineage.count)
  precondition(lineage.count <= 259, "more types than are looked up")
  precondition(database.isSubclass(type, of: type))
}

// MARK: - A plain search

private struct PlainGlob {
  let weight: UInt8
  let type: String
  let pattern: [UInt8]
  let isCaseSensitive: Bool

  var isLiteral: Bool { !pattern.contains { "*?[\\".utf8.contains($0) } }

  /// Whether the pattern begins with `*` and has no other special character.
  var isSuffix: Bool {
    pattern.first == UInt8(ascii: "*") && !pattern.dropFirst().contains { "*?[\\".utf8.contains($0) }
  }

  /// Whether the pattern matches a name.
  ///
  /// A pattern that ignores case is compared in lower case. The function lowers only literal patterns and suffixes,
  /// because `update-mime-database` has already lowered the other patterns.
  func matches(_ name: [UInt8]) -> Bool {
    // A name in a URL can be longer than any file name. The database compares so long a name only with literal patterns
    // and suffixes.
    if !isLiteral, !isSuffix, name.count > 255 { return false }
    if isCaseSensitive { return PlainPattern(pattern).matches(name) }
    return PlainPattern(isLiteral || isSuffix ? lowercased(pattern) : pattern).matches(lowercased(name))
  }
}

private func plainGlobs(_ lines: [[UInt8]]) -> [PlainGlob] {
  var globs: [PlainGlob] = []
  for line in lines where line.first != UInt8(ascii: "#") {
    let fields = line.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false).map(Array.init)
    guard fields.count >= 3, String(validating: fields[1], as: UTF8.self)?.isEmpty == false,
      let weight = UInt8(String(decoding: fields[0], as: UTF8.self)), 1...255 ~= fields[2].count,
      !fields[2].elementsEqual("__NOGLOBS__".utf8)
    else { continue }
    let flags = fields.count > 3 ? fields[3].split(separator: UInt8(ascii: ",")) : []
    let glob = PlainGlob(
      weight: weight,
      type: String(decoding: lowercased(fields[1]), as: UTF8.self),
      pattern: fields[2],
      isCaseSensitive: flags.contains { $0.elementsEqual("cs".utf8) }
    )
    globs.append(glob)
  }
  // The database keeps only the first 128 patterns that have a special character other than a leading `*`.
  let special = globs.indices.filter { !globs[$0].isLiteral && !globs[$0].isSuffix }
  let left = Set(special.dropFirst(128))
  let counting = globs.indices.filter { !left.contains($0) }.map { globs[$0] }
  // A case-sensitive pattern has two lines in `globs2`. One line has the flag `cs`. The other line lacks the flag,
  // because some readers do not know the flag. The line without the flag is left out.
  let kept = counting.filter { glob in
    glob.isCaseSensitive
      || !counting.contains { $0.isCaseSensitive && $0.type == glob.type && $0.pattern == glob.pattern }
  }
  // If more than 32 literal patterns or suffixes are equal apart from case, the database keeps only the first 32.
  var repetitions: [[UInt8]: Int] = [:]
  return kept.filter { glob in
    guard glob.isLiteral || glob.isSuffix else { return true }
    repetitions[lowercased(glob.pattern), default: 0] += 1
    return repetitions[lowercased(glob.pattern), default: 0] <= 32
  }
}

/// Returns the types of the best patterns that match a file name.
///
/// Literal patterns are better than all others. Next, the greater weight wins, then the longer pattern, then a pattern
/// that is case-sensitive.
private func types(ofFileNamed name: [UInt8], _ globs: [PlainGlob]) -> [String] {
  let matching = globs.filter { $0.matches(name) }
  let literal = matching.filter(\.isLiteral)
  let candidates = literal.isEmpty ? matching : literal
  func rank(_ glob: PlainGlob) -> [Int] {
    [Int(glob.weight), glob.pattern.count, glob.isCaseSensitive ? 1 : 0]
  }
  guard let best = candidates.map(rank).max(by: { $0.lexicographicallyPrecedes($1) }) else { return [] }
  return candidates.filter { rank($0) == best }.map(\.type)
}

private func lowercased(_ bytes: [UInt8]) -> [UInt8] {
  bytes.map { (0x41...0x5A).contains($0) ? $0 + 0x20 : $0 }
}

/// A pattern of fnmatch(3).
private struct PlainPattern {
  private enum Part {
    case star
    case byte((UInt8) -> Bool)
  }

  private var parts: [Part] = []

  init(_ pattern: [UInt8]) {
    var rest = pattern[...]
    while let first = rest.popFirst() {
      switch Unicode.Scalar(first) {
      case "*": parts.append(.star)
      case "?": parts.append(.byte { _ in true })
      case "\\":
        let byte = rest.popFirst() ?? first
        parts.append(.byte { $0 == byte })
      case "[":
        if let set = Self.takeSet(&rest) {
          parts.append(.byte(set))
        } else {
          parts.append(.byte { $0 == first })
        }
      default: parts.append(.byte { $0 == first })
      }
    }
  }

  /// Parses the rest of a set such as `[a-z]`, after its `[`.
  ///
  /// If the closing `]` is missing, the function returns nil and leaves `rest` unchanged.
  private static func takeSet(_ rest: inout ArraySlice<UInt8>) -> ((UInt8) -> Bool)? {
    var inside = rest
    let isInverted = inside.first.map { "!^".utf8.contains($0) } ?? false
    if isInverted { inside.removeFirst() }
    var ranges: [(UInt8, UInt8)] = []
    while let first = inside.popFirst() {
      if first == UInt8(ascii: "]"), !ranges.isEmpty {
        rest = inside
        return { [ranges] byte in ranges.contains { $0.0 <= byte && byte <= $0.1 } != isInverted }
      }
      if inside.first == UInt8(ascii: "-"), let last = inside.dropFirst().first, last != UInt8(ascii: "]") {
        ranges.append((first, last))
        inside = inside.dropFirst(2)
      } else {
        ranges.append((first, first))
      }
    }
    return nil
  }

  /// Whether the pattern matches the whole name.
  ///
  /// The loop takes one part of the pattern after the other. `ends` has all positions in the name at which a match of
  /// the parts so far can end.
  func matches(_ name: [UInt8]) -> Bool {
    var ends: Set<Int> = [0]
    for part in parts {
      switch part {
      case .star: ends = ends.min().map { Set($0...name.count) } ?? []
      case .byte(let isMember):
        ends = Set(ends.filter { $0 < name.count && isMember(name[$0]) }.map { $0 + 1 })
      }
    }
    return ends.contains(name.count)
  }
}
