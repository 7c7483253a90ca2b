import SceneClient

/// A scene that an adapter opens for its program.
///
/// The program can ask for changes of the scene at any time.
@MainActor final class AdapterScene: Convergent {
  /// The state that the program asks for.
  struct State: Sendable, Equatable {
    var application: String
    var declaration: String?
    var title: String?
    var registration: Registration
    var activity: Activity?
    /// The id of the open request that the scene answers; nil if the program names none.
    var request: String?
  }

  let key: String
  let adapter: Adapter
  var work: Task<Void, Never>?
  var isSaid = true
  private(set) var scene: OpenScene?
  /// The state that the router knows.
  private var known: State?
  /// The wanted state; nil to close the scene.
  private var wanted: State?
  private var becomesActive = false
  private var reader: Task<Void, Never>?

  init(_ key: String, of adapter: Adapter) {
    (self.key, self.adapter) = (key, adapter)
  }

  /// Starts to open or change the scene as `state` says; nil closes the scene.
  func bring(to state: State?) {
    wanted = state
    converge()
  }

  /// Tells the router that the user works in the scene.
  func becomeActive() {
    becomesActive = true
    converge()
  }

  /// Stops all work on the scene when the adapter ends; makes no further call to the router.
  func end() {
    work?.cancel()
    reader?.cancel()
    scene = nil
  }

  func say(over router: RouterConnection) async throws(RouterError) {
    guard let state = wanted else {
      await close()
      if wanted == nil { adapter.remove(self) }
      return
    }
    if let known, known.application != state.application || known.declaration != state.declaration {
      await close()
    }
    if scene == nil { try await open(state, over: router) }
    // The report comes first, because the router may refuse the rest.
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
    if scene != nil || !isSaid { return adapter.write(.error(AdapterError(.scene, error.description))) }
    // If the program names the scene again, a new scene is opened.
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
    // The registration is sent first, so that the activity and the title stay unchanged if the router refuses the
    // registration.
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
    // An error is ignored, because a scene that the router does not know is closed already.
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
