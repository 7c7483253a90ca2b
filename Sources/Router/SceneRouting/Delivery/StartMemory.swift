/// The events that programs were started for, and the applications that an event from such a program passes over.
///
/// A program may hand the link on that it was started with, as one does that asks which browser to take. It must not
/// come back to it, nor to another such program that it came through before. They are remembered for as long as an
/// `eventId`: a program that has run for longer opens links of its own.
struct StartMemory {
  private struct Expiry {
    var event: DecisionID
    var time: UInt64
  }

  private var applications: [DecisionID: [String]] = [:]
  /// Oldest first.
  private var expiries = Queue<Expiry>()

  /// The applications that an event passes over which comes from a program that was started for this one.
  subscript(event: DecisionID) -> [String] { applications[event] ?? [] }

  /// Notes a start, and forgets the oldest if there are too many.
  mutating func insert(_ event: DecisionID, _ passedOver: [String], at now: UInt64, _ limits: Limits) {
    // Another attempt at an event starts another program.
    if applications[event] == nil {
      expiries.append(Expiry(event: event, time: now + limits.rememberedUSec))
    }
    for id in passedOver where applications[event]?.contains(id) != true {
      applications[event, default: []].append(id)
    }
    if expiries.count > limits.rememberedStarts { forgetFirst() }
  }

  /// Forgets what is older than allowed.
  mutating func forget(before now: UInt64) {
    while let first = expiries.first, first.time <= now { forgetFirst() }
  }

  private mutating func forgetFirst() {
    if let expiry = expiries.popFirst() { applications[expiry.event] = nil }
  }
}
