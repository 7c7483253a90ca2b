/// An interface that types are generated for, and what its description does not say.
package struct GeneratedInterface: Sendable {
  /// The description, a path within the package; the types go into `Generated` beside it.
  package var description: String
  /// The type that the types are nested in; it is written by hand, unless ``writesNamespace``.
  package var namespace: String?
  /// Whether the type that the others are nested in is generated too, with the description for a service to serve.
  package var writesNamespace = false
  /// Who sees the types.
  package var access = Access.package
  /// Types that keep the bytes they were read from, and are written as these.
  package var verbatimTypes: Set<String> = []
  /// For a type, two fields of which exactly one has to be set.
  package var alternatives: [String: (String, String)] = [:]
  /// Nullable arrays, as `Type.field`, in which null means something else than an empty array.
  ///
  /// All other nullable arrays are arrays in Swift: null is read as an empty one, and an empty one is not written.
  package var nullableArrays: Set<String> = []
  /// Methods whose replies have one field set each.
  package var methodsOfManyReplies: Set<String> = []
  /// For `Method.parameter`, the least value that is accepted.
  package var minima: [String: Int] = [:]

  /// Who sees what is generated.
  package enum Access: String, CaseIterable, Sendable {
    /// The module that it is in.
    case `internal`
    /// All modules of the package.
    case package
    /// Whoever imports the module.
    case `public`

    /// The word before a declaration.
    var word: String { self == .internal ? "" : "\(rawValue) " }
  }

  /// An interface whose description says everything.
  package init(description: String, namespace: String? = nil) {
    self.description = description
    self.namespace = namespace
  }

  /// An interface of a package that this one is a dependency of; the types are nested in one that has the last word of
  /// the interface's name.
  package init(ofPackage description: String, access: Access, nullableArrays: Set<String> = []) {
    self.init(description: description)
    self.access = access
    self.nullableArrays = nullableArrays
    writesNamespace = true
  }
}

extension GeneratedInterface {
  /// Whether its types are in the module that all others import.
  var isOfVarlink: Bool { description.hasPrefix("Sources/Varlink/Varlink/") }

  /// The interfaces of this package.
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
    router.verbatimTypes = ["Event"]
    router.alternatives = ["Event": ("url", "activity")]
    // Null is a declaration without a condition; an empty array is one that matches nothing.
    router.nullableArrays = ["SceneDeclaration.matching"]
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
    manager.minima = ["ListRecords.limit": 0]
    return manager
  }
}
