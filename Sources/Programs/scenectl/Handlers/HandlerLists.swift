import DesktopEntries
import Installed
import SceneRouting

/// The user's lists of chosen applications, and the router's list of replaced defaults.
///
/// A replaced default is the one before the router became the default. It gets the links that no window and no host
/// claim takes. Each choice can be undone (``AssociationFile``).
struct HandlerLists {
  struct Choice {
    let key: ChoiceKey
    /// The chosen application, then those after it in the list; never empty.
    let applications: [String]
    let path: String
    let line: Int
  }

  static let ownID = InstalledApplication.routersOwnID

  let places: DesktopPlaces
  private var defaults: UserFile
  private var hosts: UserFile
  private var senders: UserFile
  private var replaced: UserFile
  /// What ``choose(_:for:before:)`` has added to the other lists, which do not tell it from the user's own lines.
  private var added: UserFile

  /// - Throws: an error if the environment names no directory for the lists, or if a list cannot be read or changed.
  init(_ places: DesktopPlaces = DesktopPlaces(environment: DesktopPlaces.processEnvironment)) throws {
    self.places = places
    guard let directory = places.userConfiguration, let state = places.replacedDefaults,
      let choices = places.state.map({ "\($0)/choices.list" })
    else { throw HandlerError.noPlace }
    defaults = try UserFile("\(directory)/mimeapps.list")
    senders = try UserFile(places.senderChoices ?? "\(directory)/scened/choices")
    replaced = try UserFile(state)
    added = try UserFile(choices)
    let names = UriHandler.fileNames.map { "\(directory)/\($0)" }
    // Some desktops read only `intentapp.list`.
    let present = names.first { if case .missing = FileContents.read($0) { false } else { true } }
    hosts = try UserFile(present ?? names[0])
  }

  /// Changes and saves the lists, under a lock against other processes.
  ///
  /// If a list cannot be written, no list is changed. Each ``MadeEntry`` that no list names any more is removed.
  static func change<Result>(_ change: (inout HandlerLists) throws -> Result) throws -> Result {
    let places = DesktopPlaces(environment: DesktopPlaces.processEnvironment)
    let lock = try lock(in: places)
    defer { withExtendedLifetime(lock) {} }
    let before = try HandlerLists(places)
    var lists = before
    do {
      let result = try change(&lists)
      try UserFile.save([lists.replaced, lists.added, lists.defaults, lists.hosts, lists.senders])
      MadeEntry.removeAll(in: places, except: lists.mentions)
      // Only an empty directory is removed.
      places.userConfiguration.map { Host.removeDirectory("\($0)/scened") }
      return result
    } catch {
      MadeEntry.removeAll(in: places, except: before.mentions)
      throw error
    }
  }

  /// Returns when a running router uses the choice.
  static func save(_ id: String, for key: ChoiceKey) async throws {
    try change { try $0.choose(id, for: key, before: nil) }
    await HandlerCommand.putInForce()
  }

  private static func lock(in places: DesktopPlaces) throws -> UserFileLock {
    guard let state = places.state else { throw HandlerError.noPlace }
    return try UserFileLock("\(state)/lock")
  }

  /// Makes the entry for the time of `use`; it stays if a choice names it.
  ///
  /// The lock keeps other processes of this tool from removing the entry meanwhile.
  static func withEntry<Result>(_ entry: MadeEntry, _ use: () async throws -> Result) async throws -> Result {
    let places = DesktopPlaces(environment: DesktopPlaces.processEnvironment)
    let lock = try lock(in: places)
    defer { withExtendedLifetime(lock) {} }
    let mentions = try HandlerLists(places).mentions
    defer { MadeEntry.removeAll(in: places, except: mentions) }
    try entry.save(in: places)
    await HandlerCommand.putInForce()
    return try await use()
  }

  private var mentions: Set<String> {
    Set((choices + removableAssociations).flatMap(\.applications))
  }
}

extension HandlerLists {
  /// Types in the order of the file, hosts in alphabetical order, then the choices for senders.
  var choices: [Choice] {
    let types = defaults.contents.associations(in: .defaults).map { choice($0, .type($0.key), in: defaults) }
    let ofHosts = hosts.contents.associations(in: .hosts).sorted { $0.key < $1.key }.map {
      choice($0, .host($0.key), in: hosts)
    }
    return (types + ofHosts + choicesBySender(in: senders)).filter { !$0.applications.isEmpty }
  }

  private func choicesBySender(in file: UserFile) -> [Choice] {
    SenderChoices.read(file.contents.bytes ?? []).choices.groups.flatMap { group in
      group.choices.map { choice($0, .type($0.key), from: group.sender, in: file) }
    }
  }

  private var removableAssociations: [Choice] {
    defaults.contents.associations(in: .added).map { choice($0, .type($0.key), in: defaults) }
  }

  private func choice(
    _ association: Association,
    _ handled: Handled,
    from sender: String? = nil,
    in file: UserFile
  ) -> Choice {
    Choice(
      key: ChoiceKey(handled: handled, sender: sender),
      applications: association.ids,
      path: file.path,
      line: association.line
    )
  }

  func choice(for key: ChoiceKey) -> Choice? { choices.first { $0.key == key } }

  private func place(
    of key: ChoiceKey
  ) -> (list: WritableKeyPath<HandlerLists, UserFile>, name: String, group: AssociationGroup) {
    switch (key.handled, key.sender) {
    case (.host(let host), _): return (\.hosts, host, .hosts)
    case (.type(let type), nil): return (\.defaults, type, .defaults)
    case (.type(let type), let sender?): return (\.senders, type, senders.contents.group(ofSender: sender))
    }
  }
}

// MARK: - Choosing

extension HandlerLists {
  /// `before` opened the links or files before; it is saved as the replaced default of a type if `id` is ``ownID``.
  ///
  /// - Throws: an error if a desktop's own list has a default for the type, or if the key or the id cannot be written.
  mutating func choose(_ id: String, for key: ChoiceKey, before: String?) throws {
    let place = place(of: key)
    let count = choice(for: key)?.applications.count ?? 0
    try edit(place.list, key) { $0.choose(id, for: place.name, in: place.group) }
    if let after = choice(for: key)?.applications.count, after > count {
      let group = groupOfAdded(place.group, key)
      try edit(\.added, key) { $0.choose(id, for: place.name, in: group) }
    }
    guard place.group == .defaults else { return }
    try requireNoOtherList(for: key, place.name)
    // A default needs an association with the type (specification of mimeapps.list). An entry without types, such as
    // the router's, gets it in the user's list; without types, nobody chooses it by accident.
    if Self.isWithoutTypes(id) {
      try edit(\.defaults, key) { $0.choose(id, for: place.name, in: .added) }
    }
    if id == Self.ownID, let before {
      try edit(\.replaced, key) { $0.choose(before, for: place.name, in: .defaults) }
    }
  }

  /// The name of a sender's group may be spelled in another way there.
  private func groupOfAdded(_ group: AssociationGroup, _ key: ChoiceKey) -> AssociationGroup {
    key.sender.map(added.contents.group(ofSender:)) ?? group
  }

  private static func isWithoutTypes(_ id: String) -> Bool { id == ownID || MadeEntry.isMade(id) }

  private mutating func edit(
    _ list: WritableKeyPath<HandlerLists, UserFile>,
    _ key: ChoiceKey,
    _ change: (inout AssociationFile) -> Bool
  ) throws {
    guard change(&self[keyPath: list].contents) else {
      throw UserFileError(
        self[keyPath: list].path,
        line: nil,
        "'\(key)' cannot be written into the file.".printable
      )
    }
  }

  /// Such a list, for example `gnome-mimeapps.list`, would override the changed list.
  private func requireNoOtherList(for key: ChoiceKey, _ type: String) throws {
    guard let directory = places.userConfiguration else { return }
    for name in places.names(ofLists: "mimeapps.list") where name.isDesktopSpecific {
      guard case .file(let bytes, _) = FileContents.read("\(directory)/\(name.name)") else { continue }
      let defaults = AssociationFile(bytes).associations(in: .defaults)
      guard let other = defaults.first(where: { $0.key == type && !$0.ids.isEmpty }) else { continue }
      throw HandlerError(
        "\(directory)/\(name.name):\(other.line): The default for '\(key)' here comes first; remove it there."
      )
    }
  }
}

// MARK: - Undoing choices

extension HandlerLists {
  /// The next application in each choice becomes the chosen one.
  ///
  /// - Throws: an error if no application is chosen for a key.
  mutating func removeChoices(for keys: [ChoiceKey]) throws {
    for key in keys {
      guard let choice = choice(for: key) else {
        throw HandlerError("No application is chosen for '\(key)' in your lists.".printable)
      }
      remove(choice.applications[0], key)
    }
  }

  mutating func removeChoices(from sender: String) -> [ChoiceKey] {
    let removed = choices.filter { $0.key.sender == sender }
    for choice in removed { for id in choice.applications { remove(id, choice.key) } }
    return removed.map(\.key)
  }

  /// Removes the router's entry and the entry of the menu from all choices, also from those of other programs.
  ///
  /// The association that the tool added for its own entry goes too, even if another program has made itself the
  /// default since.
  mutating func removeOwnChoices() -> [ChoiceKey] {
    let own = [Self.ownID, MadeEntry.askID]
    let removed = (choices + removableAssociations).filter { $0.applications.contains(where: own.contains) }
    for choice in removed {
      for id in choice.applications where own.contains(id) { remove(id, choice.key) }
    }
    return removed.map(\.key).reduce(into: []) { keys, key in if !keys.contains(key) { keys.append(key) } }
  }

  /// Removes everything that ``choose(_:for:before:)`` has added and nobody has removed since.
  mutating func removeAllChoices() -> [ChoiceKey] {
    let types = added.contents.associations(in: .defaults).map { choice($0, .type($0.key), in: added) }
    let ofHosts = added.contents.associations(in: .hosts).map { choice($0, .host($0.key), in: added) }
    let all = types + ofHosts + choicesBySender(in: added)
    for choice in all {
      for id in choice.applications { remove(id, choice.key) }
    }
    let keys = all.map(\.key)
    return keys + removeOwnChoices().filter { !keys.contains($0) }
  }

  private mutating func remove(_ id: String, _ key: ChoiceKey) {
    let place = place(of: key)
    self[keyPath: place.list].contents.remove(id, for: place.name, in: place.group)
    added.contents.remove(id, for: place.name, in: groupOfAdded(place.group, key))
    guard place.group == .defaults, choice(for: key)?.applications.contains(id) != true else { return }
    if Self.isWithoutTypes(id) { defaults.contents.remove(id, for: place.name, in: .added) }
    guard id == Self.ownID else { return }
    let forgotten = replaced.contents.associations(in: .defaults).filter { $0.key == place.name }
    for id in forgotten.flatMap(\.ids) { replaced.contents.remove(id, for: place.name, in: .defaults) }
  }
}

struct HandlerError: Error, CustomStringConvertible {
  let description: String

  init(_ sentence: String) { description = sentence }

  fileprivate static let noPlace = HandlerError(
    "Your lists cannot be found: set $HOME, or $XDG_CONFIG_HOME and $XDG_STATE_HOME."
  )
}
