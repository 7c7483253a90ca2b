import DesktopEntries
import Glibc
import Installed
import SceneClient

/// Why nobody takes an event.
struct MissingTarget {
  /// If nothing more precise is known.
  static let unknown = "no open scene and no declaration takes it"

  let event: Event
  let scope: RoutingScope
  let router: RouterOptions
  /// The file that was looked for before the argument counted as a URL.
  var absentFile: String?

  /// A clause without a full stop.
  ///
  /// May ask the router for the declared applications, and read the desktop entries.
  func reason(_ connection: RouterConnection) async -> String {
    if let scene = scope.sceneID { return "scene \(scene) does not take it".printable }
    if let application = scope.applicationID {
      return "no scene and no declaration of \(application) takes it".printable
    }
    if isMissingFile { return "no open scene takes it, and there is no such file" + newScenes }
    guard let claim else { return Self.unknown + newScenes }
    guard let claimants = try? await connection.applications().filter(isClaimed) else {
      return Self.unknown + newScenes
    }
    guard claimants.isEmpty else {
      let names = claimants.map(\.id).abridged
      let verb = claimants.count == 1 ? "claims" : "claim"
      return "\(names) \(verb) \(claim), but no scene or declaration of it takes this".printable + newScenes
    }
    let browser = claim == "http:" || claim == "https:" ? "; no web browser is installed" : ""
    let file = absentFile.map { "; there is no file '\($0)' either" } ?? ""
    return "no open scene takes it, and no application claims \(claim)\(browser)\(file)".printable + newScenes
      + broken
  }

  private var newScenes: String { scope.allowsNewScene ? "" : "; no new scene was allowed" }

  /// The activity type, MIME type or scheme that an application could claim to get the event.
  private var claim: String? {
    if let activity = event.activity { return activity.activityType }
    guard let scheme = event.url?.urlScheme else { return nil }
    return scheme == "file" ? event.contentType : scheme + ":"
  }

  /// The type of a missing file is unknown, so no application could claim it.
  private var isMissingFile: Bool {
    guard router.host == nil, event.contentType == nil, let url = event.url, url.urlScheme == "file",
      let path = FileURL.path(of: url, onMachine: Host.machineName)
    else { return false }
    return FileLook(at: FileArgument.path(path[...])).code == ENOENT
  }

  private func isClaimed(by application: ApplicationDescription) -> Bool {
    guard let claims = application.claims, let claim else { return false }
    return claims.schemes.contains { $0.lowercased() + ":" == claim }
      || claims.mimeTypes.contains { covers($0, claim) }
      || claims.activityTypes.contains(claim)
  }

  /// `claimed` may be a family such as `image/*`.
  private func covers(_ claimed: String, _ type: String) -> Bool {
    claimed == type || claimed.hasSuffix("/*") && type.hasPrefix(claimed.dropLast())
  }

  /// The broken desktop entries that name the event's type, as clauses with the file and the line.
  private var broken: String {
    guard !router.system, router.host == nil, let type = mimeType else { return "" }
    let places = DesktopPlaces(environment: DesktopPlaces.processEnvironment, manager: { _ in nil })
    let complaints = InstalledApplications(reading: places).complaints.filter { complaint in
      guard complaint.complaint.severity == .error,
        case .file(let bytes, _) = FileContents.read(complaint.path)
      else { return false }
      return String(decoding: bytes, as: UTF8.self).split { ";=\n".contains($0) }.contains { $0 == type }
    }
    return complaints.prefix(3).map { found in
      let place = "\(Host.abbreviated(found.path)):\(found.complaint.line)"
      return "; an entry that claims it is broken: \(place): \(found.complaint.text)".printable
    }.joined().droppingEnd
  }

  /// As desktop entries name it.
  private var mimeType: String? {
    if let type = event.contentType { return type }
    return event.url?.urlScheme.map { "x-scheme-handler/" + $0 }
  }
}

extension String {
  fileprivate var droppingEnd: String { hasSuffix(".") ? String(dropLast()) : self }
}
