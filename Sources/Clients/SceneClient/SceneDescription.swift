import RouterInterface

/// An open scene, as everybody may see it.
public struct SceneDescription: Sendable, Equatable, Identifiable, WireRepresentable {
  let wire: Wire.Scene

  init(_ wire: Wire.Scene) {
    self.wire = wire
  }

  /// Identifies the scene.
  public var id: String { wire.runtime.sceneID }
  /// The application it belongs to.
  public var applicationID: String { wire.context.applicationID }
  /// The declaration it is an instance of, if any.
  public var declarationID: String? { wire.context.declarationID }
  /// For people.
  public var title: String? { wire.context.title }
  /// The interests of its views.
  public var registrations: [Registration] { wire.context.registrations.map(Registration.init) }
  /// The process that opened it; nil if it is not known.
  public var processID: Int64? { wire.runtime.processID }
  /// When it was opened, in time since 1970 (`CLOCK_REALTIME`).
  public var opened: Duration { .microseconds(wire.runtime.openedUSec) }
  /// When it last became active, in time since 1970; nil if it never reported to.
  public var active: Duration? { wire.runtime.activeUSec.map { .microseconds($0) } }
  /// How many deliveries it has not settled.
  public var pendingDeliveries: Int64 { wire.runtime.pendingDeliveries }
}
