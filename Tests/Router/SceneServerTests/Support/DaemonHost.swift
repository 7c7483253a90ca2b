import ReferenceRouter
import RouterInterface
import TestSupport
import Varlink

/// Plays scenarios on a router behind a socket, one after another.
struct DaemonHost: ScenarioHost {
  private let router: RouterUnderTest
  private var scenes: [String: OpenedScene] = [:]
  private var answers: [String: Scenario.SceneAnswer] = [:]
  private var names: [String: String] = [:]
  private var ids: [String: String] = [:]
  private var applications: [String: DeclaredApplication] = [:]
  private var openAnswers: [String: Scenario.OpenAnswer] = [:]
  private var clients: [WireClient] = []
  private var deliveries: [String: Wire.EventDelivered] = [:]

  init(_ router: RouterUnderTest) { self.router = router }

  /// Closes all connections, for the next scenario.
  mutating func reset() throws {
    for client in clients { try client.leave() }
    self = DaemonHost(router)
  }

  mutating func open(_ scene: Scenario.Scene) throws {
    let context = SceneContext(
      applicationID: scene.applicationId,
      declarationID: scene.declarationId,
      registrations: scene.registrations.map {
        Registration(
          id: $0.id,
          preferring: $0.preferring,
          allowing: $0.allowing,
          showing: $0.showing
        )
      }
    )
    let opened = try open(Wire.OpenSceneCall(context: context), answering: scene.answer)
    names[opened.id] = scene.id
    ids[scene.id] = opened.id
  }

  private mutating func open(_ call: Wire.OpenSceneCall, answering answer: Scenario.SceneAnswer) throws
    -> OpenedScene
  {
    let scene = try OpenedScene(call, router)
    clients.append(scene.client)
    scenes[scene.id] = scene
    answers[scene.id] = answer
    return scene
  }

  mutating func declare(_ application: Scenario.Application) throws {
    guard application.source == .connection else { throw Overdue("Files need a real desktop.") }
    let declared = try router.declare(
      application.id,
      application.declarations.map {
        SceneDeclaration(
          id: $0.id,
          kind: $0.kind == .documentGroup ? .documentGroup : .windowGroup,
          matching: $0.matching,
          supportedTypes: $0.supportedTypes,
          isSingleton: $0.isSingleton
        )
      },
      claims: application.claims.map {
        Claims(
          schemes: $0.schemes,
          activityTypes: $0.activityTypes,
          mimeTypes: $0.mimeTypes,
          hosts: $0.hosts
        )
      },
      isSingleScene: application.isSingleScene
    )
    clients.append(declared.client)
    applications[application.id] = declared
    for scene in application.declarations {
      openAnswers["\(application.id)/\(scene.id)"] = scene.openAnswer
    }
  }

  func prefer(_ preferences: Scenario.Preferences, for event: Scenario.Event) throws {
    throw Overdue("The user's lists need a real desktop.")
  }

  func install(_ types: Scenario.FileTypes) throws {
    throw Overdue("Types of files need a real desktop.")
  }

  func choose(forHosts choices: [String: String]) throws {
    throw Overdue("The user's choices need a real desktop.")
  }

  func choose(forSenders choices: [Scenario.SenderChoice]) throws {
    throw Overdue("The user's choices need a real desktop.")
  }

  func name(machine: String) throws {
    throw Overdue("The daemon knows its machine.")
  }

  func report(_ report: Scenario.ActivityReport) throws {
    let handle = scenes[ids[report.sceneId] ?? ""]?.handle ?? ""
    try router.call(Wire.UpdateSceneCall(sceneHandle: handle, isActive: report.isActive))
  }

  func explain(_ event: Scenario.Event, _ constraints: Scenario.Constraints) throws -> PlayedAttempt? {
    let call = Wire.ExplainEventCall(
      event: try Event(event),
      applicationID: constraints.applicationId,
      sceneID: constraints.sceneId.map { ids[$0] ?? $0 },
      originSceneID: constraints.originSceneId.map { ids[$0] ?? $0 },
      allowNewScene: constraints.allowNewScene,
      maxTraceSteps: 1000
    )
    let decision: RouteDecision
    do {
      decision = try router.call(call).decision
    } catch Wire.RouterErrorReply.noSuchScene, Wire.RouterErrorReply.noSuchApplication {
      return nil
    }
    // The router makes the trace by checking one candidate after another, but finds the decision through an index. The
    // trace and the decision must agree.
    let winner = decision.trace.last { $0.matched && $0.rejectedBecause == nil }
    let followed = [winner?.rule.rawValue, winner?.pattern, winner?.sceneID, winner?.declarationID]
    let decided = [
      decision.rule?.rawValue, decision.matchedPattern, decision.sceneID, decision.declarationID,
    ]
    guard followed[..<3] == decided[..<3], decision.target == .scene || followed == decided else {
      throw Overdue("The trace led to \(followed), the decision to \(decided).")
    }
    return attempt(decision)
  }

  mutating func send(_ event: Scenario.Event, _ constraints: Scenario.Constraints) throws -> PlayedRoute {
    let event = try Event(event)
    let call = Wire.SendEventCall(
      event: event,
      applicationID: constraints.applicationId,
      sceneID: constraints.sceneId.map { ids[$0] ?? $0 },
      originSceneID: constraints.originSceneId.map { ids[$0] ?? $0 },
      allowNewScene: constraints.allowNewScene
    )
    let sender = try router.send(call, .more)
    clients.append(sender)
    var attempts: [PlayedAttempt] = []
    while true {
      try WireClient.waitForInput(clients)
      for scene in Array(scenes.values) where scene.client.hasInput { try answerNext(of: scene, event) }
      for (id, application) in applications where application.client.hasInput {
        try answerNext(of: application, id)
      }
      if sender.hasInput, let end = try takeReply(of: sender, &attempts) {
        return PlayedRoute(attempts: attempts, end: end)
      }
    }
  }
}

// MARK: - Answers

extension DaemonHost {
  private mutating func answerNext(of scene: OpenedScene, _ event: Event) throws {
    let delivery = try scene.delivery()
    guard delivery.event.encoded == event.encoded else {
      throw Overdue("The event was changed: \(String(decoding: delivery.event.encoded, as: UTF8.self)).")
    }
    deliveries[delivery.deliveryID] = delivery
    switch answers[scene.id] {
    case .acknowledge: try router.call(scene.acknowledgement(of: delivery))
    case .decline: try scene.decline(delivery)
    case .close, nil:
      scenes[scene.id] = nil
      try scene.close()
    }
  }

  private mutating func answerNext(of application: DeclaredApplication, _ id: String) throws {
    let request = try application.request()
    switch openAnswers["\(id)/\(request.declarationID)"] {
    case .open(let answer):
      let context = SceneContext(applicationID: id)
      _ = try open(
        Wire.OpenSceneCall(context: context, openRequestID: request.openRequestID),
        answering: answer
      )
    case .decline, nil:
      try application.decline(request)
    }
  }

  /// Reads the next reply to the sender; returns how the event ended, or nil if more replies follow.
  private func takeReply(of sender: WireClient, _ attempts: inout [PlayedAttempt]) throws -> String? {
    do {
      let reply = try sender.reply(to: Wire.SendEventCall.self)
      switch (reply.decision, reply.settlement, reply.attempts.isEmpty) {
      case (let decision?, nil, true): attempts.append(attempt(decision))
      case (nil, let settlement?, true):
        attempts[attempts.count - 1].result = settlement.result.rawValue
        try checkDelivery(settlement, &attempts[attempts.count - 1])
        if !sender.continues { return settlement.result.rawValue }
      default: throw Overdue("That is no reply to a call with 'more'.")
      }
      return nil
    } catch let error as Wire.RouterErrorReply {
      switch error {
      case .noSuchScene: return "noSuchScene"
      case .noSuchApplication: return "noSuchApplication"
      case .notRouted: return "notRouted"
      case .declined(_, let settlement, _), .launchFailed(_, let settlement, _):
        return settlement.result.rawValue
      default: throw error
      }
    }
  }

  /// Checks that the settled delivery has reached a scene, and copies the delivery's registrations to `attempt`.
  private func checkDelivery(_ settlement: Settlement, _ attempt: inout PlayedAttempt) throws {
    guard let id = settlement.deliveryID else { return }
    guard let delivery = deliveries[id], delivery.decisionID == settlement.decisionID else {
      throw Overdue("The delivery \(id) reached no scene.")
    }
    attempt.registrationIds = Set(delivery.registrationIDs)
  }

  private func attempt(_ decision: RouteDecision) -> PlayedAttempt {
    let target =
      switch decision.target {
      case .scene: names[decision.sceneID ?? ""] ?? "opened"
      default: "new \(decision.applicationID ?? "")/\(decision.declarationID ?? "")"
      }
    return PlayedAttempt(
      rule: decision.rule?.rawValue ?? "none",
      target: target,
      matchedPattern: decision.matchedPattern,
      matchedField: decision.matchedField?.rawValue,
      registrationIds: Set(decision.registrationIDs),
      applicationBecause: decision.applicationBecause?.rawValue,
      applicationSource: decision.applicationSource,
      result: nil
    )
  }
}

extension Event {
  /// Makes an event whose JSON text has extra white space.
  ///
  /// The scene must receive the same white space, because the router must not change the text.
  fileprivate init(_ event: Scenario.Event) throws {
    let plain =
      switch event.content {
      case .url(let url): Event(.url(url), resolvedURL: event.resolvedURL, contentType: event.contentType)
      case .activity(let activity):
        Event(
          activity: Activity(
            activityType: activity.activityType,
            targetContentIdentifier: activity.targetContentIdentifier,
            webpageURL: activity.webpageURL
          ),
          contentType: event.contentType
        )
      }
    var writer = JSONWriter()
    plain.encode(to: &writer)
    let bytes = Array("{ \n".utf8) + writer.takeBytes().dropFirst()
    var document = JSONDocument()
    try self.init(from: document.parse(bytes.span))
  }
}
