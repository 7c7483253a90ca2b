struct GroupReader {
  let file: KeyFile
  let group: Int
  var complaints: [Complaint] = []

  init(_ file: KeyFile, group: Int) {
    self.file = file
    self.group = group
  }

  var name: String { file.groups[group].name }

  /// The group's header, for complaints about missing keys.
  var line: Int { file.groups[group].line }

  mutating func warn(_ key: String, _ text: @autoclosure () -> String) {
    let reader = self
    complaints.warn(reader.line(of: key) ?? reader.line, text())
  }

  func line(of key: String) -> Int? { file.entries(key, in: group).last?.line }

  /// Nil if the value is missing or not UTF-8.
  mutating func string(_ key: String) -> String? {
    guard let entry = entry(key) else { return nil }
    return string(entry.value, of: key, line: entry.line, escapes: Escapes.string)
  }

  /// In the best language of `locale` that there is, or else without a language.
  mutating func string(_ key: String, in locale: LocaleName) -> String? {
    for suffix in locale.suffixes {
      guard let entry = file.localizedEntry("\(key)[\(suffix)]", in: group) else { continue }
      if let text = string(entry.value, of: key, line: entry.line, escapes: Escapes.string) { return text }
    }
    return string(key)
  }

  /// A name that is not UTF-8 is read as Latin 1, because an application must not be lost for its name.
  mutating func name(in locale: LocaleName) -> String? {
    if let name = string("Name", in: locale) { return name }
    guard let entry = file.entries("Name", in: group).last, !file.bytes[entry.value].contains(0) else {
      return nil
    }
    // The last complaint says that the name is ignored.
    complaints.removeLast()
    complaints.warn(
      entry.line,
      "'Name' is not UTF-8 text and is read as Latin 1; save the file as UTF-8."
    )
    return String(String.UnicodeScalarView(file.bytes[entry.value].map { UnicodeScalar($0) }))
  }

  /// Old files have `1` for `true` and `0` for `false`.
  mutating func boolean(_ key: String) -> Bool? {
    guard let entry = entry(key) else { return nil }
    switch String(decoding: file.bytes[entry.value], as: UTF8.self) {
    case "true", "1": return true
    case "false", "0": return false
    default:
      complaints.warn(
        entry.line,
        "'\(key)' is neither 'true' nor 'false' and is ignored; write one of the two."
      )
      return nil
    }
  }

  mutating func strings(_ key: String) -> [String]? {
    guard let entry = entry(key) else { return nil }
    return strings(entry, key: key)
  }

  mutating func strings(_ entry: KeyFile.Entry, key: String) -> [String] {
    file.items(of: entry.value).compactMap { item in
      string(item, of: key, line: entry.line, escapes: Escapes.list)
    }
  }

  private mutating func entry(_ key: String) -> KeyFile.Entry? {
    let entries = file.entries(key, in: group)
    guard let last = entries.last else { return nil }
    for entry in entries.dropLast() {
      complaints.warn(entry.line, "'\(key)' is ignored, because line \(last.line) repeats it; remove one.")
    }
    return last
  }

  private mutating func string(
    _ range: Range<Int>,
    of key: String,
    line: Int,
    escapes: [UInt8: UInt8]
  ) -> String? {
    let raw = file.bytes[range]
    var unescaped: [UInt8]?
    if raw.contains(Escapes.escape) {
      let result = Escapes.undo(raw, escapes)
      unescaped = result.bytes
      if let unknown = result.unknown {
        complaints.warn(line, "'\(key)' has the unknown escape '\(unknown)'; write '\\\\' for a backslash.")
      }
    }
    guard !raw.contains(0), let text = String(validating: unescaped ?? Array(raw), as: UTF8.self) else {
      complaints.warn(line, "'\(key)' is not UTF-8 text and is ignored; save the file as UTF-8.")
      return nil
    }
    return text
  }
}

/// Source: Desktop Entry Specification, "Possible value types".
private enum Escapes {
  static let escape = UInt8(ascii: "\\")

  static let string: [UInt8: UInt8] = [
    UInt8(ascii: "s"): UInt8(ascii: " "), UInt8(ascii: "n"): UInt8(ascii: "\n"),
    UInt8(ascii: "t"): UInt8(ascii: "\t"), UInt8(ascii: "r"): UInt8(ascii: "\r"), escape: escape,
  ]

  static let list = string.merging([UInt8(ascii: ";"): UInt8(ascii: ";")]) { first, _ in first }

  /// An unknown escape stays as it is, as in GLib, because many `Exec` lines have `\"` instead of `\\"`.
  static func undo(
    _ raw: ArraySlice<UInt8>,
    _ escapes: [UInt8: UInt8]
  ) -> (bytes: [UInt8], unknown: String?) {
    var bytes: [UInt8] = []
    var unknown: String?
    var index = raw.startIndex
    while index < raw.endIndex {
      let next = index + 1
      if raw[index] == escape, next < raw.endIndex, let byte = escapes[raw[next]] {
        bytes.append(byte)
        index += 2
        continue
      }
      if raw[index] == escape {
        unknown = unknown ?? String(decoding: raw[index..<min(next + 1, raw.endIndex)], as: UTF8.self)
      }
      bytes.append(raw[index])
      index += 1
    }
    return (bytes, unknown)
  }
}

extension KeyFile {
  /// Without empty parts and without the space around each part.
  func items(of value: Range<Int>) -> [Range<Int>] {
    var items: [Range<Int>] = []
    var start = value.lowerBound
    var index = start
    while start < value.upperBound {
      if index < value.upperBound, bytes[index] != UInt8(ascii: ";") {
        index += bytes[index] == Escapes.escape ? 2 : 1
        continue
      }
      let item = Self.trim(start..<min(index, value.upperBound), of: bytes.span)
      if !item.isEmpty { items.append(item) }
      start = index + 1
      index = start
    }
    return items
  }
}

extension GroupReader {
  func keys(withPrefix prefix: String) -> [(key: String, line: Int)] {
    var keys: [(key: String, line: Int)] = []
    for entry in file.entries where entry.group == group && file.hasPrefix(prefix, at: entry.key) {
      keys.append((String(decoding: file.bytes[entry.key], as: UTF8.self), entry.line))
    }
    return keys
  }
}
