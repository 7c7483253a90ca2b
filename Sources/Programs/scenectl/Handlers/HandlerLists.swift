import DesktopEntries
import Installed

/// The user's lists of which application opens what, and what the router remembers of them.
struct HandlerLists {
  /// What a list has for a type or a host.
  struct Choice {
    let handled: Handled
    /// The application chosen, then those that come after it.
    let applications: [String]
    /// What was the default where the router's own entry is among them.
    let replaced: String?
  }

  /// Where the desktop keeps its files, as the environment says.
  let places: DesktopPlaces
  private var defaults: UserFile
  private var hosts: UserFile
  private var replaced: UserFile

  /// The entry by which links come to the router.
  static let ownID = InstalledApplication.routersOwnID

  /// Reads the lists.
  init() throws {
    places = DesktopPlaces(environment: DesktopPlaces.processEnvironment)
    guard let directory = places.userConfiguration, let state = places.replacedDefaults else {
      throw HandlerError("Neither $HOME nor $XDG_CONFIG_HOME and $XDG_STATE_HOME say where your lists are.")
    }
    defaults = try UserFile("\(directory)/mimeapps.list")
    replaced = try UserFile(state)
    let names = UriHandler.fileNames.map { "\(directory)/\($0)" }
    // A desktop that reads the second alone is not to find an older choice there.
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

  /// All that the lists have: types in the order of the file, then hosts in alphabetical order.
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
  /// Chooses an application, which is installed, for some types and hosts, and saves that; those chosen before come after it.
  ///
  /// For types that the router's own entry is chosen for, the defaults of now are remembered first.
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
    // What is remembered of an entry that is no default changes nothing.
    try replaced.save()
    try defaults.save()
    try hosts.save()
  }

  private func requireInstalled(_ id: String, _ installed: InstalledApplications) throws {
    if id == Self.ownID {
      let paths = places.applications.map { "\($0)/\(id)" }
      if paths.contains(where: { if case .file = FileContents.read($0) { true } else { false } }) { return }
      throw HandlerError("'\(id)' is not installed; 'systemd/install' does that.")
    }
    guard let application = installed.applications[id] else {
      throw HandlerError("There is no application '\(id)' among those installed.")
    }
    guard application.entry.takesEvents else { throw HandlerError("'\(id)' opens neither links nor files.") }
  }

  /// A desktop's own list comes before the one that is changed here.
  private func requireNoOtherList(for type: String) throws {
    guard let directory = places.userConfiguration else { return }
    for name in places.names(ofLists: "mimeapps.list") where name.isDesktopSpecific {
      guard case .file(let bytes, _) = FileContents.read("\(directory)/\(name.name)") else { continue }
      let list = MIMEAppsList.read(bytes, isDesktopSpecific: true).list
      guard list.defaults.contains(where: { $0.key == type && !$0.ids.isEmpty }) else { continue }
      throw HandlerError(
        "\(directory)/\(name.name) has a default for '\(Handled.type(type))', which counts more; remove it there."
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
      throw UserFileError(file.path, line: 1, "'\(handled)' cannot be written into it.")
    }
    file.bytes = bytes
  }
}

// MARK: - Giving back

extension HandlerLists {
  /// Takes the application chosen away from some types and hosts, and saves that: those that were there before it count again.
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

  /// Takes the router's own entry away from everything; returns from what.
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

  /// Makes what was the default before the default again, where it has not become that by itself.
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

/// Why nothing was chosen, as a sentence.
struct HandlerError: Error, CustomStringConvertible {
  let description: String

  init(_ sentence: String) { description = sentence }
}
