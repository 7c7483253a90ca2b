import DesktopEntries
import Installed
import SceneRouting

/// The installed applications and their types, read as the router reads them.
struct InstalledDesktop {
  /// Whether applications are named as people know them, and not by their ids.
  let isForPeople: Bool
  let places: DesktopPlaces
  private let installed: InstalledApplications
  private let associations: MIMEAssociations
  /// The MIME types that at least one application opens; `x-scheme-handler/SCHEME` is the type of a URL scheme.
  let types: Set<String>

  init(isForPeople: Bool = false) {
    self.isForPeople = isForPeople
    places = DesktopPlaces(environment: DesktopPlaces.processEnvironment)
    let (installed, associations) = InstalledApplications.withAssociations(reading: places)
    self.installed = installed
    self.associations = associations
    let known = associations.knownTypes.filter { type in
      type.applications.contains { installed.applications[$0]?.entry.takesEvents == true }
    }
    types = Set(known.map(\.name))
  }

  func application(_ id: String) -> InstalledApplication? { installed.applications[id] }

  var applications: [InstalledApplication] { installed.applications.values.filter(\.entry.takesEvents) }

  /// Whether an entry can open links or files; the router's own only has to be installed.
  func isUsable(_ id: String) -> Bool {
    if id == HandlerLists.ownID { return isRouterInstalled }
    return application(id)?.entry.takesEvents == true
  }

  private var isRouterInstalled: Bool {
    places.applications.contains { directory in
      if case .file = FileContents.read("\(directory)/\(HandlerLists.ownID)") { true } else { false }
    }
  }

  /// The router itself does not count.
  func defaultApplication(for type: String) -> String? {
    associations.defaultApplication(for: type) { $0 != HandlerLists.ownID && isUsable($0) }
  }

  /// The most preferred first.
  func applications(for type: String) -> [InstalledApplication] {
    associations.applications(for: type).compactMap(application).filter(\.entry.takesEvents)
  }

  /// A type can have aliases.
  func isSame(_ type: String, _ other: String) -> Bool {
    type == other || installed.fileTypes.unaliased(type) == installed.fileTypes.unaliased(other)
  }

  /// First those that claim the host, then the browsers.
  func applications(forHost host: String) -> [InstalledApplication] {
    let all = installed.sorted(for: .scheme("https")).filter(\.entry.takesEvents)
    let claiming = all.filter { $0.entry.claims.hosts.contains { Self.covers($0, host) } }
    let browsers = all.filter { application in
      !application.entry.claims.schemes.allSatisfy { $0 != "https" && $0 != "http" }
        && !claiming.contains { $0.entry.id == application.entry.id }
    }
    return claiming + browsers
  }

  /// Nil if no installed application claims the host of a web link.
  func applicationClaiming(_ link: String) -> InstalledApplication? {
    let claims = applications.sorted { $0.entry.id < $1.entry.id }.flatMap { application in
      application.entry.claims.hosts.compactMap(HostClaim.init).map { (claim: $0, application: application) }
    }
    let closest = HostClaim.closest(to: link, among: claims.map(\.claim))
    return claims.first { $0.claim == closest }?.application
  }

  /// The claim is the host, or `*.DOMAIN` for a domain above it; paths are ignored.
  private static func covers(_ claim: String, _ host: String) -> Bool {
    let claimed = claim.prefix { $0 != "/" }.lowercased()
    let name = host.prefix { $0 != "/" }
    return claimed == name || claimed.hasPrefix("*.") && name.hasSuffix(claimed.dropFirst())
  }
}

extension InstalledDesktop {
  /// `name` may lack the ending `.desktop`.
  func id(named name: String) -> String? {
    if name.asApplicationID == HandlerLists.ownID.asApplicationID { return HandlerLists.ownID }
    if application(name) != nil { return name }
    // An id can end in `.desktop` twice: `org.telegram` also finds `org.telegram.desktop.desktop`.
    return installed.applications.keys.sorted().first { $0.asApplicationID == name.asApplicationID }
  }

  /// `scened` for its own entry, the `Name` for people or of an entry that the tool has made, else the id without the
  /// ending `.desktop`.
  func name(of id: String) -> String {
    if id == HandlerLists.ownID { return "scened" }
    let entry = isForPeople || MadeEntry.isMade(id) ? application(id)?.entry : nil
    return entry?.name ?? id.asApplicationID
  }

  /// The `Name` of the application's entry; nil for an application without one.
  func properName(of applicationID: String) -> String? { application("\(applicationID).desktop")?.entry.name }

  func idsLike(_ name: String) -> [String] {
    let ids = installed.applications.keys.map(\.asApplicationID).filter { !MadeEntry.isMade($0 + ".desktop") }
    return name.asApplicationID.similar(among: ids)
  }

  func schemesLike(_ scheme: String) -> [String] {
    scheme.similar(among: types.compactMap(DesktopEntry.scheme(ofType:)))
  }
}
