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
    var ended: [Ended] = []
    var head = 0
  }

  private var users: [UserID: User] = [:]

  func event(_ eventID: String, of user: UserID) -> DecisionID? { users[user]?.events[eventID] }

  /// When the oldest is to be forgotten.
  var firstForgetting: UInt64? {
    users.values.compactMap { $0.head < $0.ended.count ? $0.ended[$0.head].forgetAt : nil }.min()
  }

  mutating func remember(_ eventID: String, of user: UserID, as event: DecisionID) {
    users[user, default: User()].events[eventID] = event
  }

  /// Starts the time of an event that has ended; returns those that are forgotten for it.
  mutating func end(
    _ eventID: String,
    of user: UserID,
    as event: DecisionID,
    at now: UInt64,
    limits: Limits
  ) -> [DecisionID] {
    users[user, default: User()].ended.append(
      Ended(event: event, eventID: eventID, forgetAt: now + limits.rememberedUSec)
    )
    guard let memory = users[user], memory.ended.count - memory.head > limits.rememberedEventsPerUser else {
      return []
    }
    return [forgetFirst(of: user)].compactMap { $0 }
  }

  /// Forgets what is older than allowed, and returns it.
  mutating func forget(before now: UInt64) -> [DecisionID] {
    var forgotten: [DecisionID] = []
    for user in users.keys {
      while let memory = users[user], memory.head < memory.ended.count,
        memory.ended[memory.head].forgetAt <= now, let event = forgetFirst(of: user)
      {
        forgotten.append(event)
      }
    }
    return forgotten
  }

  private mutating func forgetFirst(of user: UserID) -> DecisionID? {
    guard var memory = users.removeValue(forKey: user) else { return nil }
    let oldest = memory.ended[memory.head]
    memory.head += 1
    memory.events[oldest.eventID] = nil
    if memory.head * 2 > memory.ended.count {
      memory.ended.removeFirst(memory.head)
      memory.head = 0
    }
    if !memory.events.isEmpty { users[user] = memory }
    return oldest.event
  }
}
