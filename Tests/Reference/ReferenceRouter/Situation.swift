/// The input of one decision: the registry, the event, and the targets that were already tried.
struct Situation {
  var scenario: Scenario
  var tried: Set<ReferenceRouter.Target>
  /// The type of the file that the event's URL names, and the supertypes of this type.
  ///
  /// Empty if the event has no `file:` URL, or if the type is unknown.
  private(set) var kinds: [String] = []

  init(scenario: Scenario, tried: Set<ReferenceRouter.Target>) {
    (self.scenario, self.tried) = (scenario.withPlainApplicationIds, tried)
    guard scheme == "file", let fileType else { return }
    kinds = scenario.fileTypes?.order(of: fileType) ?? [fileType]
  }

  var event: Scenario.Event { scenario.event }
  var constraints: Scenario.Constraints { scenario.constraints }

  /// Returns the application with an id.
  ///
  /// If the application has open scenes but is not declared, the result has no declarations and no claims.
  func application(_ id: String) -> Scenario.Application {
    scenario.applications.first { $0.id == id } ?? Scenario.Application(id)
  }

  /// All applications.
  ///
  /// The order is:
  /// 1. applications that are declared over a connection, in the order of their declarations
  /// 2. applications from files, by id
  /// 3. applications that have open scenes but are not declared
  var applications: [Scenario.Application] {
    let declared = scenario.applications
    let files = declared.filter { $0.source != .connection }.sorted { $0.id < $1.id }
    var all = declared.filter { $0.source == .connection } + files
    for scene in scenario.scenes where !all.contains(where: { $0.id == scene.applicationId }) {
      all.append(application(scene.applicationId))
    }
    return all
  }

  /// Sorts applications.
  ///
  /// Applications that are declared over a connection come first. The other applications follow in the order of
  /// `lists`.
  func inOrder(_ applications: [Scenario.Application], of lists: [Scenario.Preference]) -> [Scenario
    .Application]
  {
    let order = lists.flatMap(\.order)
    func place(_ application: Scenario.Application) -> Int {
      application.source == .connection ? -1 : order.firstIndex(of: application.id) ?? .max
    }
    return applications.enumerated()
      .sorted { (place($0.element), $0.offset) < (place($1.element), $1.offset) }.map(\.element)
  }

  /// The applications that compete for the event if the sender names no application.
  var participants: [Scenario.Application] {
    let turns = turns
    let claiming = applications.filter { application in
      !application.isForNamedEventsOnly && isClaimed(by: application)
        || turns.contains { $0.applicationId == application.id }
    }
    if !claiming.isEmpty { return claiming }
    return applications.filter { !$0.isForNamedEventsOnly && $0.claims?.isEmpty ?? true }
  }

  /// All open scenes of an application, even the scenes that may not receive the event.
  func openScenes(of application: Scenario.Application) -> [Scenario.Scene] {
    scenesInOrder.filter { $0.applicationId == application.id }
  }

  /// The open scenes that belong to one of the applications and may receive the event.
  func candidates(of applications: [Scenario.Application]) -> [Scenario.Scene] {
    scenesInOrder.filter { scene in
      applications.contains { $0.id == scene.applicationId } && mayReceive(scene)
    }
  }

  /// Whether a scene is not the origin of the event and has not been tried before.
  func mayReceive(_ scene: Scenario.Scene) -> Bool {
    scene.id != constraints.originSceneId && !tried.contains(.scene(id: scene.id))
  }

  /// All open scenes, in the order in which they are asked.
  ///
  /// First come the scenes that have become active at least once, the latest report first. Then come the other scenes,
  /// in opening order.
  private var scenesInOrder: [Scenario.Scene] {
    var active: [Scenario.Scene] = []
    for report in scenario.activityReports.reversed() where report.isActive {
      guard !active.contains(where: { $0.id == report.sceneId }) else { continue }
      active += scenario.scenes.filter { $0.id == report.sceneId }
    }
    return active + scenario.scenes.filter { scene in !active.contains { $0.id == scene.id } }
  }
}

extension Scenario {
  /// The scenario without the ending `.desktop` in the application ids of applications, scenes and constraints.
  fileprivate var withPlainApplicationIds: Scenario {
    func plain(_ id: String) -> String { id.hasSuffix(".desktop") ? plain(String(id.dropLast(8))) : id }
    var scenario = self
    for index in applications.indices { scenario.applications[index].id = plain(applications[index].id) }
    for index in scenes.indices { scenario.scenes[index].applicationId = plain(scenes[index].applicationId) }
    scenario.constraints.applicationId = constraints.applicationId.map(plain)
    return scenario
  }
}

extension Scenario.Claims {
  var isEmpty: Bool {
    schemes.isEmpty && activityTypes.isEmpty && mimeTypes.isEmpty && hosts.isEmpty
  }
}
