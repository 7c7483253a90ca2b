/// Source: Association between MIME types and applications 1.0.1.
///
/// Two rules are those of GIO: a default need not be associated with the type, and all lists and entries of a directory
/// come before those of the next directory.
package struct MIMEAssociations: Sendable {
  package struct Entry {
    let id: String
    let mimeTypes: [String]
    let isUsable: Bool

    /// An unusable entry is hidden or lacks its program, but still masks entries of its id in later directories.
    package init(id: String, mimeTypes: [String], isUsable: Bool = true) {
      self.id = id
      self.mimeTypes = mimeTypes
      self.isUsable = isUsable
    }
  }

  package struct Directory {
    let lists: [MIMEAppsList]
    let entries: [Entry]

    /// The lists of the current desktops must come before `mimeapps.list`.
    package init(lists: [MIMEAppsList], entries: [Entry] = []) {
      self.lists = lists
      self.entries = entries
    }
  }

  /// Indices of ``applications``.
  private struct Choices {
    var defaults: [Int32] = []
    var added: [Int32] = []
    var associated: [Int32] = []
    var removed: [Int32] = []
  }

  private struct Application {
    let id: String
    /// The first directory that has an entry with this id; lists and entries of later directories do not count for it.
    var directory = Int.max
    var isUsable = false
  }

  private let database: MIMEDatabase
  private var applications: [Application] = []
  private var numbers: [String: Int32] = [:]
  private var choices: [String: Choices] = [:]

  /// The order is configuration home, configuration directories, data home, data directories.
  package init(_ directories: [Directory], database: MIMEDatabase) {
    self.database = database
    for (place, directory) in directories.enumerated() {
      for entry in directory.entries {
        let number = number(entry.id)
        guard applications[Int(number)].directory > place else { continue }
        applications[Int(number)].directory = place
        applications[Int(number)].isUsable = entry.isUsable
      }
    }
    for (place, directory) in directories.enumerated() {
      for list in directory.lists {
        for item in list.defaults {
          choices[database.unaliased(item.key), default: Choices()].defaults += item.ids.map { number($0) }
        }
        for item in list.added {
          let added = associate(item.ids.map { number($0) }, with: item.key, in: place)
          choices[database.unaliased(item.key), default: Choices()].added += added
        }
        for item in list.removed {
          let type = database.unaliased(item.key)
          let associated = Set(choices[type]?.associated ?? [])
          let numbers = item.ids.map { number($0) }.filter {
            !isMasked($0, in: place) && !associated.contains($0)
          }
          choices[type, default: Choices()].removed += numbers
        }
      }
      for entry in directory.entries {
        for type in entry.mimeTypes { associate([number(entry.id)], with: type, in: place) }
      }
    }
    for index in choices.values.indices { choices.values[index].associated.removeRepeated() }
    numbers = [:]
  }

  /// Leaves out applications that an earlier directory masks or an earlier list removes, and returns the others.
  @discardableResult
  private mutating func associate(_ numbers: [Int32], with type: String, in place: Int) -> [Int32] {
    let type = database.unaliased(type)
    let removed = choices[type]?.removed ?? []
    let numbers = numbers.filter { !isMasked($0, in: place) && !removed.contains($0) }
    choices[type, default: Choices()].associated += numbers
    return numbers
  }

  private func isMasked(_ number: Int32, in place: Int) -> Bool {
    applications[Int(number)].directory < place
  }

  private mutating func number(_ id: String) -> Int32 {
    if let number = numbers[id] { return number }
    let number = Int32(applications.count)
    applications.append(Application(id: id))
    numbers[id] = number
    return number
  }
}

// MARK: - Answers

extension MIMEAssociations {
  /// Has only usable applications, and no associations of more general types.
  package struct KnownType: Hashable, Sendable {
    package let name: String
    /// The most preferred first, as in ``added``.
    package let defaults: [String]
    package let added: [String]
    package let applications: [String]
    /// They do not open the type, even if they are associated with a more general type.
    package let removed: [String]
  }

  package var knownTypes: [KnownType] {
    choices.sorted { $0.key < $1.key }.map { name, choices in
      KnownType(
        name: name,
        defaults: usable(choices.defaults),
        added: usable(choices.added),
        applications: usable(choices.associated),
        removed: usable(choices.removed)
      )
    }
  }

  private func usable(_ numbers: [Int32]) -> [String] {
    numbers.filter { applications[Int($0)].isUsable }.map { applications[Int($0)].id }
  }

  /// Searches the defaults of the type, then the applications associated with it, then in the same way each supertype.
  package func defaultApplication(
    for type: String,
    where isAccepted: (String) -> Bool = { _ in true }
  ) -> String? {
    var removed: [Int32] = []
    for type in database.lineage(of: type) {
      guard let choices = choices[type] else { continue }
      let associated = choices.associated.filter { !removed.contains($0) }
      for number in choices.defaults + associated {
        let application = applications[Int(number)]
        if application.isUsable, isAccepted(application.id) { return application.id }
      }
      removed += choices.removed
    }
    return nil
  }

  /// The most preferred first; the applications of more general types follow those of the type.
  package func applications(for type: String) -> [String] {
    var found: [Int32] = []
    var removed: [Int32] = []
    for type in database.lineage(of: type) {
      guard let choices = choices[type] else { continue }
      found += choices.associated.filter { !removed.contains($0) }
      removed += choices.removed.filter { !found.contains($0) }
    }
    found.removeRepeated()
    return found.filter { applications[Int($0)].isUsable }.map { applications[Int($0)].id }
  }
}
