import DesktopEntries
import Installed

/// The user's lists of chosen applications, and the router's list of the defaults that it replaced.
struct HandlerLists {
  /// The entry of a list for a type or a host.
  struct Choice {
    let handled: Handled
    /// The chosen application, then the applications after it in the list; never empty.
    let applications: [String]
    /// The default before the router's own entry; nil if that entry is not among the applications.
    let replaced: String?
  }

  /// The desktop's directories that the environment names.
  let places: DesktopPlaces
  private var defaults: UserFile
  private var hosts: UserFile
  private var replaced: UserFile

  /// The id of the desktop entry by which links come to the router.
  static let ownID = InstalledApplication.routersOwnID

  /// Reads the lists.
  ///
  /// - Throws: if the environment names no directory for them, and if a list cannot be read or has an error.
  init() throws {
    places = DesktopPlaces(environment: DesktopPlaces.processEnvironment)
    guard let directory = places.userConfiguration, let state = places.replacedDefaults else {
      throw HandlerError("Your lists cannot be found: set $HOME, or $XDG_CONFIG_HOME and $XDG_STATE_HOME.")
    }
    defaults = try UserFile("\(directory)/mimeapps.list")
    replaced = try UserFile(state)
    let names = UriHandler.fileNames.map { "\(directory)/\($0)" }
    // An existing file is changed in place, so that a desktop that reads only the second name finds no outdated choice.
    let present = names.first { if case .missing = FileContents.read($0) { false } else { true } }
    hosts = try UserFile(present ?? names[0])
    try Self.check(MIMEAppsList.read(defaults.bytes).complaints, of: defaults)
    try Self.check(MIMEAppsList.read(replaced.bytes).complaints, of: replaced)
    try Self.check(HostChoices.read([hosts.bytes]).complaints.flatMap(\.self), of: hosts)
  }

  private static func check(_ complaints: [Complaint], of file: UserFile) throws {
    guard let error = complaints.first(where: { $0.severity == .error }) else { return }
    throw HandlerError("\(file.path):\(error)")
  }

  /// All choices: types in the order of the file, then hosts in alphabetical order.
  var choices: [Choice] {
    let types = MIMEAppsList.read(defaults.bytes).list.defaults.map { item in
      let isOwn = item.ids.contains(Self.ownID)
      return Choice(
        handled: .type(item.key),
        applications: item.ids,
        replaced: isOwn ? replacedDefault(for: item.key) : nil
      )
    }
    let hosts = HostChoices.read([hosts.bytes]).choices.applications.sorted { $0.key < $1.key }
    return (types + hosts.map { Choice(handled: .host($0.key), applications: $0.value, replaced: nil) })
      .filter { !$0.applications.isEmpty }
  }

  private func replacedDefault(for type: String) -> String? {
    MIMEAppsList.read(replaced.bytes).list.defaults.first { $0.key == type }?.ids.first
  }
}

// MARK: - Choosing

extension HandlerLists {
  /// Chooses an installed application for some types and hosts, and saves the lists.
  ///
  /// The applications chosen before stay in the list after it. If the application is the router's own entry, the
  /// current defaults are remembered first.
  ///
  /// - Throws: if the application is not installed or opens nothing, if a desktop's own list has a default for a type,
  ///   and if a list cannot be written.
  mutating func choose(_ id: String, for handled: [Handled]) throws {
    let (applications, associations) = InstalledApplications.withAssociations(reading: places)
    try requireInstalled(id, applications)
    for handled in handled {
      switch handled {
      case .host(let host):
        try Self.edit(&hosts, handled, HostChoices.choosing(id, for: host, in: hosts.bytes))
      case .type(let type):
        try requireNoOtherList(for: type)
        if id == Self.ownID, let before = Self.defaultApplication(for: type, applications, associations) {
          try Self.edit(
            &replaced,
            handled,
            MIMEAppsList.settingDefault(before, for: type, in: replaced.bytes)
          )
        }
        try Self.edit(&defaults, handled, MIMEAppsList.settingDefault(id, for: type, in: defaults.bytes))
      }
    }
    // This list is saved first: after a crash, a remembered default of an entry that is not chosen has no effect.
    try replaced.save()
    try defaults.save()
    try hosts.save()
  }

  private func requireInstalled(_ id: String, _ installed: InstalledApplications) throws {
    if id == Self.ownID {
      let paths = places.applications.map { "\($0)/\(id)" }
      if paths.contains(where: { if case .file = FileContents.read($0) { true } else { false } }) { return }
      throw HandlerError("'\(id)' is not installed; 'systemd/install' installs it.")
    }
    guard let application = installed.applications[id] else {
      throw HandlerError("The application '\(id)' is not installed.")
    }
    guard application.entry.takesEvents else { throw HandlerError("'\(id)' opens neither links nor files.") }
  }

  /// Throws if a desktop's own list has a default for the type, because that list comes before the changed one.
  private func requireNoOtherList(for type: String) throws {
    guard let directory = places.userConfiguration else { return }
    for name in places.names(ofLists: "mimeapps.list") where name.isDesktopSpecific {
      guard case .file(let bytes, _) = FileContents.read("\(directory)/\(name.name)") else { continue }
      let list = MIMEAppsList.read(bytes, isDesktopSpecific: true).list
      guard list.defaults.contains(where: { $0.key == type && !$0.ids.isEmpty }) else { continue }
      throw HandlerError(
        "\(directory)/\(name.name) has a default for '\(Handled.type(type))', which comes first; remove it there."
      )
    }
  }

  private static func defaultApplication(
    for type: String,
    _ installed: InstalledApplications,
    _ associations: MIMEAssociations
  ) -> String? {
    associations.defaultApplication(for: type) { installed.applications[$0]?.entry.takesEvents == true }
  }

  private static func edit(_ file: inout UserFile, _ handled: Handled, _ bytes: [UInt8]?) throws {
    guard let bytes else {
      throw UserFileError(file.path, line: 1, "'\(handled)' cannot be written into the file.")
    }
    file.bytes = bytes
  }
}

// MARK: - Giving back

extension HandlerLists {
  /// Removes the chosen application of some types and hosts, and saves the lists; the next in each list counts again.
  ///
  /// - Throws: if no application is chosen for a type or host, and if a list cannot be written.
  mutating func removeChoices(for handled: [Handled]) throws {
    let choices = choices
    try remove(
      handled.map { handled in
        guard let choice = choices.first(where: { $0.handled == handled }) else {
          throw HandlerError("No application is chosen for '\(handled)' in your lists.")
        }
        return (choice, choice.applications[0])
      }
    )
  }

  /// Removes the router's own entry from all choices, and saves the lists.
  ///
  /// - Returns: the types and hosts that the entry was removed from.
  mutating func removeOwnChoices() throws -> [Handled] {
    let own = choices.filter { $0.applications.contains(Self.ownID) }
    try remove(own.map { ($0, Self.ownID) })
    return own.map(\.handled)
  }

  private mutating func remove(_ removed: [(choice: Choice, id: String)]) throws {
    for (choice, id) in removed {
      switch choice.handled {
      case .host(let host):
        try Self.edit(&hosts, choice.handled, HostChoices.removing(id, for: host, in: hosts.bytes))
      case .type(let type):
        try Self.edit(
          &defaults,
          choice.handled,
          MIMEAppsList.removingDefault(id, for: type, in: defaults.bytes)
        )
      }
    }
    try defaults.save()
    try hosts.save()
    try giveBack(removed.filter { $0.id == Self.ownID })
  }

  /// Restores the remembered default of each type whose default is another one now, and forgets the remembered one.
  private mutating func giveBack(_ removed: [(choice: Choice, id: String)]) throws {
    let (applications, associations) = InstalledApplications.withAssociations(reading: places)
    for (choice, id) in removed {
      guard case .type(let type) = choice.handled, let before = choice.replaced else { continue }
      let wasDefault = choice.applications.first == id
      if wasDefault, applications.applications[before] != nil,
        Self.defaultApplication(for: type, applications, associations) != before
      {
        let bytes = MIMEAppsList.settingDefault(before, for: type, in: defaults.bytes)
        try Self.edit(&defaults, choice.handled, bytes)
      }
      let remembered = MIMEAppsList.read(replaced.bytes).list.defaults.first { $0.key == type }?.ids ?? []
      for id in remembered {
        let bytes = MIMEAppsList.removingDefault(id, for: type, in: replaced.bytes)
        try Self.edit(&replaced, choice.handled, bytes)
      }
    }
    try defaults.save()
    try replaced.save()
  }
}

/// The reason why a choice failed, as a sentence.
struct HandlerError: Error, CustomStringConvertible {
  let description: String

  init(_ sentence: String) { description = sentence }
}
