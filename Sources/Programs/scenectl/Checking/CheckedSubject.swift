import DesktopEntries
import Installed
import SceneClient
import SceneLint
import SceneRouting
import SystemPackage

extension CheckCommand {
  struct Subject {
    /// Of the user's service manager; nil without a manager.
    var environment: [String: String]?
    private var complaints: [Finding] = []
    private var applications: [LintedApplication] = []
    private var others: [LintedApplication] = []
    private var scenes: [LintedScene] = []
    private var choices: [LintedChoice] = []
    private var otherDefaults: [LintedChoice] = []
    private var browsers: RunningBrowsers?
    private var editors: [LintedEditor] = []
    private var desktopIDs: Set<String> = []
    private var places: DesktopPlaces?
    private var database = MIMEDatabase([])

    var findings: [Finding] {
      let linter = Linter(
        applications,
        others: others,
        scenes: scenes,
        choices: choices,
        otherDefaults: otherDefaults,
        hosts: browsers?.hosts ?? [],
        browsers: browsers?.browsers ?? [],
        editors: editors,
        database: database,
        environment: environment.map { environment in { environment[$0] } },
        hasProgram: { places?.hasProgram($0) ?? true },
        hasService: { places?.hasService($0) ?? true },
        isInstalled: { desktopIDs.contains($0) }
      )
      return complaints + linter.findings
    }

    mutating func read(_ places: DesktopPlaces) {
      let installed = InstalledApplications(reading: places)
      self.places = places
      browsers = RunningBrowsers(places)
      editors = LintedEditor.installed(among: installed.applications.values, places)
      database = installed.fileTypes
      complaints = installed.complaints.map { Finding($0.complaint, in: $0.path) }
      applications = installed.applications.values.sorted { $0.entry.id < $1.entry.id }
        .map { LintedApplication($0) }
      desktopIDs = Set(installed.applications.values.map(\.entry.id) + [InstalledApplication.routersOwnID])
      guard let directory = places.userConfiguration else { return }
      choices = Self.choices(in: directory, places)
      otherDefaults = Self.otherDefaults(in: directory, places)
    }

    /// Returns the lines that make another application the default, although the user chose the router.
    ///
    /// The user chose it for a type if `mimeapps.list` has an added association with the router's own entry, which only
    /// `scenectl handler` adds and removes. A default line that still names the router means that the router is the
    /// default, or that the user put another application before it.
    private static func otherDefaults(in directory: String, _ places: DesktopPlaces) -> [LintedChoice] {
      let lists = places.names(ofLists: "mimeapps.list").compactMap { name, _ in
        Self.file("\(directory)/\(name)").map { ($0.path, MIMEAppsList.read($0.bytes).list) }
      }
      let chosen = lists.flatMap(\.1.added).filter { $0.ids.contains(HandlerLists.ownID) }
      return chosen.compactMap { association in
        let lines = lists.compactMap { path, list in list.defaults(for: association.key).map { (path, $0) } }
        let isChosen = lines.contains { $0.1.ids.contains(HandlerLists.ownID) }
        guard let (path, line) = lines.first, !isChosen else { return nil }
        return LintedChoice(line.ids, for: "\(Handled.type(line.key))", at: line.line, of: path)
      }
    }

    private static func file(_ path: String) -> (path: String, bytes: [UInt8])? {
      if case .file(let bytes, _) = FileContents.read(path) { (path, bytes) } else { nil }
    }

    /// Only the user's own files and, in `mimeapps.list`, only the defaults are read: distributions' lists and the
    /// associations that desktops add may name applications that are not installed.
    private static func choices(in directory: String, _ places: DesktopPlaces) -> [LintedChoice] {
      func files(_ names: [String]) -> [(path: String, bytes: [UInt8])] {
        names.flatMap { places.names(ofLists: $0) }.map { "\(directory)/\($0.name)" }.compactMap { file($0) }
      }
      let types = files(["mimeapps.list"]).flatMap { path, bytes in
        MIMEAppsList.read(bytes).list.defaults.map { LintedChoice($0, in: path) }
      }
      let hosts = files(UriHandler.fileNames).flatMap { path, bytes in
        HostChoices.read([bytes]).choices.choices.sorted { $0.key < $1.key }.flatMap { host, choices in
          choices.map { LintedChoice([$0.id], for: host, at: $0.line, of: path) }
        }
      }
      let senders = places.senderChoices.flatMap { file($0) }.map { path, bytes in
        SenderChoices.read(bytes).choices.groups.flatMap(\.choices).map { LintedChoice($0, in: path) }
      }
      return types + hosts + (senders ?? [])
    }

    /// A declaration over a connection replaces the desktop entry of the same application.
    mutating func add(
      _ declared: [SceneClient.ApplicationDescription],
      _ scenes: [SceneClient.SceneDescription]
    ) {
      let connected = declared.filter { $0.source == .connection }
      applications.removeAll { application in
        connected.contains { $0.id == application.declaration.applicationID }
      }
      applications = connected.map { LintedApplication(ApplicationDeclaration($0)) } + applications
      self.scenes = scenes.map { scene in
        LintedScene(
          id: scene.id,
          applicationID: scene.applicationID,
          declarationID: scene.declarationID,
          showing: scene.registrations.flatMap(\.showing),
          preferring: scene.registrations.flatMap(\.preferring),
          allowing: scene.registrations.flatMap(\.allowing)
        )
      }
    }

    /// Limits the check to `files`; the installed entries are only compared with them.
    ///
    /// - Throws: the error of the first file that cannot be read; the other files are still selected.
    mutating func select(_ files: [String]) throws(CheckError) {
      var failure: CheckError?
      var selected: [LintedApplication] = []
      (complaints, choices, otherDefaults, environment, browsers, editors) = ([], [], [], nil, nil, [])
      for path in files {
        switch FileContents.read(path) {
        case .file(let bytes, _): if let application = check(bytes, path) { selected.append(application) }
        case .missing: failure = failure ?? CheckError(path, "There is no such file.")
        case .nullDevice: break
        case .unreadable(let reason):
          failure = failure ?? CheckError(path, "The file cannot be read: \(reason).")
        }
      }
      others = applications.filter { application in
        !selected.contains { $0.declaration.applicationID == application.declaration.applicationID }
      }
      applications = selected
      if let failure { throw failure }
    }

    /// Whether an empty file at the path is no mistake, because it hides another file with its id.
    private func hides(_ id: String, _ path: String) -> Bool {
      let directories = (places?.own ?? []) + (places?.applications ?? [])
      let own = Host.canonicalPath(FilePath(path))
      return directories.contains { directory in
        let other = Host.canonicalPath(FilePath("\(directory)/\(id)"))
        return other != nil && other != own
      }
    }

    private mutating func check(_ bytes: [UInt8], _ path: String) -> LintedApplication? {
      let name = path.split(separator: "/").last.map(String.init) ?? path
      let id = DesktopEntry.id(ofPath: name)
      if id == nil {
        let text = "The name of the file does not end in '.desktop'; rename the file."
        complaints.append(Finding(Complaint(line: 1, severity: .error, text: text), in: path))
      }
      if bytes.isEmpty, let id, !hides(id, path) { complaints.append(Finding(.emptyEntry, in: path)) }
      let locale = places?.locale ?? LocaleName("")
      let (file, found) = DesktopEntryFile.read(bytes, id: id ?? name, locale: locale)
      complaints += found.map { Finding($0, in: path) }
      guard case .application(let entry) = file else { return nil }
      let application = InstalledApplication(entry: entry, path: path)
      if let complaint = application.complaint(under: Limits()) {
        complaints.append(Finding(complaint, in: path))
      }
      return LintedApplication(application)
    }
  }
}

struct CheckError: Error, CustomStringConvertible {
  let description: String

  init(_ path: String, _ sentence: String) { description = "\(path): \(sentence)".printable }
}

extension LintedChoice {
  fileprivate init(_ association: Association, in path: String) {
    self.init(association.ids, for: association.key, at: association.line, of: path)
  }
}

extension LintedApplication {
  fileprivate init(_ application: InstalledApplication) {
    self.init(ApplicationDeclaration(application), entry: application.entry)
  }
}

extension ApplicationDeclaration {
  fileprivate init(_ description: SceneClient.ApplicationDescription) {
    self.init(
      applicationID: description.id,
      scenes: description.scenes,
      claims: description.claims ?? Claims(),
      isSingleScene: description.isSingleScene
    )
  }
}
