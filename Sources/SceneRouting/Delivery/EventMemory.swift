/// The events that can be asked for by the id that their sender chose.
///
/// An ended one is remembered for as long and in such number as the limits say; one under way always is.
struct EventMemory {
  private struct Ended {
    var event: DecisionID
    var eventID: String
    var forgetAt: UInt64
  }

  private struct User {
    var events: [String: DecisionID] = [:]
    /// In the order in which they ended, from ``head`` on.
    var ended: [Ended] = []
    var head = 0

    var endedCount: Int { ended.count - head }

    var firstForgetting: UInt64? { head < ended.count ? ended[head].forgetAt : nil }

    mutating func forgetFirst() -> DecisionID {
      let oldest = ended[head]
      head += 1
      events[oldest.eventID] = nil
      // What is forgotten is dropped half by half.
      if head * 2 > ended.count {
        ended.removeFirst(head)
        head = 0
      }
      return oldest.event
    }
  }

  private var users: [UserID: User] = [:]
  /// When the oldest is to be forgotten.
  private(set) var firstForgetting: UInt64?

  func event(_ eventID: String, of user: UserID) -> DecisionID? { users[user]?.events[eventID] }

  mutating func remember(_ eventID: String, of user: UserID, as event: DecisionID) {
    users[user, default: User()].events[eventID] = event
  }

  /// Starts the time of an event that has ended; returns the one that is forgotten for it, if one is.
  mutating func end(
    _ eventID: String,
    of user: UserID,
    as event: DecisionID,
    at now: UInt64,
    limits: Limits
  ) -> DecisionID? {
    let ended = Ended(event: event, eventID: eventID, forgetAt: now + limits.rememberedUSec)
    users[user]?.ended.append(ended)
    firstForgetting = firstForgetting ?? ended.forgetAt
    guard let count = users[user]?.endedCount, count > limits.rememberedEventsPerUser else { return nil }
    return forgetFirst(of: user)
  }

  /// Forgets what is older than allowed, and returns it.
  mutating func forget(before now: UInt64) -> [DecisionID] {
    var forgotten: [DecisionID] = []
    for user in Array(users.keys) {
      while let time = users[user]?.firstForgetting, time <= now, let event = forgetFirst(of: user) {
        forgotten.append(event)
      }
    }
    return forgotten
  }

  private mutating func forgetFirst(of user: UserID) -> DecisionID? {
    let event = users[user]?.forgetFirst()
    if users[user]?.events.isEmpty == true { users[user] = nil }
    firstForgetting = users.values.lazy.compactMap(\.firstForgetting).min()
    return event
  }
}
