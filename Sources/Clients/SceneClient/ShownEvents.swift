import Synchronization

/// The ids of the events that one scene or one application got in the last minute.
///
/// After a restart of the router, this library reports these ids, so that the new router does not show the events a
/// second time ("Restart" in the routing contract).
struct ShownEvents: Sendable {
  /// The most ids that a router accepts in one call.
  private static let limit = 256
  /// The router's interface defines the report (`takenEventIds`) as the events of the last minute.
  private static let lifetime = Duration.seconds(60)

  private struct Showing: Sendable {
    /// The id of the delivery or open request that brought the event.
    let offer: String
    let time: ContinuousClock.Instant
  }

  private var showings: [String: Showing] = [:]

  /// The oldest first.
  var ids: [String] { latest.map(\.key) }

  func contains(_ id: String) -> Bool { showings[id] != nil }

  mutating func note(_ id: String, _ offer: String) {
    showings[id] = Showing(offer: offer, time: .now)
    // Old entries are removed only when many have piled up, because the removal sorts all entries.
    if showings.count >= 2 * Self.limit { showings = Dictionary(uniqueKeysWithValues: latest) }
  }

  /// A declined or withdrawn event must not be reported to the next router, because another target may still get it.
  mutating func forget(_ offer: String) {
    if let id = showings.first(where: { $0.value.offer == offer })?.key { showings[id] = nil }
  }

  private var latest: [(key: String, value: Showing)] {
    let oldest = ContinuousClock.now - Self.lifetime
    return showings.filter { $0.value.time >= oldest }.sorted { $0.value.time < $1.value.time }
      .suffix(Self.limit)
  }
}

extension RouterConnection {
  func shown(by application: String) -> [String] { link.withLock { $0.shown[application]?.ids ?? [] } }

  func noteShown(_ id: String, _ offer: String, by application: String) {
    link.withLock { $0.shown[application, default: ShownEvents()].note(id, offer) }
  }

  func forgetShown(_ offer: String, by application: String) {
    link.withLock { $0.shown[application]?.forget(offer) }
  }
}
