/// The events that can be asked for by the id that their sender chose.
///
/// Those under way are all here. Of one that has ended, the outcome is kept and what distinguishes it from others; the
/// limits say for how long, and of how many.
struct EventMemory {
  /// An event that has ended.
  struct Ended {
    let id: DecisionID
    let identity: EventIdentity
    let end: EventEnd
    /// What it is charged as.
    let charge: Int

    init(_ record: EventRecord, _ eventID: String, _ end: EventEnd) {
      id = record.id
      identity = EventIdentity(record.event)
      self.end = end
      let attempts = end.earlierAttempts.map(\.charge).reduce(0, +)
      let last = SettledAttempt.charge(end.decision, end.settlement)
      charge = MemoryLayout<Entry>.stride + eventID.utf8.count + identity.size + attempts + last
    }
  }

  enum Entry {
    case underWay(DecisionID)
    case ended(Ended)
  }

  private struct Expiry {
    var eventID: [UInt8]
    var time: UInt64
  }

  private struct User {
    /// By the bytes of their ids, as two spellings of one text are two ids.
    var events: [[UInt8]: Entry] = [:]
    /// Those that have ended, oldest first.
    var expiries = Queue<Expiry>()

    /// Forgets the oldest one that has ended; returns what it was charged as.
    mutating func forgetFirst() -> Int {
      guard let expiry = expiries.popFirst() else { return 0 }
      guard case .ended(let ended) = events.removeValue(forKey: expiry.eventID) else { return 0 }
      return ended.charge
    }
  }

  private var users: [UserID: User] = [:]
  /// When the oldest is to be forgotten.
  private(set) var firstExpiry: UInt64?

  subscript(eventID: String, user: UserID) -> Entry? {
    users.isEmpty ? nil : users[user]?.events[Array(eventID.utf8)]
  }

  mutating func insert(_ eventID: String, of user: UserID, _ event: DecisionID) {
    users[user, default: User()].events[Array(eventID.utf8)] = .underWay(event)
  }

  /// Keeps an event that has ended, and forgets the user's oldest if there are too many; returns what that was charged as.
  mutating func end(_ eventID: String, of user: UserID, _ ended: Ended, at now: UInt64, _ limits: Limits)
    -> Int
  {
    let key = Array(eventID.utf8)
    let expiry = Expiry(eventID: key, time: now + limits.rememberedUSec)
    users[user]?.events[key] = .ended(ended)
    users[user]?.expiries.append(expiry)
    firstExpiry = firstExpiry ?? expiry.time
    guard let count = users[user]?.expiries.count, count > limits.rememberedEventsPerUser else { return 0 }
    return users[user]?.forgetFirst() ?? 0
  }

  /// Forgets what is older than allowed; returns the users and what it was charged as.
  mutating func forget(before now: UInt64) -> [(user: UserID, charge: Int)] {
    var forgotten: [(user: UserID, charge: Int)] = []
    for user in Array(users.keys) {
      var charge = 0
      while let time = users[user]?.expiries.first?.time, time <= now {
        charge += users[user]?.forgetFirst() ?? 0
      }
      if users[user]?.events.isEmpty == true { users[user] = nil }
      forgotten.append((user, charge))
    }
    firstExpiry = users.values.lazy.compactMap(\.expiries.first?.time).min()
    return forgotten
  }
}

extension SettledAttempt {
  fileprivate var charge: Int { Self.charge(decision, settlement) }

  /// The event's own text, which the decision has as well, is not among it.
  fileprivate static func charge(_ decision: Decision, _ settlement: Settlement?) -> Int {
    MemoryLayout<SettledAttempt>.stride + (decision.matchedPattern?.utf8.count ?? 0)
      + (settlement?.reason?.utf8.count ?? 0)
  }
}
