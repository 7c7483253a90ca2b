/// Groups of `key=value` lines: the format of desktop entries, `mimeapps.list` and `intentapps.list`.
///
/// The bytes are kept as they are, and lines are ranges of them. So a change of one line leaves every other byte as
/// it was. A value that is never read costs only the search for the line end.
///
/// As in GLib, groups of the same name are one group, and the last of several equal keys counts. Lines may end in CR
/// LF. Space is ignored at the start of a line, around `=` and at the end.
struct KeyFile {
  /// A `key=value` line.
  struct Entry {
    /// The index of the line's group in ``KeyFile/groups``.
    let group: Int
    /// The number of the line, from 1.
    let line: Int
    /// The whole line with its line end.
    let range: Range<Int>
    /// The key; a key with a locale includes the locale in brackets.
    let key: Range<Int>
    let value: Range<Int>
  }

  struct Group {
    let name: String
    /// The index of the byte before which a new key is inserted.
    ///
    /// The index is directly after the line with the last key or header of the group.
    var end: Int
    /// The number of the line with the group's first header.
    let line: Int
  }

  /// The largest file, 1 MiB: ten times the largest desktop entry of Debian 12.
  ///
  /// A file of this size is read in a few milliseconds.
  static let maximumSize = 1 << 20

  let bytes: [UInt8]
  private(set) var groups: [Group] = []
  private var groupIndices: [String: Int] = [:]
  /// The entries without a locale, in the order of the file.
  private(set) var entries: [Entry] = []
  /// The entries with a locale, which are most lines of a usual desktop entry.
  private(set) var localizedEntries: [Entry] = []
  /// The complaints about lines that could not be read, and about repeated groups.
  private(set) var complaints: [Complaint] = []

  /// Finds the groups and lines in the bytes of a file; nil if there are more than ``maximumSize`` bytes.
  init?(_ bytes: [UInt8]) {
    guard bytes.count <= Self.maximumSize else { return nil }
    self.bytes = bytes
    var group: Int?
    var isBelowBrokenHeader = false
    var line = 0
    var start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    while start < bytes.count {
      let (content, end) = Self.line(in: bytes.span, from: start)
      let range = start..<end
      start = end
      line += 1
      guard let first = content.first, bytes[first] != UInt8(ascii: "#") else { continue }
      if bytes[first] == UInt8(ascii: "[") {
        group = readHeader(content, line: line, end: end)
        isBelowBrokenHeader = group == nil
      } else if let group {
        readEntry(content, of: range, line: line, in: group)
      } else if !isBelowBrokenHeader {
        complaints.warn(line, "The line stands before the first group; move it below a line like '[GROUP]'.")
      }
    }
  }

  private mutating func readHeader(_ content: Range<Int>, line: Int, end: Int) -> Int? {
    let name = content.dropFirst().dropLast()
    let isName = bytes[name].allSatisfy { 0x20..<0x7F ~= $0 && $0 != Self.open && $0 != Self.close }
    guard bytes[content.upperBound - 1] == Self.close, !name.isEmpty, isName else {
      complaints.warn(
        line,
        "The group header is not '[NAME]' with an ASCII name; it and the lines below it are ignored. Correct it."
      )
      return nil
    }
    let text = String(decoding: bytes[name], as: UTF8.self)
    if let index = groupIndices[text] {
      complaints.warn(
        line,
        "Group '\(text)' already begins in line \(groups[index].line); join the two groups."
      )
      groups[index].end = end
      return index
    }
    groupIndices[text] = groups.count
    groups.append(Group(name: text, end: end, line: line))
    return groups.count - 1
  }

  private mutating func readEntry(
    _ content: Range<Int>,
    of range: Range<Int>,
    line: Int,
    in group: Int
  ) {
    guard let equals = content.first(where: { bytes[$0] == UInt8(ascii: "=") }) else {
      return complaints.warn(
        line,
        "The line is neither 'KEY=VALUE' nor '[GROUP]'; correct it, or put '#' before it."
      )
    }
    let key = Self.trim(content.lowerBound..<equals, of: bytes.span)
    guard let locale = Self.locale(in: key, of: bytes.span) else {
      return complaints.warn(line, "There is no key before '='; correct it, or put '#' before the line.")
    }
    let value = Self.trim(equals + 1..<content.upperBound, of: bytes.span)
    let entry = Entry(group: group, line: line, range: range, key: key, value: value)
    groups[group].end = range.upperBound
    if locale == key.upperBound { entries.append(entry) } else { localizedEntries.append(entry) }
  }
}

// MARK: - Lookup

extension KeyFile {
  /// Returns the index of a group.
  func group(_ name: String) -> Int? { groupIndices[name] }

  /// Returns all lines with a key in a group, in the order of the file.
  ///
  /// The last line gives the value; the caller may complain about the lines before it.
  func entries(_ key: String, in group: Int) -> [Entry] {
    var found: [Entry] = []
    for entry in entries where entry.group == group && isKey(entry, key) { found.append(entry) }
    return found
  }

  /// Returns the last line with the key `KEY[LOCALE]` in a group.
  func localizedEntry(_ key: String, in group: Int) -> Entry? {
    localizedEntries.last { $0.group == group && isKey($0, key) }
  }

  private func isKey(_ entry: Entry, _ key: String) -> Bool {
    entry.key.count == key.utf8.count && hasPrefix(key, at: entry.key)
  }

  /// Whether a range begins with a text.
  func hasPrefix(_ text: String, at range: Range<Int>) -> Bool {
    let (text, bytes) = (text.utf8.span, bytes.span)
    guard text.count <= range.count else { return false }
    for index in text.indices where text[index] != bytes[range.lowerBound + index] { return false }
    return true
  }
}

// MARK: - Bytes

extension KeyFile {
  private static let open = UInt8(ascii: "[")
  private static let close = UInt8(ascii: "]")

  /// Returns the range of the line at `start`, and the index at which the next line starts.
  ///
  /// The range leaves out the space at both ends of the line.
  private static func line(in bytes: Span<UInt8>, from start: Int) -> (content: Range<Int>, end: Int) {
    var end = start
    while end < bytes.count, bytes[end] != UInt8(ascii: "\n") { end += 1 }
    return (trim(start..<end, of: bytes), min(end + 1, bytes.count))
  }

  /// Returns the range without spaces, tabs and carriage returns at both ends.
  static func trim(_ range: Range<Int>, of bytes: Span<UInt8>) -> Range<Int> {
    var (start, end) = (range.lowerBound, range.upperBound)
    while start < end, bytes[start].isSpace { start += 1 }
    while start < end, bytes[end - 1].isSpace { end -= 1 }
    return start..<end
  }

  /// Returns the index at which `[LOCALE]` begins; for a key without a locale, the index at which the key ends.
  ///
  /// Returns nil if the text is not a key. Characters such as `/` are allowed in a key, because the keys in
  /// `mimeapps.list` are MIME types.
  private static func locale(in key: Range<Int>, of bytes: Span<UInt8>) -> Int? {
    var start = key.lowerBound
    while start < key.upperBound, isNameByte(bytes[start]) { start += 1 }
    guard start > key.lowerBound, bytes[key.lowerBound] != UInt8(ascii: "#") else { return nil }
    if start == key.upperBound { return start }
    let last = key.upperBound - 1
    guard bytes[start] == open, bytes[last] == close, start + 1 < last else { return nil }
    for index in start + 1..<last where !isNameByte(bytes[index]) { return nil }
    return start
  }

  private static func isNameByte(_ byte: UInt8) -> Bool {
    0x21..<0x7F ~= byte && byte != open && byte != close && byte != UInt8(ascii: "=")
  }

  /// Whether a text can be written as a key.
  static func isKey(_ text: String) -> Bool {
    locale(in: 0..<text.utf8.count, of: text.utf8.span) == text.utf8.count
  }
}

extension UInt8 {
  fileprivate var isSpace: Bool {
    self == UInt8(ascii: " ") || self == UInt8(ascii: "\t") || self == UInt8(ascii: "\r")
  }
}
