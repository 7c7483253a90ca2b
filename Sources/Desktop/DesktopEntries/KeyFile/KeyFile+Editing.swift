/// ``removing(_:fromList:of:)`` undoes ``placingFirst(_:inList:of:)`` byte for byte, even if other lines have changed.
///
/// The file itself shows what was added: the first occurrence of a word in a list, and a group after ``groupMark``.
extension KeyFile {
  private static let groupMark = "# Added by scenectl:"

  /// Nil if `key` is no key, or if the item is empty or would need escapes in a list.
  func placingFirst(_ item: String, inList key: String, of groupName: String) -> [UInt8]? {
    guard Self.isKey(key), Self.isItem(item) else { return nil }
    let group = group(groupName)
    if let group, let entry = entries(key, in: group).last {
      let items = items(of: entry.value)
      if let first = items.first, isItem(first, item) { return bytes }
      // The first of several occurrences was added by an earlier call, and is removed; the others may be older.
      let same = items.filter { isItem($0, item) }
      let rest = same.count > 1 ? removing(same[0], from: entry.value) : nil
      // `;;` marks a list that was empty before; its line stays when the item is removed again.
      let start = Array((item + (items.isEmpty ? ";;" : ";")).utf8)
      return replacing(entry.value, with: start + (rest ?? Array(bytes[entry.value])))
    }
    let line = "\(key)=\(item)"
    guard let group else { return adding("\n\(Self.groupMark)\n[\(groupName)]\n\(line)", at: bytes.count) }
    return adding(line, at: groups[group].end)
  }

  /// Removes a line whose list becomes empty, unless it was empty before, and an added group that loses its last key.
  func removing(_ item: String, fromList key: String, of groupName: String) -> [UInt8] {
    guard let group = group(groupName), let entry = entries(key, in: group).last,
      let found = items(of: entry.value).first(where: { isItem($0, item) })
    else { return bytes }
    if let rest = removing(found, from: entry.value) { return replacing(entry.value, with: rest) }
    return KeyFile(removingLine(entry.range))?.removingAddedGroup(groupName) ?? bytes
  }

  /// Also removes one separator; nil if the whole line has to be removed.
  private func removing(_ item: Range<Int>, from value: Range<Int>) -> [UInt8]? {
    let items = items(of: value)
    guard items.count > 1 else {
      let rest = bytes[item.upperBound..<value.upperBound]
      let isAdded = item.lowerBound == value.lowerBound && rest.starts(with: ";;".utf8)
      return isAdded ? Array(rest.dropFirst(2)) : nil
    }
    var range = item
    let isAfterSeparator =
      item.lowerBound == value.lowerBound || bytes[item.lowerBound - 1] == UInt8(ascii: ";")
    if item == items.last {
      range = items[items.count - 2].upperBound..<item.upperBound
    } else if isAfterSeparator, bytes[item.upperBound] == UInt8(ascii: ";") {
      range = item.lowerBound..<item.upperBound + 1
    } else if let next = items.first(where: { $0.lowerBound > item.lowerBound }) {
      range = item.lowerBound..<next.lowerBound
    }
    return Array(bytes[value.lowerBound..<range.lowerBound] + bytes[range.upperBound..<value.upperBound])
  }

  /// A group counts as added if an empty line and ``groupMark`` stand before it.
  private func removingAddedGroup(_ name: String) -> [UInt8] {
    guard let group = group(name), !(entries + localizedEntries).contains(where: { $0.group == group }) else {
      return bytes
    }
    let added = Array("\n\(Self.groupMark)\n[\(name)]".utf8)
    let end = groups[group].end
    let isEnded = bytes[end - 1] == UInt8(ascii: "\n")
    let start = end - added.count - (isEnded ? 1 : 0)
    // If the empty line is gone, the newline before the group belongs to another line.
    let isAfterEmptyLine = start == 0 || start > 0 && bytes[start - 1] == UInt8(ascii: "\n")
    guard isAfterEmptyLine, bytes[start..<end].starts(with: added) else { return bytes }
    return removingLine(start..<end)
  }
}

// MARK: - Lines and words

extension KeyFile {
  /// The newline comes before the line if the text before the position does not end in one.
  private func adding(_ line: String, at position: Int) -> [UInt8] {
    let isEnded = position == 0 || bytes[position - 1] == UInt8(ascii: "\n")
    return replacing(position..<position, with: isEnded ? "\(line)\n" : "\n\(line)")
  }

  /// Undoes ``adding(_:at:)``.
  private func removingLine(_ range: Range<Int>) -> [UInt8] {
    let isEnded = bytes[range.upperBound - 1] == UInt8(ascii: "\n")
    return replacing((isEnded ? range.lowerBound : max(0, range.lowerBound - 1))..<range.upperBound, with: "")
  }

  private func replacing(_ range: Range<Int>, with text: String) -> [UInt8] {
    replacing(range, with: Array(text.utf8))
  }

  private func replacing(_ range: Range<Int>, with replacement: [UInt8]) -> [UInt8] {
    var result = bytes
    result.replaceSubrange(range, with: replacement)
    return result
  }

  private func isItem(_ range: Range<Int>, _ item: String) -> Bool {
    range.count == item.utf8.count && hasPrefix(item, at: range)
  }

  private static func isItem(_ text: String) -> Bool {
    guard let first = text.utf8.first, let last = text.utf8.last, first != 0x20, last != 0x20 else {
      return false
    }
    return text.utf8.allSatisfy {
      $0 >= 0x20 && $0 != 0x7F && $0 != UInt8(ascii: ";") && $0 != UInt8(ascii: "\\")
    }
  }
}
