/// An interface for which Swift types are generated.
///
/// The properties after ``description`` tell the generator what the interface description cannot express.
package struct GeneratedInterface: Sendable {
  /// The path of the interface description, absolute or relative to the package.
  ///
  /// The generated files go into the folder `Generated` beside the description.
  package var description: String
  /// The name of the handwritten type in which the generated types are nested.
  ///
  /// If this is nil, the generated types are nested only if ``writesNamespace`` is true.
  package var namespace: String?
  /// Whether the generator also makes a type in which the other generated types are nested.
  ///
  /// This type contains the text of the interface description, which a service can then give to its clients.
  package var writesNamespace = false
  /// The access level of the generated types.
  package var access = Access.package
  /// The types whose values keep the bytes that they were read from.
  ///
  /// When a value that was read is written, exactly these bytes are written. A value that was not read is written from
  /// its fields.
  package var verbatimTypes: Set<String> = []
  /// The types with two fields of which exactly one must be set.
  ///
  /// Each key is the name of a type. Each value has the names of the two fields.
  package var alternatives: [String: (String, String)] = [:]
  /// Nullable arrays, as `Type.field`, for which null and an empty array have different meanings.
  ///
  /// Except in the replies of ``methodsOfManyReplies``, every other nullable array is a plain array in Swift. For a
  /// plain array, null is read as an empty array, and an empty array is not written.
  package var nullableArrays: Set<String> = []
  /// The methods that send several replies, each with exactly one of the reply's fields.
  package var methodsOfManyReplies: Set<String> = []
  /// The smallest allowed values of parameters; each key has the form `Method.parameter`.
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

  /// Makes an interface; all properties except `description` and `namespace` have their default values.
  package init(description: String, namespace: String? = nil) {
    self.description = description
    self.namespace = namespace
  }

  /// Makes an interface from a path that the generator got on its command line.
  ///
  /// The build plugin and other packages call the generator in this way. The generated types are then nested in a
  /// generated type, which is named after the last word of the interface's name.
  package init(ofPackage description: String, access: Access, nullableArrays: Set<String> = []) {
    self.init(description: description)
    self.access = access
    self.nullableArrays = nullableArrays
    writesNamespace = true
  }
}

extension GeneratedInterface {
  /// Whether the types belong to the module `Varlink`.
  ///
  /// The generated code in all other modules imports `Varlink`.
  var isOfVarlink: Bool { description.hasPrefix("Sources/Varlink/Varlink/") }

  /// The interfaces whose generated types are part of the source tree.
  ///
  /// The interface of the example `Calculator` is not in the list. The plugin `GenerateInterfaces` generates the types
  /// of that interface at each build.
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
    // Of `matching`, null means a declaration without a condition; an empty array means a condition that matches
    // nothing. Of `trace`, null means that no trace was asked for; an empty array means that there were no candidates.
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
    manager.minima = ["ListRecords.limit": 0]
    return manager
  }
}
