import DesktopEntries
import Installed
import SceneClient

/// The names by which people know windows and applications.
struct KnownNames {
  /// The most scenes that are asked for one by one; for more, a list of all open scenes is shorter.
  private static let mostCalls = 20

  private var titles: [String: String] = [:]
  private var applications: [String: String] = [:]

  /// The names of applications are read in the desktop entries of this machine.
  ///
  /// A scene that the router does not know any more has no title.
  init(ofScenes ids: [String?], applications: [String?] = [], _ connection: RouterConnection) async {
    let ids = Set(ids.compactMap(\.self))
    if ids.count > Self.mostCalls {
      for scene in (try? await connection.scenes()) ?? [] where ids.contains(scene.id) { learn(scene) }
    } else {
      for id in ids { if let scene = try? await connection.scenes(id: id).first { learn(scene) } }
    }
    await readNames(ofApplications: applications, connection)
  }

  init() {}

  mutating func learn(_ scene: SceneDescription) {
    titles[scene.id] = scene.title.flatMap { $0.isEmpty ? nil : $0 }
  }

  mutating func forget(scene id: String) { titles[id] = nil }

  private mutating func readNames(ofApplications ids: [String?], _ connection: RouterConnection) async {
    let locale = DesktopPlaces(environment: DesktopPlaces.processEnvironment, manager: { _ in nil }).locale
    for id in Set(ids.compactMap(\.self)) {
      let made = MadeEntry.Parts(id)
      let applicationID = made?.application ?? id
      guard let application = try? await connection.applications(id: applicationID).first,
        let path = application.path, case .file(let bytes, _) = FileContents.read(path),
        case .application(let entry) =
          DesktopEntryFile.read(bytes, id: applicationID + ".desktop", locale: locale).file
      else { continue }
      applications[id] = made?.name(in: bytes, of: entry, locale) ?? entry.name
    }
  }

  /// The title, which people see, else the id.
  func window(_ id: String) -> String { title(of: id).map { "window \"\($0)\"" } ?? "scene \(id)" }

  func title(of scene: String) -> String? { titles[scene]?.shortened }

  func application(_ id: String?) -> String { id.map { applications[$0] ?? $0 } ?? "?" }
}
