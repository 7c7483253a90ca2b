/// Changes that can be undone: ``removing(_:fromList:of:)`` undoes ``placingFirst(_:inList:of:)`` byte for byte, even
/// if other lines have changed in between.
///
/// The file itself shows what was added, so nothing is stored elsewhere. If a list has a word several times, the
/// first occurrence counts as the added word. The comment line ``groupMark`` stands before each added group.
extension KeyFile {
  /// The comment line that is written before each added group.
  private static let groupMark = "# Added by scenectl:"

  /// Returns the bytes with a word placed first in a key's list; the former list follows.
  ///
  /// A missing key is added at the end of its group. A missing group is added at the end of the file. The result is
  /// nil if `key` is not a valid key, or if the word is empty or would need escapes in a list.
  func placingFirst(_ item: String, inList key: String, of groupName: String) -> [UInt8]? {
    guard Self.isKey(key), Self.isItem(item) else { return nil }
    let group = group(groupName)
    if let group, let entry = entries(key, in: group).last {
      let items = items(of: entry.value)
      if let first = items.first, isItem(first, item) { return bytes }
      // If the list has the word several times, the first occurrence counts as added by an earlier call. It is removed,
      // because the word is now placed before the whole list. The other occurrences stay, because they may have been in
      // the list before the first call.
      let same = items.filter { isItem($0, item) }
      let rest = same.count > 1 ? removing(same[0], from: entry.value) : nil
      // `;;` after the word marks a list that was empty before. When the word is removed again, the line of such a
      // list stays.
      let start = Array((item + (items.isEmpty ? ";;" : ";")).utf8)
      return replacing(entry.value, with: start + (rest ?? Array(bytes[entry.value])))
    }
    let line = "\(key)=\(item)"
    guard let group else { return adding("\n\(Self.groupMark)\n[\(groupName)]\n\(line)", at: bytes.count) }
    return adding(line, at: groups[group].end)
  }

  /// Returns the bytes with the first occurrence of a word removed from a key's list.
  ///
  /// If the list becomes empty, the line of the key is removed too. But if the list was already empty before the word
  /// was added, the line stays. If an added group loses its last key, the group is removed.
  func removing(_ item: String, fromList key: String, of groupName: String) -> [UInt8] {
    guard let group = group(groupName), let entry = entries(key, in: group).last,
      let found = items(of: entry.value).first(where: { isItem($0, item) })
    else { return bytes }
    if let rest = removing(found, from: entry.value) { return replacing(entry.value, with: rest) }
    return KeyFile(removingLine(entry.range))?.removingAddedGroup(groupName) ?? bytes
  }

  /// Returns the bytes of a list without one of its parts, and without one separator beside this part.
  ///
  /// Returns nil if the caller has to remove the whole line of the list.
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

  /// Removes an added group if the group has no keys any more; returns the resulting bytes.
  ///
  /// A group counts as added if an empty line and ``groupMark`` stand before it. Every other group stays.
  private func removingAddedGroup(_ name: String) -> [UInt8] {
    guard let group = group(name), !(entries + localizedEntries).contains(where: { $0.group == group }) else {
      return bytes
    }
    let added = Array("\n\(Self.groupMark)\n[\(name)]".utf8)
    let end = groups[group].end
    let isEnded = bytes[end - 1] == UInt8(ascii: "\n")
    let start = end - added.count - (isEnded ? 1 : 0)
    // `added` begins with the empty line before the group. If another program has removed the empty line, the group
    // stays, because the newline before the group then belongs to another line.
    let isAfterEmptyLine = start == 0 || start > 0 && bytes[start - 1] == UInt8(ascii: "\n")
    guard isAfterEmptyLine, bytes[start..<end].starts(with: added) else { return bytes }
    return removingLine(start..<end)
  }
}

// MARK: - Lines and words

extension KeyFile {
  /// Returns the bytes with a line added at a position.
  ///
  /// A newline is added after the line. But if there is no newline at the end of the text before the position, the
  /// newline is added before the line instead.
  private func adding(_ line: String, at position: Int) -> [UInt8] {
    let isEnded = position == 0 || bytes[position - 1] == UInt8(ascii: "\n")
    return replacing(position..<position, with: isEnded ? "\(line)\n" : "\n\(line)")
  }

  /// Returns the bytes without the lines in a range; this undoes ``adding(_:at:)``.
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

  /// Whether a text can be written into a list as it is, as one part of the list.
  private static func isItem(_ text: String) -> Bool {
    guard let first = text.utf8.first, let last = text.utf8.last, first != 0x20, last != 0x20 else {
      return false
    }
    return text.utf8.allSatisfy {
      $0 >= 0x20 && $0 != 0x7F && $0 != UInt8(ascii: ";") && $0 != UInt8(ascii: "\\")
    }
  }
}
