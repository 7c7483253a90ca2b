/// Keeps a link from going in circles between programs that hand links on.
///
/// A program that was started with a link may send the link back to the router. An example is a program that asks the
/// user which browser to use. The link must not come back to this program. Nor must the link go to programs that handed
/// it on earlier. For each event that started a program, this memory keeps the applications of all these programs.
///
/// An entry is forgotten after the time for which an `eventId` is remembered. The program is assumed not to send the
/// link back later than that.
struct StartMemory {
  private struct Expiry {
    var event: DecisionID
    var time: UInt64
  }

  private var applications: [DecisionID: [String]] = [:]
  /// The times at which entries are forgotten, oldest first.
  private var expiries = Queue<Expiry>()

  /// The applications that must not get links from the program that was started for this event.
  subscript(event: DecisionID) -> [String] { applications[event] ?? [] }

  /// Records a start.
  ///
  /// If there are too many starts, forgets the oldest start.
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
