/// The events to which their senders gave an `eventId`.
///
/// Clients can ask for such an event with its `eventId`. The memory contains every such event that is under way. Of an
/// ended event, the memory keeps the outcome and the parts that distinguish the event (``EventIdentity``). Limits say
/// how many ended events are kept for each user, and for how long.
struct EventMemory {
  /// An event that has ended.
  struct Ended {
    let id: DecisionID
    /// The parts that a repetition of the event must have; `nil` if the event was sent before the router restarted.
    ///
    /// After a restart, the router no longer knows these parts. Every event with the same `eventId` then counts as a
    /// repetition.
    let identity: EventIdentity?
    let end: EventEnd
    /// The number of bytes charged to the user for remembering the ended event.
    let charge: Int

    init(_ record: EventRecord, _ eventID: String, _ end: EventEnd) {
      let identity = EventIdentity(record.event)
      id = record.id
      self.identity = identity
      self.end = end
      let attempts = end.earlierAttempts.map(\.charge).reduce(0, +)
      let last = SettledAttempt.charge(end.decision, end.settlement)
      charge = MemoryLayout<Entry>.stride + eventID.utf8.count + identity.size + attempts + last
    }

    /// Makes the entry of an event that was taken before the router restarted.
    ///
    /// `scene` is the scene that took the event. It is `nil` if that scene has closed, or if the application's program
    /// took the event without a scene.
    init(_ id: DecisionID, _ eventID: String, taken decision: Decision, by scene: SceneID?) {
      self.id = id
      identity = nil
      end = EventEnd(
        decision: decision,
        settlement: Settlement(decisionID: id, sceneID: scene, result: .acknowledged),
        earlierAttempts: []
      )
      charge = Self.charge(ofTaken: eventID)
    }

    /// The number of bytes charged for remembering an event that was taken before the router restarted.
    static func charge(ofTaken eventID: String) -> Int {
      MemoryLayout<Entry>.stride + eventID.utf8.count + MemoryLayout<SettledAttempt>.stride
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
    /// The user's events; the key is the bytes of the `eventId`.
    ///
    /// With `String`s as keys, two `eventId`s would be one key if they differ only in their Unicode normalisation.
    var events: [[UInt8]: Entry] = [:]
    /// The ended events, oldest first.
    var expiries = Queue<Expiry>()

    /// Forgets the oldest ended event and returns its charge.
    mutating func forgetFirst() -> Int {
      guard let expiry = expiries.popFirst() else { return 0 }
      guard case .ended(let ended) = events.removeValue(forKey: expiry.eventID) else { return 0 }
      return ended.charge
    }
  }

  private var users: [UserID: User] = [:]
  /// The time at which the oldest ended event is to be forgotten.
  private(set) var firstExpiry: UInt64?

  subscript(eventID: String, user: UserID) -> Entry? {
    users.isEmpty ? nil : users[user]?.events[Array(eventID.utf8)]
  }

  mutating func insert(_ eventID: String, of user: UserID, _ event: DecisionID) {
    users[user, default: User()].events[Array(eventID.utf8)] = .underWay(event)
  }

  /// Keeps an ended event.
  ///
  /// If the user then has too many ended events, forgets the oldest ended event and returns its charge. Otherwise
  /// returns 0.
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

  /// Forgets all events that are too old.
  ///
  /// Returns, for each user, the total charge of the events that were forgotten.
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

  /// The number of bytes charged for remembering an attempt.
  ///
  /// The event's text is not counted, because the decision shares the text with the event.
  fileprivate static func charge(_ decision: Decision, _ settlement: Settlement?) -> Int {
    MemoryLayout<SettledAttempt>.stride + (decision.matchedPattern?.utf8.count ?? 0)
      + (settlement?.reason?.utf8.count ?? 0)
  }
}
