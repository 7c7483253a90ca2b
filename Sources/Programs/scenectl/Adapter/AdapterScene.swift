import SceneClient

/// One scene of an adapter.
///
/// The program describes the state of the scene as often as it likes. During a call, only the last new state is kept.
/// So the number of calls stays small.
@MainActor final class AdapterScene {
  /// The wanted state of a scene.
  struct State: Sendable, Equatable {
    var application: String
    var declaration: String?
    var title: String?
    var registration: Registration
    var activity: Activity?
    /// The open request that the opening of the scene answers.
    var request: String?
  }

  let key: String
  /// A strong reference, because calls can outlast ``Adapter/run()``.
  private let adapter: Adapter
  private(set) var scene: OpenScene?
  /// The state that the router knows.
  private var known: State?
  /// The wanted state; nil to close the scene.
  private var wanted: State?
  private var becomesActive = false
  /// The task whose calls bring the scene to the wanted state; nil if no task is running.
  private(set) var work: Task<Void, Never>?
  private var reader: Task<Void, Never>?

  init(_ key: String, of adapter: Adapter) {
    (self.key, self.adapter) = (key, adapter)
  }

  /// Brings the scene to a state; nil closes the scene.
  func bring(to state: State?) {
    wanted = state
    startWork()
  }

  /// Tells the router that the user works in the scene.
  func becomeActive() {
    becomesActive = true
    startWork()
  }

  /// Ends the scene without further calls, at the end of the adapter.
  func end() {
    work?.cancel()
    reader?.cancel()
    scene = nil
  }

  private func startWork() {
    guard work == nil else { return }
    work = Task {
      await converge()
      work = nil
    }
  }

  /// Makes calls until the router knows the wanted state.
  private func converge() async {
    let router = await adapter.router
    repeat {
      guard let state = wanted else {
        await close()
        if wanted == nil { return adapter.remove(self) }
        continue
      }
      do throws(RouterError) {
        if let known, known.application != state.application || known.declaration != state.declaration {
          await close()
        }
        if let scene, let known {
          try await update(scene, from: known, to: state)
        } else {
          try await open(state, over: router)
        }
        if becomesActive {
          becomesActive = false
          try await scene?.becomeActive()
        }
      } catch {
        if Task.isCancelled { return }
        if error.isAbsence {
          try? await Task.sleep(for: Adapter.timeToRetry)
          continue
        }
        guard scene != nil else {
          // A later object with this key opens a new scene.
          adapter.write(.closed(key, reason: error.description))
          return adapter.remove(self)
        }
        adapter.write(.error(AdapterError(.scene, error.description)))
        // After a refusal, the scene waits until the program says another state.
        if wanted == state { return }
      }
    } while wanted != known || becomesActive
  }

  private func open(_ state: State, over router: RouterConnection) async throws(RouterError) {
    let opened = try await adapter.open(state, over: router)
    (scene, known) = (opened, state)
    known?.activity = nil
    adapter.write(.opened(key, scene: opened.id))
    reader = Task { await read(opened) }
    if state.activity != nil { try await update(opened, from: known ?? state, to: state) }
  }

  private func update(_ scene: OpenScene, from known: State, to state: State) async throws(RouterError) {
    // The registration comes first, so that an object with a refused registration changes nothing.
    if known.registration != state.registration {
      let new = state.registration
      try await scene.setRegistration(
        new.id,
        showing: new.showing,
        preferring: new.preferring,
        allowing: new.allowing
      )
      self.known?.registration = new
    }
    if known.activity != state.activity {
      try await scene.setActivity(state.activity)
      self.known?.activity = state.activity
    }
    if known.title != state.title {
      try await scene.update(title: state.title ?? "")
      self.known?.title = state.title
    }
    self.known?.request = state.request
  }

  private func close() async {
    reader?.cancel()
    let closing = scene
    (scene, known, reader) = (nil, nil, nil)
    // An error is ignored. A scene that the router does not know is closed already.
    _ = try? await closing?.close()
  }

  /// Passes the messages of the router on to the program.
  private func read(_ scene: OpenScene) async {
    var reason = "the router has ended the scene"
    do throws(RouterError) {
      for try await message in scene.messages {
        switch message {
        case .delivery(let delivery): adapter.deliver(delivery, to: key)
        case .withdrawn(let withdrawal): adapter.withdraw(withdrawal)
        case .reopened: adapter.write(.opened(key, scene: scene.id))
        case .closed(let why): reason = why.rawValue
        case .continued: break
        }
      }
    } catch {
      reason = error.description
    }
    guard !Task.isCancelled, self.scene === scene else { return }
    (self.scene, known, wanted) = (nil, nil, nil)
    adapter.write(.closed(key, reason: reason))
    adapter.remove(self)
  }
}
