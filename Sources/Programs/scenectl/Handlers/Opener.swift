import DesktopEntries
import Installed
import SceneClient

/// What could open a link: an open window, an application, or an application in a profile or by an action.
struct Opener {
  enum Kind {
    case window(String, title: String?, LinkMatch.Rule)
    case application
    case profile(String)
    case action(String)
  }

  let kind: Kind
  /// Without `.desktop`.
  let application: String
  let name: String
  let icon: String?
  /// The application that the router would start; nil for a window.
  let started: String?
}

extension Opener {
  /// Enough for a person to choose from.
  private static let mostWindows = 50

  /// In the order of their kinds, only that the first is the one that the router would choose; and how many open
  /// windows want the link, of which only the first are among them.
  ///
  /// `origin` is the event for which the router asks, so that the router does not choose to ask again. Without a router,
  /// no window is known.
  static func all(
    for event: Event,
    from origin: String?,
    on desktop: InstalledDesktop,
    _ connection: RouterConnection?
  ) async -> (openers: [Opener], windows: Int) {
    let applications = (Handled(event).map { desktop.applications(for: $0) } ?? [])
      .filter { !MadeEntry.isMade($0.entry.id) }
    var openers =
      applications.flatMap { [Opener($0)] + profiles(of: $0, on: desktop) }
      + applications.flatMap { actions(of: $0, for: event, on: desktop) }
    // The router refuses some links, such as those that are too long; then no window gets them either.
    let decision = try? await connection?.explain(
      event,
      to: RoutingScope(originSceneID: origin),
      maxTraceSteps: 0
    )
    guard let decision, let scenes = try? await connection?.scenes() else { return (openers, 0) }
    let windows = matches(of: scenes, for: event)
    openers = windows.prefix(mostWindows).map { Opener($0.scene, $0.match.rule, on: desktop) } + openers
    if let first = Opener(of: decision, scenes, on: desktop) {
      let same = openers.firstIndex { $0.target == first.target }
      openers.insert(same.map { openers.remove(at: $0) } ?? first, at: 0)
    }
    return (openers, windows.count)
  }

  /// The best first.
  private static func matches(
    of scenes: [SceneDescription],
    for event: Event
  ) -> [(scene: SceneDescription, match: LinkMatch)] {
    let link = LinkMatch.Link(event)
    let matching = scenes.compactMap { scene in link.match(scene).map { (scene: scene, match: $0) } }
    return matching.sorted { left, right in
      (left.match, left.scene.active ?? .zero) > (right.match, right.scene.active ?? .zero)
    }
  }

  /// A browser with one profile opens links in it anyway.
  private static func profiles(
    of application: InstalledApplication,
    on desktop: InstalledDesktop
  ) -> [Opener] {
    let profiles = desktop.profiles(of: application)
    guard profiles.count > 1 else { return [] }
    return profiles.compactMap { profile, name in
      (try? MadeEntry(profile, named: name, of: application)).map {
        Opener(.profile(name), $0, of: application)
      }
    }
  }

  private static func actions(
    of application: InstalledApplication,
    for event: Event,
    on desktop: InstalledDesktop
  ) -> [Opener] {
    let isFile = event.url?.urlScheme == "file"
    let actions = desktop.actions(of: application).filter { action in
      isFile || action.exec.targetCode != .file && action.exec.targetCode != .files
    }
    return actions.map { Opener(.action($0.id), MadeEntry($0, of: application), of: application) }
  }
}

extension Opener {
  private init(_ application: InstalledApplication) {
    kind = .application
    (self.application, started) = (application.id, application.id)
    (name, icon) = (application.entry.name, application.entry.icon)
  }

  private init(_ kind: Kind, _ entry: MadeEntry, of application: InstalledApplication) {
    self.kind = kind
    (self.application, started) = (application.id, entry.id.asApplicationID)
    (name, icon) = (entry.name, entry.icon)
  }

  private init(_ scene: SceneDescription, _ rule: LinkMatch.Rule, on desktop: InstalledDesktop) {
    let title = scene.title.flatMap { $0.isEmpty ? nil : $0 }
    let entry = desktop.id(named: scene.applicationID).flatMap(desktop.application)?.entry
    kind = .window(scene.id, title: title, rule)
    (application, started) = (scene.applicationID, nil)
    (name, icon) = (entry?.name ?? scene.applicationID, entry?.icon)
  }

  /// Nil if the router would choose nothing, or would ask.
  private init?(of decision: RouteDecision, _ scenes: [SceneDescription], on desktop: InstalledDesktop) {
    guard let id = decision.applicationID, id != MadeEntry.askApplicationID else { return nil }
    if let scene = scenes.first(where: { $0.id == decision.sceneID }) {
      let rule: LinkMatch.Rule =
        switch decision.rule {
        case .showing?: .showing
        case .preferring?: .preferring
        default: .allowing
        }
      self.init(scene, rule, on: desktop)
    } else if let application = desktop.id(named: id).flatMap(desktop.application) {
      self.init(application)
    } else {
      self.init(kind: .application, application: id, name: id, icon: nil, started: id)
    }
  }

  /// By which the router knows it.
  private var target: String {
    if case .window(let id, _, _) = kind { return "window \(id)" }
    return "application \(started ?? application)"
  }
}

extension Opener {
  var because: String? {
    guard case .window(_, _, let rule) = kind else { return nil }
    return switch rule {
    case .showing: "shows it"
    case .preferring: "prefers it"
    case .allowing: "allows it"
    }
  }

  var scene: String? { if case .window(let id, _, _) = kind { id } else { nil } }

  var title: String? { if case .window(_, let title, _) = kind { title } else { nil } }

  func json(isFirst: Bool) -> String {
    let (word, profile, action): (String, String?, String?) =
      switch kind {
      case .window: ("window", nil, nil)
      case .application: ("application", nil, nil)
      case .profile(let name): ("profile", name, nil)
      case .action(let id): ("action", nil, id)
      }
    return JSONLine([
      "kind": word.quoted,
      "scene": scene?.quoted,
      "application": application.quoted,
      "profile": profile?.quoted,
      "action": action?.quoted,
      "name": name.quoted,
      "icon": icon.flatMap { $0.isEmpty ? nil : $0.quoted },
      "title": title?.quoted,
      "because": because?.quoted,
      "isFirst": isFirst ? "true" : nil,
    ]).text
  }
}
