/// For each event with which a program was started: the applications that get no event from this program.
///
/// A program may send on the link that it was started with, as a program does that asks which browser to use. Then the
/// link must not come back to this program. It must not come back either to another such program that had the link
/// before. An entry is kept only as long as an `eventId`, because a program that has run for longer opens other links.
struct StartMemory {
  private struct Expiry {
    var event: DecisionID
    var time: UInt64
  }

  private var applications: [DecisionID: [String]] = [:]
  /// The times at which entries are forgotten, oldest first.
  private var expiries = Queue<Expiry>()

  /// The applications that get no event from the program that was started for this event.
  subscript(event: DecisionID) -> [String] { applications[event] ?? [] }

  /// Records a start.
  ///
  /// Forgets the oldest one if there are too many.
  mutating func insert(_ event: DecisionID, _ passedOver: [String], at now: UInt64, _ limits: Limits) {
    // An event has an entry already if an earlier attempt at it started another program.
    if applications[event] == nil {
      expiries.append(Expiry(event: event, time: now + limits.rememberedUSec))
    }
    for id in passedOver where applications[event]?.contains(id) != true {
      applications[event, default: []].append(id)
    }
    if expiries.count > limits.rememberedStarts { forgetFirst() }
  }

  /// Forgets all starts that are too old.
  mutating func forget(before now: UInt64) {
    while let first = expiries.first, first.time <= now { forgetFirst() }
  }

  private mutating func forgetFirst() {
    if let expiry = expiries.popFirst() { applications[expiry.event] = nil }
  }
}
