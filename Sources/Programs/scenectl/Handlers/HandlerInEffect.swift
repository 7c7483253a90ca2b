import DesktopEntries
import Installed
import SceneRouting

/// The application that opens some links or files now, and why.
struct HandlerInEffect {
  let key: ChoiceKey
  /// The desktop id.
  let application: String
  /// What follows ``application`` in the line that chooses it.
  ///
  /// If the router opens a type, it is the application that would be the default without the router, which gets the
  /// links that no window and no host claim takes.
  let next: [String]
  /// The line that chooses the application; nil if nobody chose one.
  let source: (path: String, line: Int)?
  /// 0 for a host.
  let openerCount: Int

  var because: String {
    if let source { return "\(source.path.belowHome):\(source.line)" }
    return openerCount == 1 ? "the only one that opens it" : "the first of \(openerCount) that open it"
  }
}

extension HandlerInEffect {
  static func all(on desktop: InstalledDesktop, withTypes: Bool) throws -> [HandlerInEffect] {
    let lists = try HandlerLists(desktop.places)
    var keys = lists.choices.map(\.key)
    let types = desktop.types.filter { withTypes || DesktopEntry.scheme(ofType: $0) != nil }
    keys += types.sorted().map { ChoiceKey(handled: .type($0)) }.filter { !keys.contains($0) }
    return try keys.compactMap { try HandlerInEffect($0, on: desktop) }
  }

  /// Says what opens the links or files, also where nobody chose anything for exactly these.
  static func sentence(for key: ChoiceKey, on desktop: InstalledDesktop) throws -> String {
    if let found = try HandlerInEffect(key, on: desktop), found.source != nil || key.sender == nil {
      return "opened by \(found.account(on: desktop))"
    }
    if key.sender != nil {
      let found = try HandlerInEffect(ChoiceKey(handled: key.handled), on: desktop)
      return found.map { "opened as from all programs, by \($0.account(on: desktop))" }
        ?? nothing
    }
    guard case .host(let host) = key.handled else { return nothing }
    // One of the subdomains stands for all of them.
    let link = "https://" + (host.hasPrefix("*.") ? "any" + host.dropFirst() : host)
    let hosts = try HandlerLists(desktop.places).choices.filter { $0.key.handled != key.handled }
    let wider = hosts.compactMap { choice -> (claim: HostClaim, key: ChoiceKey)? in
      guard case .host(let host) = choice.key.handled else { return nil }
      return HostClaim(host).map { ($0, choice.key) }
    }
    if let claim = HostClaim.closest(to: link, among: wider.map(\.claim)),
      let wider = wider.first(where: { $0.claim == claim })?.key,
      let found = try HandlerInEffect(wider, on: desktop)
    {
      return "opened like \(wider), by \(found.account(on: desktop))"
    }
    if let claiming = desktop.applicationClaiming(link) {
      return "opened by \(desktop.name(of: claiming.entry.id)), which claims it"
    }
    let web = try HandlerInEffect(
      ChoiceKey(handled: .type(DesktopEntry.type(ofScheme: "https"))),
      on: desktop
    )
    return web.map { "opened like other web links, by \($0.account(on: desktop))" } ?? nothing
  }

  private static let nothing = "no application opens it"

  /// The opener and the reason; for people without the place of their choice.
  private func account(on desktop: InstalledDesktop) -> String {
    let reason = desktop.isForPeople && because.hasPrefix("~/") ? "your choice" : because
    return "\(opener(on: desktop)), \(reason)"
  }

  /// The name of the application; after that of the router, the application behind it.
  func opener(on desktop: InstalledDesktop) -> String {
    let name = desktop.name(of: application)
    guard application == HandlerLists.ownID, let behind = next.first else { return name }
    return "\(name), and by \(desktop.name(of: behind)) what no window wants"
  }

  /// Nil if no application opens the links or files.
  init?(_ key: ChoiceKey, on desktop: InstalledDesktop) throws {
    self.key = key
    let lines = try Self.lines(for: key, on: desktop)
    let chosen = lines.lazy.compactMap { line in
      line.ids.firstIndex(where: desktop.isUsable).map { (line: line, ids: line.ids[$0...]) }
    }.first
    source = chosen.map { ($0.line.path, $0.line.number) }
    guard case .type(let type) = key.handled else {
      guard let chosen, let first = chosen.ids.first else { return nil }
      (application, next, openerCount) = (first, chosen.ids.dropFirst().filter(desktop.isUsable), 0)
      return
    }
    openerCount = desktop.applications(for: type).count
    guard let id = chosen?.ids.first ?? desktop.defaultApplication(for: type) else { return nil }
    application = id
    if id == HandlerLists.ownID {
      next = [desktop.defaultApplication(for: type)].compactMap(\.self)
    } else {
      next = chosen?.ids.dropFirst().filter(desktop.isUsable) ?? []
    }
  }

  /// The most important first.
  private static func lines(
    for key: ChoiceKey,
    on desktop: InstalledDesktop
  ) throws -> [(path: String, number: Int, ids: [String])] {
    let places = desktop.places
    if key.sender != nil {
      return try HandlerLists(places).choices.filter { $0.key == key }.map {
        ($0.path, $0.line, $0.applications)
      }
    }
    let (names, group): ([String], AssociationGroup) =
      if case .type = key.handled { (["mimeapps.list"], .defaults) } else { (UriHandler.fileNames, .hosts) }
    var lines: [(path: String, number: Int, ids: [String])] = []
    for directory in places.configuration + places.applications {
      for name in names.flatMap({ places.names(ofLists: $0) }) {
        let path = "\(directory)/\(name.name)"
        guard case .file(let bytes, _) = FileContents.read(path) else { continue }
        let associations = AssociationFile(bytes).associations(in: group).filter { item in
          switch key.handled {
          case .type(let type): desktop.isSame(item.key, type)
          case .host(let host): Handled(host: item.key) == .host(host)
          }
        }
        lines += associations.map { (path, $0.line, $0.ids) }
      }
    }
    return lines
  }
}

extension String {
  var belowHome: String {
    guard let home = Host.variable("HOME"), hasPrefix(home + "/") else { return self }
    return "~" + dropFirst(home.count)
  }
}
