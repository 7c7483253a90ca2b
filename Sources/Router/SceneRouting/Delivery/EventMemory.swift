/// The events with an `eventId`: all that are under way, and within limits the outcome and identity of ended ones.
struct EventMemory {
  struct Ended {
    let id: DecisionID
    /// What a repetition must have; `nil` after a restart, when every event with the same `eventId` counts as one.
    let identity: EventIdentity?
    let end: EventEnd
    let charge: Int

    init(_ pending: PendingEvent, _ eventID: String, _ end: EventEnd) {
      let identity = EventIdentity(pending.event)
      id = pending.id
      self.identity = identity
      self.end = end
      let attempts = end.earlierAttempts.map(\.charge).reduce(0, +)
      let last = SettledAttempt.charge(end.decision, end.settlement)
      charge = MemoryLayout<Entry>.stride + eventID.utf8.count + identity.size + attempts + last
    }

    /// For an event taken before a restart; `scene` is `nil` if it has closed, or if a program took the event without
    /// one.
    init(_ id: DecisionID, _ eventID: String, taken decision: Decision, by scene: SceneID?) {
      self.id = id
      identity = nil
      end = EventEnd(
        decision: decision,
        settlement: AttemptEnd(decisionID: id, sceneID: scene, result: .acknowledged),
        earlierAttempts: []
      )
      charge = Self.charge(ofTaken: eventID)
    }

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
    /// By the bytes of the `eventId`; `String`s are equal keys if they differ only in their Unicode normalisation.
    var events: [[UInt8]: Entry] = [:]
    var expiries = Queue<Expiry>()

    mutating func forgetFirst() -> Int {
      guard let expiry = expiries.popFirst() else { return 0 }
      guard case .ended(let ended) = events.removeValue(forKey: expiry.eventID) else { return 0 }
      return ended.charge
    }
  }

  private var users: [UserID: User] = [:]
  private(set) var firstExpiry: UInt64?

  subscript(eventID: String, user: UserID) -> Entry? {
    users.isEmpty ? nil : users[user]?.events[Array(eventID.utf8)]
  }

  mutating func insert(_ eventID: String, of user: UserID, _ event: DecisionID) {
    users[user, default: User()].events[Array(eventID.utf8)] = .underWay(event)
  }

  /// Returns the charge of the oldest ended event if there are too many and it is forgotten; otherwise 0.
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

  /// The event's text is not counted, because the decision shares the text with the event.
  fileprivate static func charge(_ decision: Decision, _ settlement: AttemptEnd?) -> Int {
    MemoryLayout<SettledAttempt>.stride + (decision.matchedPattern?.utf8.count ?? 0)
      + (settlement?.reason?.utf8.count ?? 0)
  }
}

/// What must be the same when an event is sent again; "`eventId`" in the routing contract.
///
/// The texts are compared as bytes, because Swift's `==` ignores differences in Unicode normalisation.
struct EventIdentity {
  private let texts: InlineArray<5, String?>

  init(_ event: Event) {
    switch event.content {
    case .url(let url): texts = [url, nil, nil, nil, event.contentType]
    case .activity(let activity):
      texts = [
        nil, activity.activityType, activity.targetContentIdentifier, activity.webpageURL, event.contentType,
      ]
    }
  }

  var size: Int { texts.indices.reduce(0) { $0 + (texts[$1]?.utf8.count ?? 0) } }

  func isSame(as other: EventIdentity) -> Bool {
    texts.indices.allSatisfy { index in
      switch (texts[index], other.texts[index]) {
      case (nil, nil): true
      case (let text?, let otherText?): text.utf8.elementsEqual(otherText.utf8)
      default: false
      }
    }
  }
}
