import Synchronization

/// The ids of the events shown in the last minute, to one scene or to all scenes of an application.
///
/// This library reports these ids to the next router, which then shows none of the events again ("Restart" in the
/// routing contract).
struct ShownEvents: Sendable {
  /// The largest number of ids that a router accepts.
  private static let limit = 256
  /// The time after which no sender resends an event.
  private static let lifetime = Duration.seconds(60)

  private struct Showing: Sendable {
    /// The id of the delivery or of the open request.
    let offer: String
    let time: ContinuousClock.Instant
  }

  private var showings: [String: Showing] = [:]

  /// The ids of the latest events, from the oldest to the newest.
  var ids: [String] { latest.map(\.key) }

  func contains(_ id: String) -> Bool { showings[id] != nil }

  /// Notes that the event with this id is shown now.
  mutating func note(_ id: String, _ offer: String) {
    showings[id] = Showing(offer: offer, time: .now)
    // Old showings are removed seldom, so that an event costs little.
    if showings.count >= 2 * Self.limit { showings = Dictionary(uniqueKeysWithValues: latest) }
  }

  /// Forgets the event of an offer that was declined or withdrawn, because other targets get the event.
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
  /// The ids of the events that an application got in deliveries or open requests.
  func shown(by application: String) -> [String] { link.withLock { $0.shown[application]?.ids ?? [] } }

  func noteShown(_ id: String, _ offer: String, by application: String) {
    link.withLock { $0.shown[application, default: ShownEvents()].note(id, offer) }
  }

  func forgetShown(_ offer: String, by application: String) {
    link.withLock { $0.shown[application]?.forget(offer) }
  }
}
