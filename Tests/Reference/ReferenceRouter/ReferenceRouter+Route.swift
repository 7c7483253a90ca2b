extension ReferenceRouter {
  /// One attempt to give an event to a target.
  package struct Attempt: Sendable, Equatable, CustomStringConvertible {
    /// How an attempt ends.
    package enum Result: String, Sendable {
      /// The scene took the event.
      case acknowledged

      /// The scene did not want the event.
      case declined

      /// The scene closed instead of answering.
      case sceneClosed

      /// The application declined to open a scene.
      case launchFailed
    }

    /// The decision of the attempt.
    package var decision: Decision

    /// The result of the attempt.
    package var result: Result

    /// Rule, target and result, as a `RoutingVector` writes them.
    ///
    /// - For an open scene: `preferring s1 declined`
    /// - For a new scene: `matching new alpha/main acknowledged`
    package var description: String {
      "\(decision.rule.rawValue) \(decision.target) \(result.rawValue)"
    }
  }

  /// How an event ends.
  package enum End: String, Sendable, CaseIterable, Codable {
    /// A scene took the event.
    case acknowledged

    /// The last attempt was declined.
    case declined

    /// The scene of the last attempt closed.
    case sceneClosed

    /// The last attempt asked an application for a new scene, and the application declined.
    case launchFailed

    /// The rules found no target for the event.
    case notRouted

    /// The scene that the event names does not exist.
    case noSuchScene

    /// The application that the event names does not exist.
    case noSuchApplication

    init(_ result: Attempt.Result) {
      switch result {
      case .acknowledged: self = .acknowledged
      case .declined: self = .declined
      case .sceneClosed: self = .sceneClosed
      case .launchFailed: self = .launchFailed
      }
    }
  }

  /// All attempts to deliver an event, and how the routing of the event ends.
  package struct Route: Sendable, Equatable {
    /// Every attempt, in order.
    package var attempts: [Attempt]

    /// How the routing of the event ends.
    package var end: End
  }

  /// Tries one target after the other until the event ends.
  ///
  /// Every scene and application answers as the scenario says.
  package static func route(_ scenario: Scenario) -> Route {
    var situation = Situation(scenario: scenario, tried: [])
    var attempts: [Attempt] = []
    while attempts.count < maximumAttempts {
      let outcome = situation.decide()
      guard case .routed(let decision) = outcome else {
        return Route(attempts: attempts, end: attempts.last.map { End($0.result) } ?? end(outcome))
      }
      let result = situation.settle(decision.target)
      attempts.append(Attempt(decision: decision, result: result))
      if result == .acknowledged || decision.rule == .explicit || decision.rule == .singleScene {
        return Route(attempts: attempts, end: End(result))
      }
    }
    return Route(attempts: attempts, end: End(attempts[maximumAttempts - 1].result))
  }

  private static func end(_ outcome: Outcome) -> End {
    switch outcome {
    case .routed, .notRouted: .notRouted
    case .noSuchScene: .noSuchScene
    case .noSuchApplication: .noSuchApplication
    }
  }
}

extension ReferenceRouter.Target: CustomStringConvertible {
  /// The id of the scene, or `new <application>/<declaration>`.
  package var description: String {
    switch self {
    case .scene(let id): id
    case .newScene(let applicationId, let declarationId): "new \(applicationId)/\(declarationId)"
    }
  }
}

extension Situation {
  /// Returns how a target answers, and opens or closes scenes as the answer demands.
  mutating func settle(_ target: ReferenceRouter.Target) -> ReferenceRouter.Attempt.Result {
    tried.insert(target)
    switch target {
    case .scene(let id):
      return settle(sceneId: id)
    case .newScene(let applicationId, let declarationId):
      let declaration = application(applicationId).declarations.first { $0.id == declarationId }!
      guard case .open(let answer) = declaration.openAnswer else { return .launchFailed }
      let id = "new scene \(tried.count)"
      scenario.scenes.append(Scenario.Scene(id, of: applicationId, declarationId, answers: answer))
      tried.insert(.scene(id: id))
      return settle(sceneId: id)
    }
  }

  private mutating func settle(sceneId: String) -> ReferenceRouter.Attempt.Result {
    switch scenario.scenes.first(where: { $0.id == sceneId })!.answer {
    case .acknowledge: return .acknowledged
    case .decline: return .declined
    case .close:
      scenario.scenes.removeAll { $0.id == sceneId }
      return .sceneClosed
    }
  }
}
