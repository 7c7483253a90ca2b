/// How soon something comes after a client was written to, and whether to stay awake for it.
///
/// A processor that has nothing to do sleeps, and to wake it takes longer than to route an event, above all in a
/// virtual machine. As long as something comes soon, from that client or another, the loop therefore looks a few times
/// when it is likely, and sleeps only then: if it so comes sooner. It does not where all have one processor, or where
/// others need it; now and then the other way is tried.
struct AnswerTime {
  /// How often the loop looks before it sleeps.
  ///
  /// Most answers are there at the first look or the second: an event that comes alone then takes 7 to 8 system calls
  /// instead of 6. More looks at shorter intervals take more, and are no faster.
  static var looks: Int { 6 }
  /// How long it waits between two looks, in microseconds.
  static var pauseUSec: UInt64 { 4 }
  /// The latest first look, in microseconds.
  private static var latestUSec: UInt32 { 60 }
  /// What comes later, in microseconds, is not waited for awake the next time.
  private static var soonUSec: UInt64 { 100 }
  /// Of so many answers one is waited for in the way that seems to be the worse.
  private static var trialInterval: UInt8 { 64 }
  /// Times are kept in sixteenths of a microsecond.
  private static var unit: UInt32 { 16 }

  /// When to look first, in that unit.
  private var firstLook: UInt32 = 0
  /// Averages of how soon answers came, 0 as long as there was none.
  private var (awake, asleep): (UInt32, UInt32) = (0, 0)
  /// Whether the last answer was soon.
  private var isSoon = false
  /// Answers since the last trial.
  private var count: UInt8 = 0

  /// Decides when to look first, in microseconds after the client was written to; `nil` to sleep at once.
  mutating func nextFirstLookUSec() -> UInt64? {
    guard isSoon else { return nil }
    count = (count + 1) % Self.trialInterval
    // A quarter sooner is worth a processor's time.
    let isWorthIt = awake <= asleep - asleep / 4
    return isWorthIt == (count > 0) ? UInt64(firstLook / Self.unit) : nil
  }

  /// Notes at which look, counted from 0, something had come, and how long after the client was written to.
  ///
  /// The first look moves forward until it is too early.
  mutating func noteAnswer(atLook look: Int, after elapsedUSec: UInt64) {
    if look == 0 { firstLook -= (firstLook + 7) / 8 } else { delayFirstLook(look) }
    Self.note(elapsedUSec, in: &awake)
  }

  /// Notes that the loop slept, after looking in vain or at once.
  ///
  /// Something had come so long after the client was written to; `nil` if the loop had to go on before.
  mutating func noteSleep(afterLooking hasLooked: Bool, until elapsedUSec: UInt64?) {
    let elapsedUSec = elapsedUSec ?? .max
    isSoon = elapsedUSec <= Self.soonUSec
    if hasLooked {
      // Silence counts too, so that nobody who falls silent often is looked for often.
      if isSoon { delayFirstLook(Self.looks) }
      Self.note(elapsedUSec, in: &awake)
    } else if isSoon {
      // Asleep, processor and client are late themselves, by nobody knows how much.
      if asleep == 0 { firstLook = min(UInt32(elapsedUSec) / 2, Self.latestUSec) * Self.unit }
      Self.note(elapsedUSec, in: &asleep)
    }
  }

  private mutating func delayFirstLook(_ looks: Int) {
    let delay = UInt32(looks) * UInt32(Self.pauseUSec) * Self.unit / 2
    firstLook = min(firstLook + delay, Self.latestUSec * Self.unit)
  }

  private static func note(_ elapsedUSec: UInt64, in average: inout UInt32) {
    let time = UInt32(elapsedUSec.clamped(to: 1...soonUSec)) * unit
    average = average == 0 ? time : average - average / 8 + time / 8
  }
}

extension UInt64 {
  fileprivate func clamped(to range: ClosedRange<UInt64>) -> UInt64 {
    Swift.min(Swift.max(self, range.lowerBound), range.upperBound)
  }
}
