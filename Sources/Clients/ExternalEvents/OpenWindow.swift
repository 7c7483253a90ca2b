import Observation
import SceneClient
import Synchronization

/// Confined to the actor that runs the application.
final class OpenWindow {
  let kind: DeclaredWindow
  let value: PresentedValue
  /// Opens the window, and runs until the window is closed.
  var task: Task<Void, Never>?

  /// This window, as the actions of its content know it.
  private let caller: CallingWindow
  private let content: any WindowContent
  private let report: (SceneApplicationError) -> Void
  private let changes = Changes()
  private var traits = WindowTraits()
  private var reported = WindowTraits()
  private var offered = OfferedActivities()
  /// The latest report; `nil` after the router has answered.
  private var reporting: Task<Void, Never>?
  private var waiting: [Delivery] = []
  private var isHandling = false
  /// The event whose `async` actions are running.
  private var current: ExternalEvent?

  init(
    _ caller: CallingWindow,
    _ kind: DeclaredWindow,
    showing value: (any Hashable & Sendable)?,
    report: @escaping (SceneApplicationError) -> Void
  ) {
    self.caller = caller
    self.kind = kind
    self.report = report
    let presented = PresentedValue(value)
    self.value = presented
    content = EnvironmentValues.$current.withValue(EnvironmentValues(window: caller)) {
      kind.makeContent(presented)
    }
  }

  var id: Int { caller.id }

  func open(
    in application: String,
    answering request: OpenRequest?
  ) async throws(RouterError) -> OpenScene {
    evaluate()
    reported = traits
    // The call takes neither of them, so `run` reports both afterwards.
    (reported.isActive, reported.currentActivity) = (false, nil)
    let scene = try await caller.router.openScene(
      application: application,
      declaration: request?.declarationID ?? kind.declaration.id,
      title: traits.title ?? kind.declaration.title,
      registrations: [traits.registration],
      answering: request
    )
    caller.scene.withLock { $0 = scene }
    return scene
  }

  func run(_ scene: OpenScene, isolation: isolated any Actor) async throws(RouterError) -> ClosingReason {
    let running = Task {
      _ = isolation
      do {
        try await content.run()
      } catch is CancellationError {
      } catch {
        report(
          SceneApplicationError("The window '\(kind.declaration.id)' has failed and is closed: \(error)")
        )
        close()
      }
    }
    let following = Task {
      _ = isolation
      await reportChanges(to: scene, isolation: isolation)
      for await _ in changes.stream { await reportChanges(to: scene, isolation: isolation) }
    }
    defer {
      running.cancel()
      following.cancel()
      current?.decide(.withdrawn)
      waiting = []
    }
    for try await message in scene.messages {
      switch message {
      case .delivery(let delivery):
        waiting.append(delivery)
        await handleWaiting(of: scene, isolation: isolation)
      case .withdrawn(let withdrawal):
        waiting.removeAll { $0.id == withdrawal.deliveryID }
        if let current, current.delivery.id == withdrawal.deliveryID { current.decide(.withdrawn) }
      case .continued, .reopened: break
      case .closed(let reason): return reason
      }
    }
    return .requested
  }

  /// The window's unsettled deliveries then go to the next best targets.
  func close() {
    task?.cancel()
  }

  func raise(activationToken: String? = nil) {
    content.raise(activationToken: activationToken)
  }
}

// MARK: - Events

extension OpenWindow {
  /// In order, until one needs `async` actions.
  private func handleWaiting(of scene: OpenScene, isolation: isolated any Actor) async {
    guard !isHandling else { return }
    isHandling = true
    defer { isHandling = false }
    while current == nil, !waiting.isEmpty {
      let event = ExternalEvent(waiting.removeFirst())
      let actions = EventActions(traits, for: event)
      if let verdict = actions.performAtOnce() {
        await settle(event.delivery, verdict, of: scene, isolation: isolation)
      } else {
        handle(event, actions, of: scene, isolation: isolation)
      }
    }
  }

  /// No other delivery is handled until that of `event` is settled.
  private func handle(
    _ event: ExternalEvent,
    _ actions: EventActions,
    of scene: OpenScene,
    isolation: isolated any Actor
  ) {
    current = event
    let performing = Task {
      _ = isolation
      await ExternalEvent.$current.withValue(event) {
        // Swift runs this closure on the actor only because the closure names the actor.
        _ = isolation
        await actions.perform(for: event)
      }
    }
    Task {
      _ = isolation
      let verdict = await event.verdict
      if case .withdrawn = verdict { performing.cancel() }
      await settle(event.delivery, verdict, of: scene, isolation: isolation)
      current = nil
      await handleWaiting(of: scene, isolation: isolation)
    }
  }

  private func settle(
    _ delivery: Delivery,
    _ verdict: ExternalEvent.Verdict,
    of scene: OpenScene,
    isolation: isolated any Actor
  ) async {
    // Changes that the actions have made have to be in effect before the event counts as taken.
    await reportChanges(to: scene, isolation: isolation)
    // The outcomes and errors of these calls change nothing for the window.
    switch verdict {
    case .taken:
      raise(activationToken: delivery.activationToken)
      try? await delivery.acknowledgeOneway()
    case .unhandled: _ = try? await delivery.decline(reason: "no view of the window handles such an event")
    case .refused(let reason): _ = try? await delivery.decline(reason: reason)
    case .withdrawn: break
    }
  }
}

// MARK: - Changes

extension OpenWindow {
  private func evaluate() {
    changes.isPending.store(false, ordering: .relaxed)
    traits = withObservationTracking {
      var traits = WindowTraits()
      content.apply(to: &traits)
      return traits
    } onChange: { [changes] in
      changes.note()
    }
    traits.currentActivity = offered.update(traits.activities)
  }

  /// Waits for earlier reports first; returns when the router has answered.
  private func reportChanges(to scene: OpenScene, isolation: isolated any Actor) async {
    let earlier = reporting
    guard
      changes.isPending.load(ordering: .relaxed) || traits.isActive != reported.isActive
        || traits.currentActivity != reported.currentActivity || earlier != nil
    else { return }
    let task = Task {
      _ = isolation
      await earlier?.value
      await reportDifferences(to: scene)
    }
    reporting = task
    await task.value
    if reporting == task { reporting = nil }
  }

  private func reportDifferences(to scene: OpenScene) async {
    if changes.isPending.load(ordering: .relaxed) { evaluate() }
    let (former, current) = (reported, traits)
    reported = current
    let registration = current.registration
    if registration != former.registration {
      await attempt { () async throws(RouterError) in
        try await scene.setRegistration(
          registration.id,
          showing: registration.showing,
          preferring: registration.preferring,
          allowing: registration.allowing
        )
      }
    }
    if current.title != former.title {
      let title = current.title ?? kind.declaration.title ?? ""
      await attempt { () async throws(RouterError) in try await scene.update(title: title) }
    }
    if current.currentActivity != former.currentActivity {
      await attempt { () async throws(RouterError) in try await scene.setActivity(current.currentActivity) }
    }
    if current.isActive, !former.isActive {
      await attempt { () async throws(RouterError) in try await scene.becomeActive() }
    }
  }

  /// A refused change is reported to the application, and not tried again.
  private func attempt<Result>(_ change: () async throws(RouterError) -> Result) async {
    do throws(RouterError) {
      _ = try await change()
    } catch {
      report(SceneApplicationError(error))
    }
  }
}

/// Changes of the properties that a body has read, on any thread.
private final class Changes: Sendable {
  /// Whether the body has to be evaluated.
  let isPending = Atomic(false)
  let stream: AsyncStream<Void>
  private let continuation: AsyncStream<Void>.Continuation

  init() {
    (stream, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
  }

  func note() {
    isPending.store(true, ordering: .relaxed)
    continuation.yield()
  }
}
