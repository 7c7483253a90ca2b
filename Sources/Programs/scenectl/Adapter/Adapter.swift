import SceneClient

/// Opens scenes for a program, which says how they shall be, and hears of their events.
///
/// After a restart of the router, the adapter reconnects for the program.
@MainActor final class Adapter {
  /// Tells the program.
  let write: @MainActor (AdapterReply) -> Void
  private let connect: @Sendable () async throws(RouterError) -> RouterConnection
  private var connection: RouterConnection?
  private var waiting: [CheckedContinuation<Void, Never>] = []
  private var scenes: [String: AdapterScene] = [:]
  /// The scene in which the user works, which need not be open yet.
  private(set) var active: String?
  private var declarations: [String: AdapterDeclaration] = [:]
  private var deliveries: [Delivery.ID: Delivery] = [:]
  private var requests: [OpenRequest.ID: OpenRequest] = [:]
  /// The open request for which the router has started the program, until a scene answers it.
  private var requestOfStart: String?
  /// In the order of the program's objects, each with the key of its scene.
  private var raises: [(key: String, window: RaisedWindow)] = []
  private var isRaising = false
  private var calls: [Int: Task<Void, Never>] = [:]
  /// Answers to deliveries that wait until the router knows the scenes.
  private var heldAnswers: [@MainActor () async -> Void] = []
  /// The calls that answer deliveries.
  private var answers: Set<Int> = []
  private var lastCall = 0

  static let timeToRetry = Duration.milliseconds(200)

  /// The router gives a program that it has to start at least this much time to take an event.
  private static let timeForAnswers = Duration.seconds(60)

  init(
    requestOfStart: String?,
    connect: @escaping @Sendable () async throws(RouterError) -> RouterConnection,
    write: @escaping @MainActor (AdapterReply) -> Void
  ) {
    (self.requestOfStart, self.connect, self.write) = (requestOfStart, connect, write)
  }

  typealias Input<Part> = (
    stream: AsyncThrowingStream<Part, any Error>,
    continuation: AsyncThrowingStream<Part, any Error>.Continuation
  )

  /// Does what the program asks for in each part of its input, until the end of the input.
  ///
  /// - Throws: if the input fails, the router refuses this user, or no setting says where its socket is.
  func run<Part>(
    _ input: Input<Part>,
    request: (Part) throws(AdapterError) -> AdapterRequest
  ) async throws {
    let states = Task {
      do throws(RouterError) {
        try await followConnection()
      } catch {
        input.continuation.finish(throwing: error)
      }
    }
    defer { states.cancel() }
    for try await part in input.stream {
      do throws(AdapterError) {
        try handle(request(part))
      } catch {
        write(.error(error))
      }
    }
    await finishAnswers()
    for scene in scenes.values { scene.end() }
    for declaration in declarations.values { declaration.end() }
    await finishCalls()
  }

  /// The program may still read the answers to its events.
  private func finishCalls() async {
    let calls = Array(calls.values)
    if calls.isEmpty { return }
    await withTaskGroup { group in
      group.addTask { for call in calls { await call.value } }
      group.addTask { try? await Task.sleep(for: Self.timeForAnswers) }
      await group.next()
      for call in calls { call.cancel() }
      group.cancelAll()
    }
  }

  private func followConnection() async throws(RouterError) {
    var delay = Duration.milliseconds(50)
    var isReported = false
    while connection == nil {
      do throws(RouterError) {
        connection = try await connect()
      } catch {
        guard error.isAbsence else { throw error }
        if !isReported { write(.reconnecting) }
        isReported = true
        try? await Task.sleep(for: delay)
        if Task.isCancelled { return }
        delay = min(delay * 2, .seconds(5))
      }
    }
    write(.connected)
    for continuation in waiting { continuation.resume() }
    waiting = []
    guard let states = connection?.states else { return }
    for await state in states { write(state == .connected ? .connected : .reconnecting) }
  }

  /// Waits for the first connection.
  var router: RouterConnection {
    get async {
      while true {
        if let connection { return connection }
        await withCheckedContinuation { waiting.append($0) }
      }
    }
  }
}

// MARK: - What the program says

extension Adapter {
  private func handle(_ request: AdapterRequest) throws(AdapterError) {
    switch request {
    case .scene(let key, let state):
      let scene = scenes[key] ?? AdapterScene(key, of: self)
      scenes[key] = scene
      scene.bring(to: state)
    case .active(let key):
      active = key
      scenes[key]?.becomeActive()
    case .close(let key):
      if active == key { active = nil }
      try scene(key, .close).bring(to: nil)
    case .taken(let id): settle(id, isTaken: true, reason: nil)
    case .declined(let id, let reason): settle(id, isTaken: false, reason: reason)
    case .declare(let id, let state):
      if let declaration = declarations[id] {
        declaration.bring(to: state)
      } else {
        declarations[id] = AdapterDeclaration(id, state, of: self)
      }
    case .send(let number, let event, let key, let application, let token):
      let origin = try key.map { key throws(AdapterError) in try scene(key, .send) }
      askRouter { [self] in await send(number, event, from: origin, to: application, token) }
    case .explain(let number, let event, let key):
      let origin = try key.map { key throws(AdapterError) in try scene(key, .explain) }
      askRouter { [self] in await explain(number, event, from: origin) }
    case .raise(let key, let window):
      _ = try scene(key, .raise)
      raise(window, of: key)
    }
  }

  /// An earlier window of the same scene leaves the list, which stays short even if the program asks faster than the
  /// desktop's tools can raise windows.
  private func raise(_ window: RaisedWindow, of key: String) {
    raises.removeAll { $0.key == key }
    raises.append((key, window))
    if isRaising { return }
    isRaising = true
    ask { [self] in
      while !raises.isEmpty {
        let result = await raises.removeFirst().window.raise()
        if !result.isRaised { Terminal.showError(result.sentence.printable) }
      }
      isRaising = false
      IdleCode.release()
    }
  }

  private func scene(_ key: String, _ word: AdapterRequest.Word) throws(AdapterError) -> AdapterScene {
    guard let scene = scenes[key] else { throw AdapterError(word, "There is no scene '\(key)'.") }
    return scene
  }

  @discardableResult
  private func ask(_ call: @escaping @MainActor () async -> Void) -> Int {
    lastCall += 1
    let id = lastCall
    calls[id] = Task {
      await call()
      calls[id] = nil
      answers.remove(id)
    }
    return id
  }

  /// Answers deliveries when the router knows all scenes as the program has described them.
  ///
  /// Otherwise the same event, sent again, might find the former scenes, and open a second window.
  func sendAnswersBehindScenes() {
    if scenes.values.allSatisfy({ $0.work == nil }) { sendAnswers() }
  }

  func sendAnswers() {
    for answer in heldAnswers { answers.insert(ask(answer)) }
    heldAnswers = []
  }

  /// The router takes no answer of a scene that is closed.
  func finishAnswers() async {
    while !heldAnswers.isEmpty || !answers.isEmpty {
      sendAnswers()
      for id in answers { await calls[id]?.value }
    }
  }

  /// Comes after all earlier changes of scenes and declarations.
  private func askRouter(_ call: @escaping @MainActor () async -> Void) {
    let works = scenes.values.compactMap(\.work) + declarations.values.compactMap(\.work)
    ask {
      for work in works { await work.value }
      await call()
    }
  }

  /// Settles the delivery or declines the open request `id`, unless the router has withdrawn it in the meantime.
  private func settle(_ id: String, isTaken: Bool, reason: String?) {
    if let delivery = deliveries.removeValue(forKey: id) {
      heldAnswers.append {
        _ = isTaken ? try? await delivery.acknowledge() : try? await delivery.decline(reason: reason)
      }
      sendAnswersBehindScenes()
    } else if !isTaken, let request = requests.removeValue(forKey: id) {
      ask { _ = try? await request.decline(reason: reason) }
    }
  }

  private func send(
    _ number: Int64,
    _ event: Event,
    from origin: AdapterScene?,
    to application: String?,
    _ token: String?
  ) async {
    let scope = RoutingScope(applicationID: application, originSceneID: origin?.scene?.id)
    do throws(RouterError) {
      let outcome = try await router.send(event, to: scope, options: SendOptions(activationToken: token))
      let last = outcome.attempts.last
      let name =
        switch outcome {
        case .notRouted: "notRouted"
        case .serviceStopping: "shutdown"
        default: last?.result.rawValue ?? "unknown"
        }
      write(
        .sent(
          number,
          outcome: name,
          application: outcome.decision?.applicationID,
          scene: key(of: last?.sceneID),
          error: outcome.isTaken ? nil : outcome.description
        )
      )
    } catch {
      let outcome = CommandStatus(error) == .outcomeUnknown ? "unknown" : "refused"
      write(.sent(number, outcome: outcome, application: nil, scene: nil, error: error.description))
    }
  }

  private func explain(_ number: Int64, _ event: Event, from origin: AdapterScene?) async {
    do throws(RouterError) {
      let scope = RoutingScope(originSceneID: origin?.scene?.id)
      let decision = try await router.explain(event, to: scope, maxTraceSteps: 0)
      write(.explained(number, decision, scene: key(of: decision.sceneID)))
    } catch {
      write(.error(AdapterError(.explain, error.description)))
    }
  }

  private func key(of id: String?) -> String? { scenes.values.first { $0.scene?.id == id && id != nil }?.key }
}

// MARK: - What the router says

extension Adapter {
  func deliver(_ delivery: Delivery, to key: String) {
    deliveries[delivery.id] = delivery
    write(.delivery(delivery, scene: key))
  }

  func request(_ request: OpenRequest) {
    requests[request.id] = request
    write(.request(request))
  }

  func withdraw(_ withdrawal: Withdrawal) {
    guard let id = withdrawal.deliveryID ?? withdrawal.openRequestID else { return }
    (deliveries[id], requests[id]) = (nil, nil)
    write(.withdrawn(id, reason: withdrawal.reason.rawValue))
  }

  /// Says again which scene is active, after the report about an earlier one came late.
  func becameActive(_ key: String) {
    if let active, active != key { scenes[active]?.becomeActive() }
  }

  /// Keeps a new scene that already has the key.
  func remove(_ scene: AdapterScene) {
    if scenes[scene.key] === scene { scenes[scene.key] = nil }
  }

  /// The scene answers the open request that `state` names, else the one for which the program was started.
  ///
  /// If the request has already ended, the scene opens without it.
  func open(_ state: AdapterScene.State, over router: RouterConnection) async throws(RouterError) -> OpenScene
  {
    let id = state.request ?? requestOfStart
    let request = id.flatMap { requests[$0] }
    let opened: OpenScene
    do throws(RouterError) {
      opened = try await router.openScene(
        application: state.application,
        declaration: state.declaration ?? request?.declarationID,
        title: state.title,
        registrations: [state.registration],
        answering: request,
        startedFor: request == nil ? id : nil
      )
    } catch {
      guard id != nil, case .noSuchOpenRequest = error.code else { throw error }
      opened = try await router.openScene(
        application: state.application,
        declaration: state.declaration,
        title: state.title,
        registrations: [state.registration]
      )
    }
    id.map { requests[$0] = nil }
    if id == requestOfStart { requestOfStart = nil }
    return opened
  }
}

extension RouterError {
  /// No router is there now, but a later call can succeed.
  var isAbsence: Bool {
    switch code {
    case .nobodyListens, .cannotConnect, .noAnswer, .connectionLost, .serviceStopping: true
    default: false
    }
  }
}
