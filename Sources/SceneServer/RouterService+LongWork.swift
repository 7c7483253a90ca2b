import RouterInterface
import SceneRouting
import Varlink
import VarlinkServer

/// A call that adds so many identifiers that they are noted in steps, between what others ask for.
struct LargeChange {
  let call: CallID
  let user: UserID
  /// What the call's identifiers weigh until they are in the registry, or refused.
  let bytes: Int
  var staged: StagedIdentifiers
  /// Carries the call out, with all identifiers noted.
  let make: (StagedIdentifiers) -> Void
}

/// An event to be sent or explained whose text is searched in steps, between what others ask for.
struct LongSearch {
  /// The call that waits for it; `nil` for the next attempt at an event.
  let call: CallID?
  let user: UserID
  /// What the event weighs until the call is carried out.
  let bytes: Int
  let event: Event
  /// Goes on with the event, whose text has been searched.
  let goOn: (IdentifierSearch) -> Void
}

/// The end of an event, and who has yet to be told of it.
struct LongEnding {
  let event: DecisionID
  let end: EventEnd
  var waiting: WaitingCalls
}

/// The kinds of work that are done in steps.
enum LongWork {
  case changes
  case searches
  case endings
  case tidying

  fileprivate var next: LongWork {
    switch self {
    case .changes: .searches
    case .searches: .endings
    case .endings: .tidying
    case .tidying: .changes
    }
  }
}

extension RouterService {
  /// About a millisecond: a thousand identifiers noted, or taken out, are a step.
  private static let stepEffort = 500

  /// How many calls are told of an end in a step; where its text is long, it counts for more.
  private static let mostTold = 64

  var hasWork: Bool {
    hasWork(.changes) || hasWork(.searches) || hasWork(.endings) || hasWork(.tidying)
  }

  /// Does a step of each kind of work in turn, so that none waits until the others are done.
  func work() {
    repeat { lastWork = lastWork.next } while !hasWork(lastWork)
    switch lastWork {
    case .changes: goOnWithChange()
    case .searches: goOnWithSearch()
    case .endings: goOnWithEnding()
    case .tidying: router.registry.tidy(effort: Self.stepEffort)
    }
  }

  private func hasWork(_ work: LongWork) -> Bool {
    switch work {
    case .changes: !largeChanges.isEmpty
    case .searches: !longSearches.isEmpty
    case .endings: !longEndings.isEmpty
    case .tidying: !router.registry.isTidy
    }
  }

  /// Ends the work that cannot wait any longer: changes are made, calls whose events are searched are refused.
  func stopWork() {
    router.registry.endSearch()
    searchUnderWay = nil
    while !longSearches.isEmpty {
      let search = longSearches.removeFirst()
      _ = router.charge(-search.bytes, to: search.user)
      if let call = search.call { port.reply(to: call, error: Wire.ServiceStopping()) }
    }
    while !largeChanges.isEmpty { goOnWithChange() }
  }

  /// Tells everybody who waits for the end of an event, at once or in steps if they are many.
  func tell(_ waiting: WaitingCalls, _ event: DecisionID, _ end: EventEnd) {
    var ending = LongEnding(event: event, end: end, waiting: waiting)
    tellSome(&ending)
    if !ending.waiting.isEmpty { longEndings.append(ending) }
  }

  /// Tells everybody who has yet to be told of the end of an event.
  func tellAll() { while !longEndings.isEmpty { goOnWithEnding() } }

  private func goOnWithEnding() {
    // Without a copy, so that who is told is taken out where he is.
    tellSome(&longEndings.first)
    if longEndings.first.waiting.isEmpty { _ = longEndings.removeFirst() }
  }

  private func tellSome(_ ending: inout LongEnding) {
    let weight = 1 + (ending.end.decision.matchedString?.utf8.count ?? 0) / 1024
    var left = Self.mostTold
    while left > 0, let call = ending.waiting.popLast() {
      tell(call, ending.event, ending.end)
      left -= weight
    }
  }
}

// MARK: - Changes

extension RouterService {
  /// Carries a call out at once, or in steps if it adds many identifiers.
  func change(_ id: CallID, staging staged: StagedIdentifiers, _ make: @escaping (StagedIdentifiers) -> Void)
  {
    let effort = staged.effort
    guard effort > Self.stepEffort else { return make(StagedIdentifiers()) }
    let (user, bytes) = (user(of: id), staged.byteCount)
    guard charge(bytes, to: user, for: id) else { return }
    port.suspend(id.connection)
    largeChanges.append(LargeChange(call: id, user: user, bytes: bytes, staged: staged, make: make))
  }

  private func goOnWithChange() {
    // Without a copy of the change, so that what is staged is added to where it is.
    guard port.peer(of: largeChanges.first.call.connection) != nil else {
      return finishChange { router.registry.discard($0.staged) }
    }
    if router.registry.stage(&largeChanges.first.staged, effort: Self.stepEffort) {
      finishChange { $0.make($0.staged) }
    }
  }

  private func finishChange(_ finish: (LargeChange) -> Void) {
    let change = largeChanges.removeFirst()
    _ = router.charge(-change.bytes, to: change.user)
    finish(change)
    carryOutEffects()
    port.resume(change.call.connection)
  }

  /// Charges a user for a call that waits; refuses it if that is too much.
  private func charge(_ bytes: Int, to user: UserID, for id: CallID) -> Bool {
    if router.charge(bytes, to: user) { return true }
    _ = router.charge(-bytes, to: user)
    refuse(id, .limitExceeded(.bytesPerUser, maximum: router.limits.bytesPerUser))
    return false
  }
}

// MARK: - Searches

extension RouterService {
  /// Goes on with the event of a call when its text has been searched, whether the caller is still there or not.
  ///
  /// Later calls are carried out meanwhile, as they are while an event is under way.
  func search(
    for event: Event,
    _ id: CallID,
    of user: UserID,
    _ goOn: @escaping (IdentifierSearch) -> Void
  ) {
    let bytes = event.size
    guard charge(bytes, to: user, for: id) else { return }
    longSearches.append(LongSearch(call: id, user: user, bytes: bytes, event: event, goOn: goOn))
  }

  /// Goes on with an event that was accepted when its text has been searched for the next attempt.
  func search(for event: Event, _ id: DecisionID) {
    let search = LongSearch(call: nil, user: owner, bytes: 0, event: event) {
      self.router.goOn(id, $0, now: self.clock.monotonic(), effects: &self.effects)
    }
    longSearches.append(search)
  }

  private func goOnWithSearch() {
    var search = searchUnderWay.take() ?? IdentifierSearch(for: longSearches.first.event)
    guard router.registry.goOn(with: &search) else { return searchUnderWay = search }
    let done = longSearches.removeFirst()
    _ = router.charge(-done.bytes, to: done.user)
    done.goOn(search)
    router.registry.endSearch()
    carryOutEffects()
  }
}
