/// Who opens files of a type and URLs of a scheme, from all lists and all installed entries.
///
/// Source: Association between MIME types and applications 1.0.1, and GIO where it is silent or GIO differs: a default
/// needs no association, and lists and entries of a directory come before those of the next one.
package struct MIMEAssociations: Sendable {
  /// An entry as far as associations go.
  package struct Entry {
    let id: String
    let mimeTypes: [String]
    let isUsable: Bool

    /// Makes an entry; one that is hidden or whose program is missing is not usable, and masks those of its id in later
    /// directories all the same.
    package init(id: String, mimeTypes: [String], isUsable: Bool = true) {
      self.id = id
      self.mimeTypes = mimeTypes
      self.isUsable = isUsable
    }
  }

  /// What is in a configuration directory, or in `applications` of a data directory.
  package struct Directory {
    let lists: [MIMEAppsList]
    let entries: [Entry]

    /// Makes a directory from its lists, those of the current desktops before `mimeapps.list`, and its entries.
    package init(lists: [MIMEAppsList], entries: [Entry] = []) {
      self.lists = lists
      self.entries = entries
    }
  }

  /// What is known of one type: numbers of applications.
  private struct Choices {
    var defaults: [Int32] = []
    /// Those that lists add.
    var added: [Int32] = []
    /// Those that lists add or entries name.
    var associated: [Int32] = []
    var removed: [Int32] = []
  }

  /// An id that is named anywhere.
  private struct Application {
    let id: String
    /// The first directory with an entry of that id; what earlier ones say of its associations does not end there.
    var directory = Int.max
    var isUsable = false
  }

  private let database: MIMEDatabase
  private var applications: [Application] = []
  private var numbers: [String: Int32] = [:]
  private var choices: [String: Choices] = [:]

  /// Joins directories in the order of precedence: configuration home, configuration directories, data home, data
  /// directories.
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

  /// Returns those that no more important directory says something else of.
  @discardableResult
  private mutating func associate(_ numbers: [Int32], with type: String, in place: Int) -> [Int32] {
    let type = database.unaliased(type)
    let removed = choices[type]?.removed ?? []
    let numbers = numbers.filter { !isMasked($0, in: place) && !removed.contains($0) }
    choices[type, default: Choices()].associated += numbers
    return numbers
  }

  /// Whether a directory before this one has an entry of the same id, so that this one's does not count.
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
  /// What is known of one type itself; only usable applications are listed.
  package struct KnownType: Hashable, Sendable {
    /// Unaliased.
    package let name: String
    /// Those that lists make the default, best first; they need not be associated.
    package let defaults: [String]
    /// Those that lists add, in the order of preference.
    package let added: [String]
    /// All that are associated with the type.
    package let applications: [String]
    /// Those that do not open it by more general types either.
    package let removed: [String]
  }

  /// All types that a list or an entry names, in alphabetical order.
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

  /// The application that opens a type: the first usable one among the defaults for the type and those associated
  /// with it, then among those for the types that it is a subclass of.
  ///
  /// `isAccepted` can pass over some: one that takes no URLs, or the router's own entry.
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

  /// All usable applications for a type in the order of preference, those for the type itself first.
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
