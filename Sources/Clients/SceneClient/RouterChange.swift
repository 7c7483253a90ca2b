import RouterInterface

/// A change that the router reports to a monitor.
///
/// Events in these reports contain no user info and no activation tokens.
public enum RouterChange: Sendable, Equatable {
  /// All open scenes and declared applications, or a part of them.
  ///
  /// The first change is a snapshot, and a new one comes after each loss of the connection.
  case snapshot(RegistrySnapshot)
  /// An event was routed.
  case decision(RoutedEvent)
  /// An attempt to hand an event to a target has ended.
  case settlement(Settlement)
  /// A scene was opened or changed.
  case sceneChanged(SceneDescription)
  /// The scene with this id was closed.
  case sceneClosed(id: String)
  /// An application was declared or changed.
  case applicationChanged(ApplicationDescription)
  /// The application with this id is no longer declared.
  case applicationGone(id: String)
  /// The number of changes that the router has dropped because the monitor reads too slowly.
  case dropped(Int64)
  /// The router ends the stream; no change follows.
  case closed(ClosingReason)
}

extension RouterChange: WireRepresentable {
  /// `nil` if this version of the library does not know the change.
  init?(_ wire: Wire.MonitorCall.Reply) {
    switch wire {
    case .snapshot(let snapshot): self = .snapshot(snapshot)
    case .decision(let event): self = .decision(event)
    case .settlement(let settlement): self = .settlement(settlement)
    case .sceneChanged(let scene): self = .sceneChanged(scene)
    case .sceneClosed(let id): self = .sceneClosed(id: id)
    case .applicationChanged(let application): self = .applicationChanged(application)
    case .applicationGone(let id): self = .applicationGone(id: id)
    case .dropped(let count): self = .dropped(count)
    case .closed(let reason): self = .closed(ClosingReason(rawValue: reason))
    case .unrecognized: return nil
    }
  }

  var wire: Wire.MonitorCall.Reply {
    switch self {
    case .snapshot(let snapshot): .snapshot(snapshot)
    case .decision(let event): .decision(event)
    case .settlement(let settlement): .settlement(settlement)
    case .sceneChanged(let scene): .sceneChanged(scene)
    case .sceneClosed(let id): .sceneClosed(id)
    case .applicationChanged(let application): .applicationChanged(application)
    case .applicationGone(let id): .applicationGone(id)
    case .dropped(let count): .dropped(count)
    case .closed(let reason): .closed(reason.rawValue)
    }
  }
}
