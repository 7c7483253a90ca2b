/// The applications that open files of a type and URLs of a scheme, from all lists and installed entries.
///
/// Source: Association between MIME types and applications 1.0.1. Two rules are taken from GIO:
/// - An application can be the default of a type even if it is not associated with the type.
/// - All lists and entries of a directory come before those of the next directory.
package struct MIMEAssociations: Sendable {
  /// The part of an entry that matters for associations.
  package struct Entry {
    let id: String
    let mimeTypes: [String]
    let isUsable: Bool

    /// Makes an entry.
    ///
    /// An entry that is hidden or whose program is missing is not usable. An unusable entry still masks entries of
    /// the same id in later directories.
    package init(id: String, mimeTypes: [String], isUsable: Bool = true) {
      self.id = id
      self.mimeTypes = mimeTypes
      self.isUsable = isUsable
    }
  }

  /// The lists and desktop entries in one directory.
  package struct Directory {
    let lists: [MIMEAppsList]
    let entries: [Entry]

    /// Makes a value from the lists and entries of a directory.
    ///
    /// The caller has to put the lists of the current desktops before `mimeapps.list`.
    package init(lists: [MIMEAppsList], entries: [Entry] = []) {
      self.lists = lists
      self.entries = entries
    }
  }

  /// The applications of one type, as indices of ``applications``.
  private struct Choices {
    var defaults: [Int32] = []
    /// The applications that lists add to the type.
    var added: [Int32] = []
    /// The applications that are associated with the type, by a list or by their own desktop entries.
    var associated: [Int32] = []
    var removed: [Int32] = []
  }

  /// An application that a list or an entry mentions.
  private struct Application {
    let id: String
    /// The index of the first directory that has an entry with this id; `Int.max` if no directory has one.
    ///
    /// Lists and entries in later directories do not change the associations of the application.
    var directory = Int.max
    var isUsable = false
  }

  private let database: MIMEDatabase
  private var applications: [Application] = []
  private var numbers: [String: Int32] = [:]
  private var choices: [String: Choices] = [:]

  /// Joins directories in the order of precedence.
  ///
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

  /// Associates applications with a type, and returns the associated applications.
  ///
  /// An application is left out in two cases: an entry in an earlier directory masks the application, or an earlier
  /// list removes the application from the type.
  @discardableResult
  private mutating func associate(_ numbers: [Int32], with type: String, in place: Int) -> [Int32] {
    let type = database.unaliased(type)
    let removed = choices[type]?.removed ?? []
    let numbers = numbers.filter { !isMasked($0, in: place) && !removed.contains($0) }
    choices[type, default: Choices()].associated += numbers
    return numbers
  }

  /// Whether a directory before the directory at `place` has an entry of the application.
  ///
  /// If so, lists and entries of the directory at `place` do not count for the application.
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
  /// The associations of one type, without the associations of more general types.
  ///
  /// Only usable applications are listed.
  package struct KnownType: Hashable, Sendable {
    /// The name of the type, never an alias.
    package let name: String
    /// The applications that lists name as defaults of the type, the most preferred first.
    ///
    /// A default application need not be associated with the type.
    package let defaults: [String]
    /// The applications that lists add to the type, the most preferred first.
    package let added: [String]
    /// All applications associated with the type.
    package let applications: [String]
    /// The applications that a list removes from the type.
    ///
    /// They do not open the type, even if they are associated with a more general type.
    package let removed: [String]
  }

  /// All types in lists and entries, in alphabetical order.
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

  /// Returns the application that opens a type.
  ///
  /// The search goes through the defaults for the type and then through the applications associated with the type. The
  /// search continues with each supertype in the same way. The first usable application is the result. `isAccepted` can
  /// exclude applications, such as an application that takes no URLs, or the router's own entry.
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

  /// Returns all usable applications for a type, the most preferred first.
  ///
  /// The applications of more general types follow the applications of the type itself.
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
