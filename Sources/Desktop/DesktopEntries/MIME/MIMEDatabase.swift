/// Source: Shared MIME-info Database 0.21; types are compared without case (RFC 2045).
package struct MIMEDatabase: Equatable, Sendable {
  /// Lines are `WEIGHT:TYPE:PATTERN[:FLAGS]`, `ALIAS TYPE` and `TYPE SUPERTYPE`; a missing file is empty.
  package struct Directory {
    package var globs2: [UInt8]
    package var aliases: [UInt8]
    package var subclasses: [UInt8]

    package init(globs2: [UInt8] = [], aliases: [UInt8] = [], subclasses: [UInt8] = []) {
      self.globs2 = globs2
      self.aliases = aliases
      self.subclasses = subclasses
    }
  }

  private var names: [String] = []
  private var numbers: [String: UInt16] = [:]
  private var globs = GlobTable()
  private var aliases: [UInt16: UInt16] = [:]
  private var otherNames: [UInt16: [UInt16]] = [:]
  private var bases: [UInt16: [UInt16]] = [:]

  // The router serves nobody while it looks up the types of an event. These limits keep this short, whatever the
  // database contains. Debian 12 has at most 2 direct supertypes, 8 aliases, 8 supertypes in all and 5 steps to one.

  private static let maximumBases = 16
  private static let maximumAliases = 32
  private static let maximumAncestors = 256
  private static let maximumDepth = 32

  /// The most important directory comes first; unreadable lines and types beyond the first 65,535 are left out.
  ///
  /// No complaint is made, because the program `update-mime-database` writes these files.
  package init(_ directories: [Directory]) {
    // Types with `__NOGLOBS__`, to which later directories give no patterns.
    var deleted: Set<UInt16> = []
    for directory in directories {
      deleted.formUnion(readGlobs(directory.globs2, without: deleted))
      readPairs(of: directory.aliases) { database, alias, type in
        guard alias != type, database.aliases[alias] == nil else { return }
        database.aliases[alias] = type
      }
      readPairs(of: directory.subclasses) { database, type, base in
        guard database.bases[type]?.count ?? 0 < Self.maximumBases else { return }
        database.bases[type, default: []].append(newElementsOf: [base])
      }
    }
    globs.sort()
    for (alias, type) in aliases { otherNames[type, default: []].append(alias) }
    for (type, aliases) in otherNames {
      otherNames[type] = Array(aliases.sorted().prefix(Self.maximumAliases))
    }
  }

  package var isEmpty: Bool { names.isEmpty }

  private mutating func readPairs(
    of bytes: [UInt8],
    _ body: (inout MIMEDatabase, UInt16, UInt16) -> Void
  ) {
    Self.forEachLine(of: bytes) { line in
      let words = line.split(separator: UInt8(ascii: " "))
      guard words.count == 2, let first = number(words[0]), let second = number(words[1]) else { return }
      body(&self, first, second)
    }
  }

  /// Returns the types that have a line with `__NOGLOBS__`.
  private mutating func readGlobs(_ bytes: [UInt8], without deleted: Set<UInt16>) -> [UInt16] {
    var deletedHere: [UInt16] = []
    Self.forEachLine(of: bytes) { line in
      let fields = line.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
      guard fields.count >= 3, let type = number(fields[1]), !deleted.contains(type) else { return }
      if fields[2].elementsEqual("__NOGLOBS__".utf8) { return deletedHere.append(type) }
      guard let weight = UInt8(String(decoding: fields[0], as: UTF8.self)) else { return }
      let flags = fields.count > 3 ? fields[3].split(separator: UInt8(ascii: ",")) : []
      let isCaseSensitive = flags.contains { $0.elementsEqual("cs".utf8) }
      globs.add(fields[2], weight: weight, type: type, isCaseSensitive: isCaseSensitive)
    }
    return deletedHere
  }

  private static func forEachLine(of bytes: [UInt8], _ body: (ArraySlice<UInt8>) -> Void) {
    for line in bytes.split(separator: UInt8(ascii: "\n")) where line.first != UInt8(ascii: "#") {
      body(line)
    }
  }

  private mutating func number(_ type: ArraySlice<UInt8>) -> UInt16? {
    guard let name = String(validating: type.map(lowercased), as: UTF8.self) else { return nil }
    if let number = numbers[name] { return number }
    guard !name.isEmpty, let number = UInt16(exactly: names.count) else { return nil }
    names.append(name)
    numbers[name] = number
    return number
  }
}

// MARK: - Answers

extension MIMEDatabase {
  /// Of types that match equally well, the first in the most important `globs2` counts, as in GIO; the specification
  /// would look at the contents of the file.
  package func type(ofFileNamed name: [UInt8]) -> String? {
    guard let type = globs.type(ofFileNamed: name) else { return nil }
    return unaliased(names[Int(type)])
  }

  /// In lower case; for an alias, the name of its type.
  package func unaliased(_ type: String) -> String {
    // Only ASCII letters are changed to lower case, as when the database is read.
    let isLowercase = type.utf8.allSatisfy { lowercased($0) == $0 }
    let name = isLowercase ? type : String(decoding: type.utf8.map(lowercased), as: UTF8.self)
    return numbers[name].flatMap { aliases[$0] }.map { names[Int($0)] } ?? name
  }

  /// The name that ``unaliased(_:)`` returns, then all aliases of the type.
  package func names(of type: String) -> [String] {
    let name = unaliased(type)
    return [name] + (numbers[name].flatMap { otherNames[$0] } ?? []).map { names[Int($0)] }
  }

  /// The unaliased type, then all its supertypes, nearer types first.
  ///
  /// Two supertypes need no line in the database: `text/plain` and `application/octet-stream`.
  package func lineage(of type: String) -> [String] {
    let first = unaliased(type)
    var lineage = [first] + (numbers[first].map(ancestors) ?? []).map { names[Int($0)] }
    if first.hasPrefix("text/") { lineage.append(newElementsOf: ["text/plain"]) }
    if !first.hasPrefix("inode/"), !first.hasPrefix("x-scheme-handler/") {
      lineage.append(newElementsOf: ["application/octet-stream"])
    }
    return lineage
  }

  private func ancestors(of type: UInt16) -> [UInt16] {
    var found: [UInt16] = []
    var seen: Set<UInt16> = [type]
    var nearest = [type]
    for _ in 0..<Self.maximumDepth where !nearest.isEmpty {
      var next: [UInt16] = []
      for base in nearest.flatMap({ bases[$0] ?? [] }) {
        let base = aliases[base] ?? base
        guard seen.count <= Self.maximumAncestors, seen.insert(base).inserted else { continue }
        next.append(base)
      }
      found += next
      nearest = next
    }
    return found
  }

  /// Whether the types are equal, or one is a subclass of the other.
  package func isSubclass(_ type: String, of base: String) -> Bool {
    lineage(of: type).contains(unaliased(base))
  }
}
