/// An interface for which Swift types are generated, and what its description cannot express.
package struct GeneratedInterface: Sendable {
  /// The path of the interface description, absolute or relative to the package.
  ///
  /// The generated files go into the folder `Generated` beside it.
  package var description: String
  /// The handwritten type in which the generated types are nested.
  package var namespace: String?
  /// Whether a type is generated in which the others are nested, with the text of the description for clients.
  package var writesNamespace = false
  package var access = Access.package
  /// Whether the type of a method is `…Call`, and the type of all errors `…ErrorReply`.
  ///
  /// The plain names are then free for what the calls are about.
  package var namesMessages = false
  /// The Swift name of each type of the description that has another one in Swift.
  package var typeNames: [String: String] = [:]
  /// The types that the module `SceneTypes` declares; only how they are read and written is generated.
  package var declaredTypes: [String: Access] = [:]
  /// The names of properties of `declaredTypes`, for each `Type.field` whose name gives another one.
  package var propertyNames: [String: String] = [:]
  /// The types of `SceneTypes` that are replies, by method; only how they are read and written is generated.
  package var replyTypes: [String: String] = [:]
  /// The fields of `declaredTypes`, as `Type.field`, that are strings on the wire and have a type with this raw value in
  /// Swift, because later versions may add values.
  package var openEnumerations: Set<String> = []
  /// The types for which nothing is generated, because `SceneTypes` declares them, and how they are read and written is
  /// written by hand too.
  package var handwrittenTypes: Set<String> = []
  /// Nullable arrays, as `Type.field`, for which null and an empty array differ.
  ///
  /// Every other one, except in the replies of ``methodsOfManyReplies``, is a plain array in Swift: null is read as
  /// empty, and empty is not written.
  package var nullableArrays: Set<String> = []
  package var methodsOfManyReplies: Set<String> = []
  package var minima: [String: Int] = [:]

  package enum Access: String, CaseIterable, Sendable {
    case `internal`
    case package
    case `public`

    var word: String { self == .internal ? "" : "\(rawValue) " }
  }

  package init(description: String, namespace: String? = nil) {
    self.description = description
    self.namespace = namespace
  }

  package init(ofPackage description: String, access: Access, nullableArrays: Set<String> = []) {
    self.init(description: description)
    self.access = access
    self.nullableArrays = nullableArrays
    writesNamespace = true
  }
}

extension GeneratedInterface {
  var isOfVarlink: Bool { description.hasPrefix("Sources/Varlink/Varlink/") }

  /// Those whose generated types are part of the source tree; `GenerateInterfaces` makes the example `Calculator`'s.
  package static let all = [
    service,
    router,
    manager,
  ]

  private static var service: GeneratedInterface {
    var service = GeneratedInterface(
      description: "Sources/Varlink/Varlink/Service/org.varlink.service.varlink"
    )
    service.access = .public
    return service
  }

  private static var router: GeneratedInterface {
    var router = GeneratedInterface(
      description: "Sources/Router/RouterInterface/io.scened.Router.varlink",
      namespace: "Wire"
    )
    router.namesMessages = true
    router.typeNames = [
      "Application": "ApplicationDescription", "Delivery": "EventDelivered", "OpenRequest": "SceneRequested",
      "Scene": "SceneDescription", "SceneRuntime": "SceneDescription.Runtime", "Snapshot": "RegistrySnapshot",
    ]
    router.declaredTypes = [
      "Activity": .public, "Application": .public, "Claims": .public, "Continuation": .public,
      "CurrentActivity": .public, "Registration": .public, "RouteDecision": .public, "RoutedEvent": .public,
      "Scene": .public, "SceneContext": .package, "SceneDeclaration": .public, "SceneRuntime": .package,
      "Sender": .public, "Settlement": .public, "Snapshot": .public, "TraceStep": .public,
      "Withdrawal": .public,
    ]
    router.propertyNames = [
      "Activity.isEligibleForHandoff": "statedEligibility", "Application.applicationId": "id",
      "Continuation.by": "taker", "Registration.registrationId": "id", "RouteDecision.trace": "statedTrace",
      "SceneDeclaration.declarationId": "id", "SceneDeclaration.kind": "statedKind",
      "SceneDeclaration.isSingleton": "statedSingleton",
    ]
    router.openEnumerations = [
      "Application.source", "RouteDecision.applicationBecause", "RouteDecision.matchedField",
      "RouteDecision.rule", "RouteDecision.target", "Settlement.result", "TraceStep.rule",
      "Withdrawal.reason",
    ]
    router.handwrittenTypes = ["Event"]
    // Null means a declaration without a condition, and that no trace was asked for; an empty array means a condition
    // that matches nothing, and that there were no candidates.
    router.nullableArrays = ["SceneDeclaration.matching", "RouteDecision.trace"]
    router.methodsOfManyReplies = ["OpenScene", "DeclareApplication", "Monitor"]
    router.minima = [
      "OpenScene.maxPendingDeliveries": 1, "SendEvent.timeoutUSec": 0, "ExplainEvent.maxTraceSteps": 0,
    ]
    return router
  }

  private static var manager: GeneratedInterface {
    var manager = GeneratedInterface(
      description: "Sources/Router/RouterInterface/io.scened.Manager.varlink",
      namespace: "Wire"
    )
    manager.namesMessages = true
    manager.typeNames = [
      "Attempt": "EventRecord.Attempt", "Problem": "Reload.Problem", "Record": "EventRecord",
    ]
    manager.declaredTypes = ["Attempt": .public, "Problem": .public, "Record": .public]
    manager.propertyNames = ["Attempt.result": "statedResult", "Problem.isWarning": "statedWarning"]
    manager.openEnumerations = ["Attempt.applicationBecause", "Attempt.result", "Attempt.rule"]
    manager.replyTypes = ["GetStatistics": "Statistics", "Reload": "Reload"]
    manager.minima = ["ListRecords.limit": 0]
    return manager
  }
}
