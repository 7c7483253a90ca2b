/// An interface that types are generated for, and what its description does not say.
package struct GeneratedInterface: Sendable {
  /// The description, a path within the package; the types go into `Generated` beside it.
  package var description: String
  /// The type that the types are nested in; it is written by hand.
  package var namespace: String?
  /// Types that keep the bytes they were read from, and are written as these.
  package var verbatimTypes: Set<String> = []
  /// For a type, two fields of which exactly one has to be set.
  package var alternatives: [String: (String, String)] = [:]
  /// Methods whose replies have one field set each.
  package var methodsOfManyReplies: Set<String> = []
  /// For `Method.parameter`, the least value that is accepted.
  package var minima: [String: Int] = [:]

  /// An interface whose description says everything.
  package init(description: String, namespace: String? = nil) {
    self.description = description
    self.namespace = namespace
  }
}

extension GeneratedInterface {
  /// Whether its types are in the module that all others import.
  var isOfVarlink: Bool { description.hasPrefix("Sources/Varlink/") }

  /// The interfaces of this package.
  package static let all = [
    GeneratedInterface(description: "Sources/Varlink/Service/org.varlink.service.varlink"),
    router,
    manager,
    GeneratedInterface(
      description: "Tests/SystemTests/Certification/org.varlink.certification.varlink",
      namespace: "Certification"
    ),
  ]

  private static var router: GeneratedInterface {
    var router = GeneratedInterface(
      description: "Sources/RouterInterface/io.scened.Router.varlink",
      namespace: "Wire"
    )
    router.verbatimTypes = ["Event"]
    router.alternatives = ["Event": ("url", "activity")]
    router.methodsOfManyReplies = ["OpenScene", "DeclareApplication", "Monitor"]
    router.minima = [
      "OpenScene.maxPendingDeliveries": 1, "SendEvent.timeoutUSec": 0, "ExplainEvent.maxTraceSteps": 0,
    ]
    return router
  }

  private static var manager: GeneratedInterface {
    var manager = GeneratedInterface(
      description: "Sources/RouterInterface/io.scened.Manager.varlink",
      namespace: "Wire"
    )
    manager.minima = ["ListRecords.limit": 0]
    return manager
  }
}
