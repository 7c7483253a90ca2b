package import DesktopEntries
package import SceneRouting

package struct InstalledApplications: Sendable {
  /// Equals the default of ``Limits/scenesPerUser``.
  static let maximumFiles = 16_384
  /// Each directory is watched, and the system limits the watches of a user.
  static let maximumDirectories = 4096
  /// For one type; each application in the order costs a look-up of its own, and people order far fewer by hand.
  static let maximumOrder = 64

  /// By desktop id, without the router's own entry.
  package private(set) var applications: [String: InstalledApplication] = [:]
  package private(set) var preferences: [ClaimKey: ClaimPreferences] = [:]
  package private(set) var hostChoices = HostChoices()
  /// Each choice in ``hostChoices`` has the index of its file.
  private var hostChoiceFiles: [String] = []
  package private(set) var senderChoices = SenderChoices()
  private var senderChoiceFile = ""
  /// The first line that names the application as a default for the type.
  private var listedDefaults: [ListedDefault: FileLine] = [:]
  /// What the user had before the router's own entry became the default.
  private var replacedDefaults = MIMEAppsList.read([]).list
  package private(set) var fileTypes = MIMEDatabase([])
  package private(set) var complaints: [FileComplaint] = []
  /// By path; an entry that cannot be used now keeps its application from an earlier reading.
  private var entries: [String: InstalledApplication] = [:]
  /// All files except desktop entries, by path; an unreadable file keeps the contents of an earlier reading.
  private var files: [String: [UInt8]] = [:]

  private struct ListedDefault: Hashable {
    let type: String
    let id: String
  }

  package init() {}

  package func application(withID id: String) -> InstalledApplication? {
    // `wiki` can be the application id of a file `wiki.desktop.desktop`.
    applications[id + ".desktop"] ?? applications.values.first { $0.id == id }
  }

  package var fileDeclarations: FileDeclarations {
    FileDeclarations(
      applications: applications.values.map { ApplicationDeclaration($0) },
      preferences: preferences,
      hostChoices: chosenForHosts,
      senderChoices: chosenForSenders,
      fileTypes: fileTypes.isEmpty ? nil : fileTypes
    )
  }

  private var chosenForHosts: [HostClaim: UserChoice] {
    var chosen: [HostClaim: UserChoice] = [:]
    for (host, choices) in hostChoices.choices {
      guard let claim = HostClaim(host), let choice = choices.first(where: { takesEvents($0.id) }) else {
        continue
      }
      let line = FileLine(path: hostChoiceFiles[choice.file], line: choice.line)
      chosen[claim] = UserChoice(choice.id, source: "\(line)")
    }
    return chosen
  }

  private var chosenForSenders: [String: [ClaimKey: UserChoice]] {
    var chosen: [String: [ClaimKey: UserChoice]] = [:]
    for group in senderChoices.groups {
      for choice in group.choices {
        let key = ClaimKey(type: fileTypes.unaliased(choice.key))
        guard let id = choice.ids.first(where: takesEvents), chosen[group.sender]?[key] == nil else {
          continue
        }
        let line = FileLine(path: senderChoiceFile, line: choice.line)
        chosen[group.sender, default: [:]][key] = UserChoice(id, source: "\(line)")
      }
    }
    return chosen
  }

  private func takesEvents(_ id: String) -> Bool { applications[id]?.entry.takesEvents == true }
}

package struct FileComplaint: Hashable, Sendable, CustomStringConvertible {
  package let path: String
  package let complaint: Complaint

  package var description: String { "\(path):\(complaint)" }
}

// MARK: - Reading

extension InstalledApplications {
  /// Waits for the disk, and must not run on the routing queue.
  ///
  /// A file that cannot be used now keeps its contents from `previous`. `willRead` gets each directory of entries, and
  /// each entry that may be a link, before either is read.
  package init(
    reading places: DesktopPlaces,
    after previous: InstalledApplications = InstalledApplications(),
    limits: Limits = Limits(),
    owners: FileOwners = .root,
    willRead: (String) -> Void = { _ in }
  ) {
    self.init()
    read(places, after: previous, limits, owners, willRead)
  }

  package static func withAssociations(
    reading places: DesktopPlaces,
    owners: FileOwners = .root
  ) -> (applications: InstalledApplications, associations: MIMEAssociations) {
    var applications = InstalledApplications()
    let associations = applications.read(places, after: InstalledApplications(), Limits(), owners) { _ in }
    return (applications, associations)
  }

  @discardableResult
  private mutating func read(
    _ places: DesktopPlaces,
    after previous: InstalledApplications,
    _ limits: Limits,
    _ owners: FileOwners,
    _ willRead: (String) -> Void
  ) -> MIMEAssociations {
    files = previous.files
    let replaced = places.replacedDefaults.flatMap { readList($0, isDesktopSpecific: false) }
    fileTypes = MIMEDatabase(places.mime) { readFile($0) }
    replacedDefaults = replaced ?? MIMEAppsList.read([]).list
    var directories = places.configuration.map { path in
      MIMEAssociations.Directory(lists: readLists(in: path, places))
    }
    var reader = EntryReader(places, after: previous.entries, owners: owners)
    for path in places.own {
      directories.append(.init(lists: [], entries: reader.read(path, willRead: willRead)))
    }
    for path in places.applications {
      let lists = readLists(in: path, places)
      directories.append(.init(lists: lists, entries: reader.read(path, willRead: willRead)))
    }
    complaints += reader.complaints + reader.complaintsAboutEmptyFiles
    readHostChoices(places)
    readSenderChoices(places, owners)
    let associations = MIMEAssociations(directories, database: fileTypes)
    entries = Dictionary(uniqueKeysWithValues: reader.applications.map { ($0.path, $0) })
    join(reader.applications, associations.knownTypes, after: previous, limits)
    listedDefaults = [:]
    return associations
  }

  private mutating func readLists(in directory: String, _ places: DesktopPlaces) -> [MIMEAppsList] {
    places.names(ofLists: "mimeapps.list").compactMap { name, isDesktopSpecific in
      let path = "\(directory)/\(name)"
      guard let list = readList(path, isDesktopSpecific: isDesktopSpecific) else { return nil }
      note(list.defaults, in: path, replacedIn: places.replacedDefaults ?? "")
      // The router needs the application that was the default before its own entry.
      return list.replacing(InstalledApplication.routersOwnID, with: replacedDefaults)
    }
  }

  /// For each type for which `defaults` names the router's own entry, the lines of the file `replaced` count.
  private mutating func note(_ defaults: [Association], in path: String, replacedIn replaced: String) {
    func add(_ id: String, _ type: String, _ line: FileLine) {
      let key = ListedDefault(type: fileTypes.unaliased(type), id: id)
      if listedDefaults[key] == nil { listedDefaults[key] = line }
    }
    for item in defaults {
      for id in item.ids where id != InstalledApplication.routersOwnID {
        add(id, item.key, FileLine(path: path, line: item.line))
      }
      guard item.ids.contains(InstalledApplication.routersOwnID),
        let earlier = replacedDefaults.defaults(for: item.key)
      else { continue }
      for id in earlier.ids { add(id, item.key, FileLine(path: replaced, line: earlier.line)) }
    }
  }

  private mutating func readList(_ path: String, isDesktopSpecific: Bool) -> MIMEAppsList? {
    guard let bytes = readFile(path) else { return nil }
    let (list, complaints) = MIMEAppsList.read(bytes, isDesktopSpecific: isDesktopSpecific)
    self.complaints += complaints.map { FileComplaint(path: path, complaint: $0) }
    return list
  }

  private mutating func readHostChoices(_ places: DesktopPlaces) {
    var lists: [(path: String, bytes: [UInt8])] = []
    for directory in places.configuration + places.applications {
      for name in UriHandler.fileNames.flatMap({ places.names(ofLists: $0) }) {
        let path = "\(directory)/\(name.name)"
        if let bytes = readFile(path) { lists.append((path, bytes)) }
      }
    }
    let (choices, complaints) = HostChoices.read(lists.map(\.bytes))
    hostChoices = choices
    hostChoiceFiles = lists.map(\.path)
    for (list, complaints) in zip(lists, complaints) {
      self.complaints += complaints.map { FileComplaint(path: list.path, complaint: $0) }
    }
  }

  /// The choices decide where links go, so a file that another user can change keeps its choices from an earlier
  /// reading.
  private mutating func readSenderChoices(_ places: DesktopPlaces, _ owners: FileOwners) {
    guard let path = places.senderChoices, let bytes = readFile(path, keptBy: owners) else { return }
    let (choices, complaints) = SenderChoices.read(bytes)
    (senderChoices, senderChoiceFile) = (choices, path)
    self.complaints += complaints.map { FileComplaint(path: path, complaint: $0) }
  }

  /// For files other than desktop entries; one that cannot be used now keeps its previous contents.
  private mutating func readFile(_ path: String, keptBy owners: FileOwners? = nil) -> [UInt8]? {
    switch FileContents.read(path) {
    case .file(_, let status) where owners?.keep(status) == false:
      let reason = "another user can change it; make it yours and let nobody else write to it"
      complaints.append(.unreadable(path, reason))
    case .file(let bytes, _) where bytes.count <= DesktopEntryFile.maximumSize: files[path] = bytes
    case .file: complaints.append(.unreadable(path, "it is larger than a megabyte"))
    case .missing, .nullDevice: files[path] = nil
    case .unreadable(let reason): complaints.append(.unreadable(path, reason))
    }
    return files[path]
  }
}

// MARK: - Joining

extension InstalledApplications {
  /// Each application gets claims of the types and schemes that it opens.
  private mutating func join(
    _ found: [InstalledApplication],
    _ types: [MIMEAssociations.KnownType],
    after previous: InstalledApplications,
    _ limits: Limits
  ) {
    var claims: [String: Claims] = [:]
    for type in types {
      for id in type.applications { claims[id, default: Claims()].add(type: type.name) }
      for id in type.defaults where !type.applications.contains(id) {
        claims[id, default: Claims()].add(type: type.name)
      }
    }
    // `wiki.desktop` and `wiki.desktop.desktop` have the same application id; the shortest desktop id counts.
    let chosen = Dictionary(found.map { ($0.id, $0.entry.id) }) { $0.utf8.count < $1.utf8.count ? $0 : $1 }
    for var application in found {
      let id = application.entry.id
      if let other = chosen[application.id], other != id {
        let text = "The application id is that of '\(other)' too, which counts; rename one of the files."
        complaints.append(
          FileComplaint(path: application.path, complaint: Complaint(line: 1, severity: .error, text: text))
        )
        continue
      }
      application.entry.claims.schemes = claims[id]?.schemes ?? []
      application.entry.claims.mimeTypes = claims[id]?.mimeTypes ?? []
      if let complaint = application.complaint(under: limits) {
        complaints.append(FileComplaint(path: application.path, complaint: complaint))
        entries[application.path] = previous.entries[application.path]
        guard let before = previous.applications[id], before.path == application.path else { continue }
        application = before
      }
      applications[id] = application
    }
    for type in types {
      let chosen = type.defaults.first(where: takesEvents)
      let line = chosen.flatMap { listedDefaults[ListedDefault(type: type.name, id: $0)] }
      let said = ClaimPreferences(
        defaultApplication: chosen,
        defaultSource: line?.description,
        order: Array((type.defaults + type.added).prefix(Self.maximumOrder)),
        removed: type.removed
      )
      if said != ClaimPreferences() { preferences[ClaimKey(type: type.name)] = said }
    }
  }

  /// Applications that no `mimeapps.list` names for the key come last, sorted by id.
  package func sorted(for key: ClaimKey) -> [InstalledApplication] {
    let order = preferences[key]?.order ?? []
    return applications.values.sorted {
      (order.firstIndex(of: $0.entry.id) ?? .max, $0.entry.id)
        < (order.firstIndex(of: $1.entry.id) ?? .max, $1.entry.id)
    }
  }
}

extension ClaimKey {
  /// A type that stands for a URL scheme becomes the scheme's key.
  fileprivate init(type: String) {
    self = DesktopEntry.scheme(ofType: type).map { .scheme($0) } ?? .mimeType(type)
  }
}

extension Claims {
  fileprivate mutating func add(type: String) {
    switch ClaimKey(type: type) {
    case .scheme(let scheme): schemes.append(scheme)
    case .mimeType(let type): mimeTypes.append(type)
    case .activityType: break
    }
  }
}

extension FileComplaint {
  static func unreadable(_ path: String, _ reason: String) -> FileComplaint {
    let text = "The file cannot be read: \(reason)."
    return FileComplaint(path: path, complaint: Complaint(line: 1, severity: .error, text: text))
  }
}

extension Complaint {
  /// An empty file is meant to hide entries with its id in less important directories.
  package static let emptyEntry = Complaint(
    line: 1,
    severity: .warning,
    text:
      "The file is empty, and there is no entry of this name that it hides. Write an entry, or remove the file."
  )
}
