import RouterInterface
import SceneRouting
import Varlink
import VarlinkServer

/// A call of `Monitor`.
struct MonitorStream {
  let call: CallID
  let user: UserID
  let showsDecisions: Bool
  let showsRegistry: Bool
  /// What of the snapshot is still to be told; changes meanwhile wait in ``late``.
  var snapshot: Listing?
  /// What changed while the snapshot was being told, and was in a piece that had gone out.
  var late: [Effect] = []
  /// How many replies were dropped since the last one that was not.
  var dropped: Int64 = 0
}

extension RouterService {
  /// Bytes in a monitor's queue at which it misses replies: 4 MiB, a quarter of what ends a connection.
  private static let monitorPause = 4 << 20
  /// Changes kept for a monitor until it has read its snapshot: more than happen while one that reads does so.
  private static let lateLimit = 256

  func monitor(_ call: Wire.Monitor, _ id: CallID) {
    let user = user(of: id)
    guard monitors.values.count(where: { $0.user == user }) < router.limits.monitorsPerUser else {
      return refuse(id, .limitExceeded(.monitorsPerUser, maximum: router.limits.monitorsPerUser))
    }
    monitors[id.connection] = MonitorStream(
      call: id,
      user: user,
      showsDecisions: call.showDecisions ?? true,
      showsRegistry: call.showRegistry ?? true,
      snapshot: Listing(
        id,
        scenes: router.registry.sceneIDs(),
        applications: router.registry.declaredApplicationIDs()
      )
    )
    streams[id.connection] = .monitor
    goOnMonitoring(id.connection)
  }

  /// Tells what was held back, as much as the client reads.
  func goOnMonitoring(_ connection: ConnectionID) {
    while var snapshot = monitors[connection]?.snapshot {
      guard port.queuedBytes(of: connection) < Self.listingPause else {
        return port.noticeDrain(of: connection)
      }
      let piece = snapshot.nextPiece(of: self)
      monitors[connection]?.snapshot = snapshot.isFinished ? nil : snapshot
      port.reply(
        to: snapshot.call,
        Wire.Monitor.Reply.snapshot(
          Wire.Snapshot(
            scenes: piece.scenes,
            applications: piece.applications,
            generation: Int64(router.registry.generation),
            isComplete: snapshot.isFinished
          )
        ),
        continues: true
      )
    }
    let late = monitors[connection]?.late ?? []
    monitors[connection]?.late = []
    for effect in late { show(effect, on: CollectionOfOne(connection)) }
    tellDropped(connection)
  }

  /// Shows an effect to all monitors that want to see it.
  func show(_ effect: Effect) {
    show(effect, on: monitors.keys)
  }

  private func show(_ effect: Effect, on connections: some Sequence<ConnectionID>) {
    let calls = connections.compactMap { callToShow(effect, on: $0) }
    guard !calls.isEmpty, let reply = reply(showing: effect) else { return }
    for call in calls { tellDropped(call.connection) }
    port.reply(to: calls, reply, continues: true)
  }

  /// The call of a monitor that is to be shown an effect now.
  private func callToShow(_ effect: Effect, on connection: ConnectionID) -> CallID? {
    guard let monitor = monitors[connection], monitor.shows(effect) else { return nil }
    if let snapshot = monitor.snapshot {
      hold(effect, during: snapshot, on: connection)
      return nil
    }
    guard port.queuedBytes(of: connection) < Self.monitorPause else {
      monitors[connection]?.dropped += 1
      port.noticeDrain(of: connection)
      return nil
    }
    return monitor.call
  }

  private func tellDropped(_ connection: ConnectionID) {
    guard let monitor = monitors[connection], monitor.dropped > 0 else { return }
    monitors[connection]?.dropped = 0
    port.reply(to: monitor.call, Wire.Monitor.Reply.dropped(monitor.dropped), continues: true)
  }

  /// Keeps what changes behind the snapshot's back; what a later piece tells anyway need not be kept.
  private func hold(_ effect: Effect, during snapshot: Listing, on connection: ConnectionID) {
    switch effect {
    case .sceneChanged(let id) where snapshot.willTell(id), .sceneClosed(let id) where snapshot.willTell(id):
      return
    case .applicationChanged(let id) where snapshot.willTell(id),
      .applicationGone(let id) where snapshot.willTell(id):
      return
    case .decided, .settled: monitors[connection]?.dropped += 1
    default:
      // What is shown is the state at the end, so the last of equal changes says it all.
      monitors[connection]?.late.removeAll { $0 == effect }
      guard let count = monitors[connection]?.late.count, count < Self.lateLimit else {
        monitors[connection]?.dropped += 1
        return
      }
      monitors[connection]?.late.append(effect)
    }
  }

  private func reply(showing effect: Effect) -> Wire.Monitor.Reply? {
    switch effect {
    case .decided(let id, let event, let decision):
      let decision = Wire.RouteDecision(decision, names.text(.decision, id.rawValue), names)
      return .decision(Wire.RoutedEvent(event: Wire.Event(event).withoutPrivateParts, decision: decision))
    case .settled(let settlement): return .settlement(Wire.Settlement(settlement, names))
    case .sceneChanged(let id): return wireScene(id).map { .sceneChanged($0) }
    case .sceneClosed(let id): return .sceneClosed(names.text(.scene, id.rawValue))
    case .applicationChanged(let id): return wireApplication(id).map { .applicationChanged($0) }
    case .applicationGone(let id): return .applicationGone(id)
    case .deliver, .requestScene, .withdrawDelivery, .withdrawOpenRequest, .ended: return nil
    }
  }
}

extension MonitorStream {
  fileprivate func shows(_ effect: Effect) -> Bool {
    switch effect {
    case .decided, .settled: showsDecisions
    case .sceneChanged, .sceneClosed, .applicationChanged, .applicationGone: showsRegistry
    case .deliver, .requestScene, .withdrawDelivery, .withdrawOpenRequest, .ended: false
    }
  }
}
