import SceneClient

@MainActor final class AdapterScene: Convergent {
  struct State: Sendable, Equatable {
    var application: String
    var declaration: String?
    var title: String?
    var registration: Registration
    var activity: Activity?
    /// The open request that the scene answers.
    var request: String?
  }

  let key: String
  let adapter: Adapter
  var work: Task<Void, Never>?
  var isUpToDate = true
  private(set) var scene: OpenScene?
  /// What the router knows.
  private var known: State?
  /// Nil to close the scene.
  private var wanted: State?
  private var becomesActive = false
  private var reader: Task<Void, Never>?

  init(_ key: String, of adapter: Adapter) {
    (self.key, self.adapter) = (key, adapter)
  }

  func bring(to state: State?) {
    wanted = state
    converge()
  }

  func becomeActive() {
    becomesActive = true
    converge()
  }

  func end() {
    work?.cancel()
    reader?.cancel()
    scene = nil
  }

  func sendState(over router: RouterConnection) async throws(RouterError) {
    guard let state = wanted else {
      await close()
      if wanted == nil { adapter.remove(self) }
      return
    }
    if let known, known.application != state.application || known.declaration != state.declaration {
      await close()
    }
    if scene == nil { try await open(state, over: router) }
    // First, because the router may refuse the rest.
    if becomesActive {
      becomesActive = false
      do throws(RouterError) {
        try await scene?.becomeActive()
      } catch {
        becomesActive = error.isAbsence
        throw error
      }
      adapter.becameActive(key)
    }
    if let scene, let known { try await update(scene, from: known, to: state) }
  }

  func report(_ error: RouterError) {
    if scene != nil || !isUpToDate { return adapter.write(.error(AdapterError(.scene, error.description))) }
    wanted = nil
    adapter.write(.closed(key, reason: error.description))
    adapter.remove(self)
  }

  private func open(_ state: State, over router: RouterConnection) async throws(RouterError) {
    let opened = try await adapter.open(state, over: router)
    (scene, known) = (opened, state)
    known?.activity = nil
    if adapter.active == key { becomesActive = true }
    adapter.write(.opened(key, scene: opened.id))
    reader = Task { await read(opened) }
  }

  private func update(_ scene: OpenScene, from known: State, to state: State) async throws(RouterError) {
    // First, so that activity and title stay unchanged if the router refuses the registration.
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
    await adapter.finishAnswers()
    reader?.cancel()
    let closing = scene
    (scene, known, reader) = (nil, nil, nil)
    // A scene that the router does not know is closed already.
    _ = try? await closing?.close()
  }

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
