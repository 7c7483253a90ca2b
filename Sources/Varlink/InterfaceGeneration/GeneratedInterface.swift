/// An interface that types are generated for, with the options that its description cannot express.
package struct GeneratedInterface: Sendable {
  /// The path of the description within the package.
  ///
  /// The types go into `Generated` beside it.
  package var description: String
  /// The type that the generated types are nested in.
  ///
  /// It is written by hand, unless ``writesNamespace``.
  package var namespace: String?
  /// Whether the type that the generated types are nested in is generated too.
  ///
  /// The type then has the description, so that a service can serve the description.
  package var writesNamespace = false
  /// The access level of the generated types.
  package var access = Access.package
  /// Types that keep the bytes they were read from and are written as these bytes.
  package var verbatimTypes: Set<String> = []
  /// For each type that has them, two fields of which exactly one has to be set.
  package var alternatives: [String: (String, String)] = [:]
  /// Nullable arrays, as `Type.field`, for which null and an empty array have different meanings.
  ///
  /// Every other nullable array is a plain array in Swift: null is read as an empty array, and an empty array is not
  /// written.
  package var nullableArrays: Set<String> = []
  /// Methods of which each reply sets exactly one of the fields.
  package var methodsOfManyReplies: Set<String> = []
  /// The least accepted values of parameters; each key is `Method.parameter`.
  package var minima: [String: Int] = [:]

  /// The access levels of generated code.
  package enum Access: String, CaseIterable, Sendable {
    /// Visible in the module that has the generated code.
    case `internal`
    /// Visible in all modules of the package.
    case package
    /// Visible to every importer of the module.
    case `public`

    /// The access modifier before a declaration, with a space; empty for `internal`.
    var word: String { self == .internal ? "" : "\(rawValue) " }
  }

  /// Makes an interface whose description says everything.
  package init(description: String, namespace: String? = nil) {
    self.description = description
    self.namespace = namespace
  }

  /// Makes an interface whose description is an argument of the generator, as for another package or in the plugin.
  ///
  /// The types are nested in a generated type that has the last word of the interface's name.
  package init(ofPackage description: String, access: Access, nullableArrays: Set<String> = []) {
    self.init(description: description)
    self.access = access
    self.nullableArrays = nullableArrays
    writesNamespace = true
  }
}

extension GeneratedInterface {
  /// Whether the types belong to the module `Varlink`, which the generated types of all other modules import.
  var isOfVarlink: Bool { description.hasPrefix("Sources/Varlink/Varlink/") }

  /// The interfaces of this package whose types are checked in.
  ///
  /// The interface of the example `Calculator` is not in the list, because the plugin generates its types at each
  /// build.
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
    // Null means a declaration without a condition. An empty array means a condition that matches nothing.
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
