/// A file of groups and keys, read by the simplest code that follows the Desktop Entry Specification.
///
/// The code follows the sections "Basic format of the file" and "Possible value types". Three details are as in GLib:
/// - Groups of the same name are one group.
/// - The last of several equal keys counts.
/// - An unknown escape stays unchanged.
struct PlainKeyFile {
  struct Line {
    let group: String
    let key: String
    let value: [UInt8]
    /// The number of the line, from 1.
    let number: Int
  }

  private(set) var lines: [Line] = []
  /// The names of the groups, in the order of their first headers.
  private(set) var groups: [String] = []

  init(_ bytes: [UInt8]) {
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    let text = bytes.starts(with: mark) ? Array(bytes.dropFirst(mark.count)) : bytes
    var group: String?
    for (index, line) in FuzzDesktopFiles.lines(of: text).enumerated() {
      let content = trimmed(line)
      if content.isEmpty || content[0] == UInt8(ascii: "#") { continue }
      if content[0] == UInt8(ascii: "[") {
        group = Self.group(ofHeader: content)
        if let group, !groups.contains(group) { groups.append(group) }
      } else if let group, let equals = content.firstIndex(of: UInt8(ascii: "=")),
        let key = Self.key(trimmed(content[..<equals]))
      {
        let value = trimmed(content[(equals + 1)...])
        lines.append(Line(group: group, key: key, value: value, number: index + 1))
      }
    }
  }

  /// The name in `[NAME]`: printable ASCII without brackets.
  private static func group(ofHeader line: [UInt8]) -> String? {
    let name = line.dropFirst().dropLast()
    guard line.last == UInt8(ascii: "]"), !name.isEmpty, name.allSatisfy({ 0x20 <= $0 && isInName($0) })
    else {
      return nil
    }
    return String(decoding: name, as: UTF8.self)
  }

  /// Returns the text if it is `KEY` or `KEY[LOCALE]` in printable ASCII without spaces, and otherwise nil.
  private static func key(_ bytes: [UInt8]) -> String? {
    var name = bytes[...]
    if bytes.last == UInt8(ascii: "]"), let open = bytes.firstIndex(of: UInt8(ascii: "[")) {
      let locale = bytes[(open + 1)...].dropLast()
      guard !locale.isEmpty, locale.allSatisfy({ 0x20 < $0 && $0 != UInt8(ascii: "=") && isInName($0) })
      else {
        return nil
      }
      name = bytes[..<open]
    }
    guard !name.isEmpty, name.allSatisfy({ 0x20 < $0 && isInName($0) }) else { return nil }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func isInName(_ byte: UInt8) -> Bool {
    byte < 0x7F && byte != UInt8(ascii: "[") && byte != UInt8(ascii: "]")
  }
}

// MARK: - Values

extension PlainKeyFile {
  /// The value of a key as it is written; nil if the key is missing.
  func value(_ key: String, in group: String) -> [UInt8]? {
    lines.last { $0.group == group && $0.key == key }?.value
  }

  /// The value of a key of the type `string`; nil if the key is missing, or if its value is not UTF-8 or has a NUL.
  func string(_ key: String, in group: String) -> String? {
    value(key, in: group).flatMap { text($0, escapes: "s\u{20}n\nt\tr\r\\\\") }
  }

  /// The value of a key of the type `strings`.
  func strings(_ key: String, in group: String) -> [String]? { value(key, in: group).map(parts) }

  /// The value of a key of the type `boolean`; nil if the key is missing or its value is no `boolean`.
  func boolean(_ key: String, in group: String) -> Bool? {
    let values = ["true": true, "1": true, "false": false, "0": false]
    return value(key, in: group).flatMap { values[String(decoding: $0, as: UTF8.self)] }
  }
}

/// Splits a list at each `;` that is not escaped.
///
/// The result leaves out empty parts, and parts that are not UTF-8 or contain a NUL.
func parts(of list: [UInt8]) -> [String] {
  var parts: [[UInt8]] = [[]]
  var rest = list[...]
  while let byte = rest.popFirst() {
    if byte == UInt8(ascii: ";") { parts.append([]) } else { parts[parts.count - 1].append(byte) }
    if byte == UInt8(ascii: "\\"), let next = rest.popFirst() { parts[parts.count - 1].append(next) }
  }
  return parts.map { trimmed($0) }.filter { !$0.isEmpty }.compactMap {
    text($0, escapes: "s\u{20}n\nt\tr\r\\\\;;")
  }
}

/// Replaces escapes such as `\n` with the characters that they stand for; nil if the result is not UTF-8 or has a NUL.
///
/// `escapes` is a list of pairs: the letter after the backslash, and the character that the escape stands for.
private func text(_ raw: [UInt8], escapes: String) -> String? {
  let pairs = Array(escapes.utf8)
  var bytes: [UInt8] = []
  var rest = raw[...]
  while let byte = rest.popFirst() {
    let letter = stride(from: 0, to: pairs.count, by: 2).first { pairs[$0] == rest.first }
    if byte == UInt8(ascii: "\\"), let letter {
      bytes.append(pairs[letter + 1])
      rest.removeFirst()
    } else {
      bytes.append(byte)
    }
  }
  return bytes.contains(0) ? nil : String(validating: bytes, as: UTF8.self)
}

private func trimmed(_ bytes: some Sequence<UInt8>) -> [UInt8] {
  let isSpace: (UInt8) -> Bool = { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }
  return Array(Array(Array(bytes).drop(while: isSpace)).reversed().drop(while: isSpace).reversed())
}
