/// One line of a file: a key, and the desktop ids of the applications for this key.
package struct Association: Hashable, Sendable {
  /// A MIME type or a host.
  package let key: String
  /// The desktop ids, the most preferred first.
  package let ids: [String]
  /// The number of the line with the key, from 1.
  package let line: Int
}

/// A file whose lines give desktop ids for keys.
struct AssociationList {
  /// The associations of each requested group, in the order of the lines.
  private(set) var groups: [[Association]] = []
  private(set) var complaints: [Complaint] = []

  /// Reads the groups with these names.
  ///
  /// Every group with another name causes a complaint, unless the group is meant for other programs. If a group is in
  /// `misplaced`, the complaint says that the group belongs in `mimeapps.list`.
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

  /// Reads the groups with these names, without complaints about other groups.
  init(_ file: KeyFile, groups names: [String]) {
    complaints = file.complaints
    let entries = Dictionary(grouping: file.entries, by: \.group)
    for name in names {
      groups.append(file.group(name).map { read(file, group: $0, entries[$0] ?? []) } ?? [])
    }
  }

  /// Whether a group is for other programs: an extension of the format, or a group of KDE's.
  private static func isOfOthers(_ group: String) -> Bool {
    group.hasPrefix("X-") || group.hasSuffix("KDE Service Associations")
  }

  private mutating func read(_ file: KeyFile, group: Int, _ entries: [KeyFile.Entry]) -> [Association] {
    var reader = GroupReader(file, group: group)
    var keys: Set<String> = []
    var associations: [Association] = []
    // The entries are read from the end, because the last of several equal keys counts.
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
  /// The complaint about a file that is too large.
  static var tooLarge: Complaint {
    let text = "The file is larger than \(KeyFile.maximumSize) bytes; make it smaller."
    return Complaint(line: 1, severity: .error, text: text)
  }
}

extension Array where Element: Hashable {
  /// Keeps only the first of equal elements; meant for long arrays.
  mutating func removeRepeated() {
    var seen: Set<Element> = []
    removeAll { !seen.insert($0).inserted }
  }

  /// Appends the elements that are missing; meant for short arrays.
  mutating func append(newElementsOf other: [Element]) {
    for element in other where !contains(element) { append(element) }
  }
}
