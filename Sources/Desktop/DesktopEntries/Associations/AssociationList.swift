package struct Association: Hashable, Sendable {
  package let key: String
  /// Desktop ids, the most preferred first.
  package let ids: [String]
  package let line: Int
}

struct AssociationList {
  /// For each name that was asked for, in the order of the lines.
  private(set) var groups: [[Association]] = []
  private(set) var complaints: [Complaint] = []

  /// Complains about other groups, unless other programs use them; those in `misplaced` belong in `mimeapps.list`.
  init(_ bytes: [UInt8], groups names: [String], misplaced: [String] = []) {
    guard let file = KeyFile(bytes) else {
      self.init(groups: names.map { _ in [] }, complaints: [.tooLarge])
      return
    }
    self.init(file, groups: names)
    for group in file.groups where !names.contains(group.name) {
      if misplaced.contains(group.name) {
        complaints.warn(group.line, "Group '\(group.name)' is ignored here; move it to 'mimeapps.list'.")
      } else if !Self.isOfOthers(group.name) {
        let known = names.isEmpty ? "" : "; known are " + names.map { "'\($0)'" }.joined(separator: ", ")
        complaints.warn(group.line, "Group '\(group.name)' is not known and is ignored\(known).")
      }
    }
    complaints.sort { $0.line < $1.line }
  }

  private init(groups: [[Association]], complaints: [Complaint]) {
    (self.groups, self.complaints) = (groups, complaints)
  }

  /// Does not complain about other groups.
  init(_ file: KeyFile, groups names: [String]) {
    complaints = file.complaints
    let entries = Dictionary(grouping: file.entries, by: \.group)
    for name in names {
      groups.append(file.group(name).map { read(file, group: $0, entries[$0] ?? []) } ?? [])
    }
  }

  /// An extension of the format, or a group of KDE's.
  private static func isOfOthers(_ group: String) -> Bool {
    group.hasPrefix("X-") || group.hasSuffix("KDE Service Associations")
  }

  private mutating func read(_ file: KeyFile, group: Int, _ entries: [KeyFile.Entry]) -> [Association] {
    var reader = GroupReader(file, group: group)
    var keys: Set<String> = []
    var associations: [Association] = []
    // The last of several equal keys counts.
    for entry in entries.reversed() {
      let key = String(decoding: file.bytes[entry.key], as: UTF8.self)
      if keys.insert(key).inserted {
        let ids = reader.strings(entry, key: key)
        associations.append(Association(key: key, ids: ids, line: entry.line))
      } else {
        reader.complaints.warn(
          entry.line,
          "'\(key)' is ignored, because it is repeated below; remove one of the two lines."
        )
      }
    }
    complaints += reader.complaints
    return associations.reversed()
  }
}

extension Complaint {
  static var tooLarge: Complaint {
    let text = "The file is larger than \(KeyFile.maximumSize) bytes; make it smaller."
    return Complaint(line: 1, severity: .error, text: text)
  }
}

extension Array where Element: Hashable {
  /// For long arrays; the function below is for short ones.
  mutating func removeRepeated() {
    var seen: Set<Element> = []
    removeAll { !seen.insert($0).inserted }
  }

  mutating func append(newElementsOf other: [Element]) {
    for element in other where !contains(element) { append(element) }
  }
}
