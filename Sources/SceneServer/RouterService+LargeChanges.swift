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

extension RouterService {
  /// About a millisecond: a thousand identifiers noted, or taken out, are a step.
  private static let stepEffort = 500

  /// Carries a call out at once, or in steps if it adds many identifiers.
  func change(_ id: CallID, staging staged: StagedIdentifiers, _ make: @escaping (StagedIdentifiers) -> Void)
  {
    let effort = staged.effort
    guard effort > Self.stepEffort else { return make(StagedIdentifiers()) }
    let (user, bytes) = (user(of: id), staged.byteCount)
    guard router.charge(bytes, to: user) else {
      return refuse(id, .limitExceeded(.bytesPerUser, maximum: router.limits.bytesPerUser))
    }
    port.suspend(id.connection)
    largeChanges.append(LargeChange(call: id, user: user, bytes: bytes, staged: staged, make: make))
  }

  var hasWork: Bool { !largeChanges.isEmpty || !router.registry.isTidy }

  func work() {
    // Without a copy of the change, so that what is staged is added to where it is.
    guard let call = largeChanges.first?.call else {
      router.registry.tidy(effort: Self.stepEffort)
      return
    }
    guard port.peer(of: call.connection) != nil else {
      return finishFirst { router.registry.discard($0.staged) }
    }
    if router.registry.stage(&largeChanges[0].staged, effort: Self.stepEffort) {
      finishFirst { $0.make($0.staged) }
    }
  }

  private func finishFirst(_ finish: (LargeChange) -> Void) {
    let change = largeChanges.removeFirst()
    _ = router.charge(-change.bytes, to: change.user)
    finish(change)
    carryOutEffects()
    port.resume(change.call.connection)
  }
}
