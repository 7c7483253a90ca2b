/// An open scene, with the facts that the router tells every client.
public struct SceneDescription: Sendable, Equatable, Identifiable {
  /// What the router knows of the scene, apart from its context.
  package struct Runtime: Sendable, Equatable {
    package let sceneID: String
    package let processID: Int64?
    /// By `CLOCK_REALTIME`.
    package let openedUSec: Int64
    package let activeUSec: Int64?
    package let pendingDeliveries: Int64

    package init(
      sceneID: String,
      processID: Int64? = nil,
      openedUSec: Int64,
      activeUSec: Int64? = nil,
      pendingDeliveries: Int64
    ) {
      self.sceneID = sceneID
      self.processID = processID
      self.openedUSec = openedUSec
      self.activeUSec = activeUSec
      self.pendingDeliveries = pendingDeliveries
    }
  }

  package let context: SceneContext
  package let runtime: Runtime

  package init(context: SceneContext, runtime: Runtime) {
    self.context = context
    self.runtime = runtime
  }

  /// Identifies the scene.
  public var id: String { runtime.sceneID }
  /// The application of the scene.
  public var applicationID: String { context.applicationID }
  /// The declaration of the scene, if any.
  public var declarationID: String? { context.declarationID }
  /// A title for people.
  public var title: String? { context.title }
  /// The registrations of the scene's views.
  public var registrations: [Registration] { context.registrations }
  /// The process that opened the scene; nil if the router does not know this process.
  public var processID: Int64? { runtime.processID }
  /// The time at which the scene was opened, since 1970 (`CLOCK_REALTIME`).
  public var opened: Duration { .microseconds(runtime.openedUSec) }
  /// The time at which the scene last became active, since 1970; nil if the scene never became active.
  public var active: Duration? { runtime.activeUSec.map { .microseconds($0) } }
  /// The number of deliveries that the scene has not settled.
  public var pendingDeliveries: Int64 { runtime.pendingDeliveries }
}
