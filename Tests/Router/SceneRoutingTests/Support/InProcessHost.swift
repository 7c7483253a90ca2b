import ReferenceRouter
import SceneRouting
import Testing

/// An error: the winner of a trace differs from the decision that the trace explains.
struct TraceMismatch: Error {
  let followed: [String?]
  let decided: [String?]
}

/// Plays scenarios on a router in this process.
final class InProcessHost: ScenarioHost {
  private static let client = Client(user: UserID(rawValue: 1000))

  private(set) var router = Router()
  private var effects: [Effect] = []
  private var files: [ApplicationDeclaration] = []
  private var names: [SceneID: String] = [:]
  private var ids: [String: SceneID] = [:]
  private var answers: [SceneID: Scenario.SceneAnswer] = [:]
  private var openAnswers: [String: Scenario.OpenAnswer] = [:]

  func open(_ scene: Scenario.Scene) throws {
    let context = SceneContext(
      applicationID: scene.applicationId,
      declarationID: scene.declarationId,
      registrations: scene.registrations.map {
        Registration(id: $0.id, preferring: $0.preferring, allowing: $0.allowing, showing: $0.showing)
      }
    )
    let id = try open(context, answering: nil)
    names[id] = scene.id
    ids[scene.id] = id
    answers[id] = scene.answer
  }

  private func open(_ context: SceneContext, answering request: OpenRequestID?) throws -> SceneID {
    let opened = try router.openScene(
      context,
      answering: request,
      credit: 16,
      by: Self.client,
      now: 0,
      realTimeUSec: 0
    ).get()
    effects += opened.effects
    return opened.scene
  }

  func declare(_ application: Scenario.Application) throws {
    let source: ApplicationDeclaration.Source =
      switch application.source {
      case .connection: .connection
      case .file(let isTrusted):
        .file(path: "/\(application.id)", desktopID: "\(application.id).desktop", isTrusted: isTrusted)
      }
    let declaration = ApplicationDeclaration(
      applicationID: application.id,
      scenes: application.declarations.map {
        SceneDeclaration(
          id: $0.id,
          kind: $0.kind == .documentGroup ? .documentGroup : .windowGroup,
          matching: $0.matching,
          supportedTypes: $0.supportedTypes,
          isSingleton: $0.isSingleton
        )
      },
      claims: Claims(
        schemes: application.claims?.schemes ?? [],
        activityTypes: application.claims?.activityTypes ?? [],
        mimeTypes: application.claims?.mimeTypes ?? [],
        hosts: application.claims?.hosts ?? []
      ),
      isSingleScene: application.isSingleScene,
      source: source,
      isForNamedEventsOnly: application.isForNamedEventsOnly
    )
    for scene in application.declarations {
      openAnswers["\(application.id)/\(scene.id)"] = scene.openAnswer
    }
    if source == .connection {
      effects += try router.declare(declaration, by: Self.client, now: 0).get()
    } else {
      files.append(declaration)
      router.registry.setFileDeclarations(FileDeclarations(applications: files).applications)
    }
  }

  func prefer(_ preferences: Scenario.Preferences, for event: Scenario.Event) {
    let own: ClaimKey =
      switch event.content {
      case .url(let url): .scheme(url.prefix { $0 != ":" }.lowercased())
      case .activity(let activity): .activityType(activity.activityType)
      }
    var said = preferences.types.reduce(into: [:]) {
      $0[ClaimKey.mimeType($1.key)] = ClaimPreferences($1.value)
    }
    said[own] = ClaimPreferences(preferences.others)
    router.registry.setPreferences(said)
  }

  func install(_ types: Scenario.FileTypes) {
    router.registry.setFileTypes(KnownTypes(types: types))
  }

  func choose(forHosts choices: [String: String]) throws {
    var chosen: [HostClaim: UserChoice] = [:]
    for (host, application) in choices { chosen[try #require(HostClaim(host))] = UserChoice(application) }
    router.registry.setHostChoices(chosen)
  }

  func choose(forSenders choices: [Scenario.SenderChoice]) {
    var chosen: [String: [ClaimKey: UserChoice]] = [:]
    for choice in choices {
      let key: ClaimKey =
        switch choice.subject {
        case .scheme(let scheme): .scheme(scheme)
        case .mimeType(let type): .mimeType(type)
        }
      chosen[choice.sender, default: [:]][key] = UserChoice(choice.applicationId)
    }
    router.registry.setSenderChoices(chosen)
  }

  /// Replaces the empty router with a router that knows the name of the machine.
  func name(machine: String) { router = Router(machineName: machine) }

  func report(_ report: Scenario.ActivityReport) throws {
    effects += try router.updateScene(
      ids[report.sceneId] ?? SceneID(rawValue: 0),
      title: nil,
      isActive: report.isActive,
      realTimeUSec: 0
    ).get()
  }

  func explain(_ event: Scenario.Event, _ constraints: Scenario.Constraints) throws -> PlayedAttempt? {
    guard
      case .success((let decision, let trace)) = router.explain(
        Event(event),
        routeConstraints(constraints, event),
        maximumSteps: 1000
      )
    else { return nil }
    // The trace checks one candidate after the other, and the decision uses an index. Both must find the same winner.
    let winner = trace.winner
    let followed = [winner?.rule.rawValue, winner?.pattern, winner?.applicationID, winner?.declarationID]
    let decided = [
      decision.rule?.rawValue, decision.matchedPattern, decision.applicationID, decision.declarationID,
    ]
    guard followed == decided else { throw TraceMismatch(followed: followed, decided: decided) }
    return attempt(decision)
  }

  func send(_ event: Scenario.Event, _ constraints: Scenario.Constraints) throws -> PlayedRoute {
    effects = []
    let options = EventOptions(constraints: routeConstraints(constraints, event))
    switch router.send(Event(event), options, from: Self.client, now: 0) {
    case .failure(.noSuchScene): return PlayedRoute(attempts: [], end: "noSuchScene")
    case .failure(.noSuchApplication): return PlayedRoute(attempts: [], end: "noSuchApplication")
    case .failure(let error): throw error
    case .success(.repeated): throw CallError.noSuchEvent
    case .success(.accepted(_, let effects)):
      self.effects = effects
      return try answerUntilTheEnd()
    }
  }

  private func answerUntilTheEnd() throws -> PlayedRoute {
    var attempts: [PlayedAttempt] = []
    var index = 0
    while index < effects.count {
      switch effects[index] {
      case .decided(_, _, let decision):
        if let attempt = attempt(decision) { attempts.append(attempt) }
      case .resume(let event): effects += router.resume(event, now: 0)
      case .deliver(let delivery):
        try answer(delivery)
      case .requestScene(let request):
        try answer(request)
      case .start(let application): try start(application)
      case .settled(let settlement):
        attempts[attempts.count - 1].result = settlement.result.rawValue
      case .ended(_, let end):
        return PlayedRoute(attempts: attempts, end: end.result?.rawValue ?? "notRouted")
      default: break
      }
      index += 1
    }
    throw CallError.noSuchEvent
  }

  private func answer(_ delivery: ShownDelivery) throws {
    let scene = delivery.sceneID
    let settled =
      switch answers[scene] {
      case .acknowledge: router.acknowledge(delivery.id, by: scene, now: 0)
      case .decline: router.decline(delivery.id, by: scene, reason: nil, now: 0)
      case .close, nil: router.closeScene(scene, now: 0)
      }
    effects += try settled.get()
  }

  /// Starts a program that opens the requested scenes and declares nothing.
  private func start(_ application: String) throws {
    guard let start = router.takeStart(of: application, now: 0) else { return }
    effects += router.startEnded(start, failure: nil, now: 0)
    for request in start.requests { try answer(request) }
  }

  private func answer(_ request: SceneRequest) throws {
    switch openAnswers["\(request.applicationID)/\(request.declarationID)"] {
    case .open(let answer):
      // Opening the scene adds the delivery of the event to `effects`. The scene's answer has to be set before this
      // delivery is carried out.
      let context = SceneContext(applicationID: request.applicationID)
      let id = try open(context, answering: request.id)
      answers[id] = answer
    case .decline, nil:
      effects += try router.declineOpenRequest(
        request.id,
        byApplication: request.applicationID,
        reason: nil,
        now: 0
      ).get()
    }
  }

  private func routeConstraints(_ constraints: Scenario.Constraints, _ event: Scenario.Event)
    -> RouteConstraints
  {
    RouteConstraints(
      applicationID: constraints.applicationId,
      sceneID: constraints.sceneId.map { ids[$0] ?? SceneID(rawValue: 0) },
      originSceneID: constraints.originSceneId.map { ids[$0] ?? SceneID(rawValue: 0) },
      senderApplicationID: event.sender,
      allowsNewScene: constraints.allowNewScene
    )
  }

  private func attempt(_ decision: Decision) -> PlayedAttempt? {
    guard let rule = decision.rule else { return nil }
    let target =
      switch decision.destination {
      case .scene(let id): names[id] ?? "opened"
      case .newScene(let application, let declaration): "new \(application)/\(declaration)"
      case .none: "none"
      }
    return PlayedAttempt(
      rule: rule.rawValue,
      target: target,
      matchedPattern: decision.matchedPattern,
      matchedField: decision.matchedField?.rawValue,
      registrationIds: Set(decision.registrationIDs),
      applicationBecause: decision.applicationReason?.rawValue,
      applicationSource: decision.applicationSource,
      result: nil
    )
  }
}

/// The file types of a scenario.
private struct KnownTypes: FileTypeDatabase {
  let types: Scenario.FileTypes

  func type(ofFileNamed name: [UInt8]) -> String? { types.type(ofFileNamed: name) }

  func kinds(of type: String) -> [[String]] { types.order(of: type).map { types.names(of: $0).sorted() } }
}

extension Event {
  init(_ event: Scenario.Event) {
    let content: Content =
      switch event.content {
      case .url(let url): .url(url)
      case .activity(let activity):
        .activity(
          Activity(
            activityType: activity.activityType,
            targetContentIdentifier: activity.targetContentIdentifier,
            webpageURL: activity.webpageURL
          )
        )
      }
    self.init(content, resolvedURL: event.resolvedURL, contentType: event.contentType)
  }
}

extension ClaimPreferences {
  fileprivate init(_ preference: Scenario.Preference) {
    self.init(
      defaultApplication: preference.defaultId,
      order: preference.order,
      removed: preference.removed
    )
  }
}
