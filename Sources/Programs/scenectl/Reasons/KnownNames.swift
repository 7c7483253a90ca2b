import DesktopEntries
import Installed
import SceneClient

/// The names by which people know windows and applications.
struct KnownNames {
  private var titles: [String: String] = [:]
  private var applications: [String: String] = [:]

  /// Of scenes that are open; a scene that the router does not know any more has no title.
  init(ofScenes ids: some Sequence<String?>, _ connection: RouterConnection) async {
    for id in Set(ids.compactMap(\.self)) {
      let scene = try? await connection.scenes(id: id).first
      if let title = scene?.title, !title.isEmpty { titles[id] = title }
    }
  }

  init() {}

  /// Reads the names in the desktop entries of this machine.
  mutating func readNames(ofApplications ids: some Sequence<String?>, _ connection: RouterConnection) async {
    let locale = DesktopPlaces(environment: DesktopPlaces.processEnvironment, manager: { _ in nil }).locale
    for id in Set(ids.compactMap(\.self)) {
      guard let application = try? await connection.applications(id: id).first, let path = application.path,
        case .file(let bytes, _) = FileContents.read(path),
        case .application(let entry) = DesktopEntryFile.read(bytes, id: id + ".desktop", locale: locale)
          .file
      else { continue }
      applications[id] = entry.name
    }
  }

  /// The title, which people see, else the id.
  func window(_ id: String) -> String { title(of: id).map { "window \"\($0)\"" } ?? "scene \(id)" }

  func title(of scene: String) -> String? { titles[scene]?.shortened }

  func application(_ id: String) -> String { applications[id] ?? id }
}
