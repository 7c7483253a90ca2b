extension KeyFile {
  /// Returns the bytes with a word placed first in a key's list; the other parts of the list follow.
  ///
  /// A missing key is added at the end of its group, a missing group at the end of the file. The result is nil if the
  /// key or the word would not be read as it was written.
  func placingFirst(_ item: String, inList key: String, of groupName: String) -> [UInt8]? {
    guard Self.isKey(key), Self.isItem(item) else { return nil }
    let group = group(groupName)
    if let group, let entry = entries(key, in: group).last {
      if let first = items(of: entry.value).first, isItem(first, item) { return bytes }
      let rest = removing(item, from: entry) ?? []
      let value = Array(item.utf8) + (rest.isEmpty ? [] : Array(";".utf8) + rest)
      return replacing(entry.value, with: value)
    }
    let line = Array("\(key)=\(item)\n".utf8)
    guard let group else {
      let gap = bytes.isEmpty || bytes.suffix(2) == Array("\n\n".utf8)[...] ? "" : "\n"
      let end = bytes.isEmpty || bytes.last == UInt8(ascii: "\n") ? gap : "\n" + gap
      return bytes + Array("\(end)[\(groupName)]\n".utf8) + line
    }
    let position = groups[group].end
    let isEnded = bytes[position - 1] == UInt8(ascii: "\n")
    return replacing(position..<position, with: (isEnded ? [] : Array("\n".utf8)) + line)
  }

  /// Returns the bytes without a word in a key's list; a line is removed with the last part of its list.
  ///
  /// Earlier lines with the same key are changed too, because they would count after the removal of the last line.
  func removing(_ item: String, fromList key: String, of groupName: String) -> [UInt8] {
    guard let group = group(groupName) else { return bytes }
    var result = bytes
    for entry in entries(key, in: group).reversed() {
      guard let rest = removing(item, from: entry) else {
        result.removeSubrange(entry.range)
        continue
      }
      result.replaceSubrange(entry.value, with: rest)
    }
    return result
  }

  /// Returns the value of a line without a part of its list and one separator; nil if the list has no other part.
  ///
  /// So removing a part that was placed first restores the earlier value.
  private func removing(_ item: String, from entry: Entry) -> [UInt8]? {
    let items = items(of: entry.value)
    let isKept = items.map { !isItem($0, item) }
    guard let lastKept = isKept.lastIndex(of: true) else { return nil }
    var rest: [UInt8] = []
    var position = entry.value.lowerBound
    for index in items.indices where !isKept[index] {
      let isBeforeOthers = index < lastKept
      rest += bytes[position..<(isBeforeOthers ? items[index].lowerBound : items[index - 1].upperBound)]
      position = isBeforeOthers ? items[index + 1].lowerBound : items[index].upperBound
    }
    return rest + bytes[position..<entry.value.upperBound]
  }

  private func replacing(_ range: Range<Int>, with replacement: [UInt8]) -> [UInt8] {
    var result = bytes
    result.replaceSubrange(range, with: replacement)
    return result
  }

  private func isItem(_ range: Range<Int>, _ item: String) -> Bool {
    range.count == item.utf8.count && hasPrefix(item, at: range)
  }

  /// Whether a text can be written as one part of a list without escapes.
  private static func isItem(_ text: String) -> Bool {
    guard let first = text.utf8.first, let last = text.utf8.last, first != 0x20, last != 0x20 else {
      return false
    }
    return text.utf8.allSatisfy {
      $0 >= 0x20 && $0 != 0x7F && $0 != UInt8(ascii: ";") && $0 != UInt8(ascii: "\\")
    }
  }
}
