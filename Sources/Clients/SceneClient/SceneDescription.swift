import RouterInterface

/// An open scene, with the facts that the router tells every client.
public struct SceneDescription: Sendable, Equatable, Identifiable, WireRepresentable {
  let wire: Wire.Scene

  init(_ wire: Wire.Scene) {
    self.wire = wire
  }

  /// Identifies the scene.
  public var id: String { wire.runtime.sceneID }
  /// The application of the scene.
  public var applicationID: String { wire.context.applicationID }
  /// The declaration of the scene, if any.
  public var declarationID: String? { wire.context.declarationID }
  /// A title for people.
  public var title: String? { wire.context.title }
  /// The registrations of the scene's views.
  public var registrations: [Registration] { wire.context.registrations }
  /// The process that opened the scene; nil if the router does not know this process.
  public var processID: Int64? { wire.runtime.processID }
  /// The time at which the scene was opened, since 1970 (`CLOCK_REALTIME`).
  public var opened: Duration { .microseconds(wire.runtime.openedUSec) }
  /// The time at which the scene last became active, since 1970; nil if the scene never became active.
  public var active: Duration? { wire.runtime.activeUSec.map { .microseconds($0) } }
  /// The number of deliveries that the scene has not settled.
  public var pendingDeliveries: Int64 { wire.runtime.pendingDeliveries }
}
