/// The format of desktop entries, `mimeapps.list` and `intentapps.list`, read as GLib does.
///
/// Lines are ranges of the bytes, so that a change of one line leaves every other byte as it was. A value that is never
/// read costs only the search for the line end.
struct KeyFile {
  struct Entry {
    let group: Int
    let line: Int
    /// With its line end.
    let range: Range<Int>
    /// With the locale in brackets, if there is one.
    let key: Range<Int>
    let value: Range<Int>
  }

  struct Group {
    let name: String
    /// Where a new key is inserted: directly after the last key or header of the group.
    var end: Int
    /// Of the group's first header; groups of the same name are one group.
    let line: Int
  }

  /// 1 MiB, ten times the largest desktop entry of Debian 12; a file of this size is read in a few milliseconds.
  static let maximumSize = 1 << 20

  let bytes: [UInt8]
  private(set) var groups: [Group] = []
  private var groupIndices: [String: Int] = [:]
  /// Those without a locale, in the order of the file.
  private(set) var entries: [Entry] = []
  /// Most lines of a usual desktop entry.
  private(set) var localizedEntries: [Entry] = []
  private(set) var complaints: [Complaint] = []

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
  func group(_ name: String) -> Int? { groupIndices[name] }

  /// The last line gives the value; the caller may complain about the lines before it.
  func entries(_ key: String, in group: Int) -> [Entry] {
    var found: [Entry] = []
    for entry in entries where entry.group == group && isKey(entry, key) { found.append(entry) }
    return found
  }

  /// `key` is `KEY[LOCALE]`.
  func localizedEntry(_ key: String, in group: Int) -> Entry? {
    localizedEntries.last { $0.group == group && isKey($0, key) }
  }

  private func isKey(_ entry: Entry, _ key: String) -> Bool {
    entry.key.count == key.utf8.count && hasPrefix(key, at: entry.key)
  }

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

  /// `content` leaves out the space at both ends of the line.
  private static func line(in bytes: Span<UInt8>, from start: Int) -> (content: Range<Int>, end: Int) {
    var end = start
    while end < bytes.count, bytes[end] != UInt8(ascii: "\n") { end += 1 }
    return (trim(start..<end, of: bytes), min(end + 1, bytes.count))
  }

  static func trim(_ range: Range<Int>, of bytes: Span<UInt8>) -> Range<Int> {
    var (start, end) = (range.lowerBound, range.upperBound)
    while start < end, bytes[start].isSpace { start += 1 }
    while start < end, bytes[end - 1].isSpace { end -= 1 }
    return start..<end
  }

  /// Where `[LOCALE]` begins, or the key ends; nil if the text is not a key.
  ///
  /// MIME types are keys in `mimeapps.list`, so `/` is allowed.
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

  static func isKey(_ text: String) -> Bool {
    locale(in: 0..<text.utf8.count, of: text.utf8.span) == text.utf8.count
  }
}

extension UInt8 {
  fileprivate var isSpace: Bool {
    self == UInt8(ascii: " ") || self == UInt8(ascii: "\t") || self == UInt8(ascii: "\r")
  }
}
