import RouterInterface

/// What a monitor sees of the router's work.
///
/// Events are shown without user info and activation tokens.
public enum RouterChange: Sendable, Equatable {
  /// All that is registered, to which the later changes are changes; comes first.
  case snapshot(RegistrySnapshot)
  /// An event was routed.
  case decision(RoutedEvent)
  /// An attempt at an event ended.
  case settlement(Settlement)
  /// A scene was opened, or something about it changed.
  case sceneChanged(SceneDescription)
  /// The scene of this id was closed.
  case sceneClosed(id: String)
  /// An application was declared, or something about it changed.
  case applicationChanged(ApplicationDescription)
  /// The application of this id is no longer declared.
  case applicationGone(id: String)
  /// That many changes were left out because the monitor took them too slowly.
  case dropped(Int64)
  /// The router ends the stream; nothing follows.
  case closed(ClosingReason)
}

/// All that was registered at one moment.
public struct RegistrySnapshot: Sendable, Equatable, WireRepresentable {
  let wire: Wire.Snapshot

  init(_ wire: Wire.Snapshot) {
    self.wire = wire
  }

  /// The open scenes.
  public var scenes: [SceneDescription] { wire.scenes.map(SceneDescription.init) }
  /// The declared applications.
  public var applications: [ApplicationDescription] { wire.applications.map(ApplicationDescription.init) }
  /// The state of the registry.
  public var generation: Int64 { wire.generation }
  /// Whether this is all; if not, the next change is more of the same snapshot.
  public var isComplete: Bool { wire.isComplete }
}

/// An event and where it went.
public struct RoutedEvent: Sendable, Equatable, WireRepresentable {
  let wire: Wire.RoutedEvent

  init(_ wire: Wire.RoutedEvent) {
    self.wire = wire
  }

  /// The event.
  public var event: Event { Event(wire.event) }
  /// Where it went, and why.
  public var decision: RouteDecision { RouteDecision(wire.decision) }
}

extension RouterChange: WireRepresentable {
  /// Nil if this version does not know what changed.
  init?(_ wire: Wire.Monitor.Reply) {
    switch wire {
    case .snapshot(let snapshot): self = .snapshot(RegistrySnapshot(snapshot))
    case .decision(let event): self = .decision(RoutedEvent(event))
    case .settlement(let settlement): self = .settlement(Settlement(settlement))
    case .sceneChanged(let scene): self = .sceneChanged(SceneDescription(scene))
    case .sceneClosed(let id): self = .sceneClosed(id: id)
    case .applicationChanged(let application): self = .applicationChanged(ApplicationDescription(application))
    case .applicationGone(let id): self = .applicationGone(id: id)
    case .dropped(let count): self = .dropped(count)
    case .closed(let reason): self = .closed(ClosingReason(rawValue: reason))
    case .unrecognized: return nil
    }
  }

  var wire: Wire.Monitor.Reply {
    switch self {
    case .snapshot(let snapshot): .snapshot(snapshot.wire)
    case .decision(let event): .decision(event.wire)
    case .settlement(let settlement): .settlement(settlement.wire)
    case .sceneChanged(let scene): .sceneChanged(scene.wire)
    case .sceneClosed(let id): .sceneClosed(id)
    case .applicationChanged(let application): .applicationChanged(application.wire)
    case .applicationGone(let id): .applicationGone(id)
    case .dropped(let count): .dropped(count)
    case .closed(let reason): .closed(reason.rawValue)
    }
  }
}
