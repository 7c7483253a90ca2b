import SceneClient

/// The open scenes, and the last changes below them, cut to the terminal's height.
struct MonitorScreen {
  private static let mostEvents = 100

  /// In the order in which they were opened.
  private var scenes: [SceneDescription] = []
  private var events: [String] = []

  /// `line` describes the change.
  mutating func lines(after change: RouterChange, _ line: String) -> [String] {
    switch change {
    case .snapshot(let snapshot): scenes += snapshot.scenes
    case .sceneChanged(let scene):
      if let index = scenes.firstIndex(where: { $0.id == scene.id }) {
        scenes[index] = scene
      } else {
        scenes.append(scene)
      }
    case .sceneClosed(let id): scenes.removeAll { $0.id == id }
    default: break
    }
    events = (events + [line]).suffix(Self.mostEvents)
    var table = Table("SCENE", "APPLICATION", "TITLE", "SHOWS", "PREFERS", "ALLOWS")
    for scene in scenes {
      table.append(
        scene.id,
        scene.applicationID,
        scene.title,
        table.cell(scene.registrations.flatMap(\.showing)),
        table.cell(scene.registrations.flatMap(\.preferring)),
        table.cell(scene.registrations.flatMap(\.allowing))
      )
    }
    let height = (Terminal.size?.lines ?? 24) - 2
    let shown = table.lines.prefix(max(height / 2, height - events.count))
    return shown + [""] + events.suffix(height - shown.count)
  }
}
