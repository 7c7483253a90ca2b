import SceneClient

/// Keeps a scene open, settles its deliveries one after the other and shows each.
struct ScenePlayer: Sendable {
  /// What decides on each event; without one, every event is taken or every one declined.
  let program: EventProgram?
  let declines: Bool
  let printsJSON: Bool

  /// What there is to show.
  private enum Step: Sendable {
    case message(SceneMessage)
    case end(Delivery, Ending)
  }

  /// What became of a delivery.
  private enum Ending: Sendable {
    case taken
    case declined(reason: String?)
    /// Its time was over, or scenectl has to end.
    case cancelled
    case failed(RouterError)
  }

  /// Runs `body`, and ends the program in order if a signal asks the tool to end.
  func untilSignal(_ body: @escaping @Sendable () async throws -> Void) async throws {
    if program == nil { try await body() } else { try await EndSignals.cancelling(body) }
  }

  /// Plays the scene until the router closes it, or the task is cancelled.
  func play(_ scene: OpenScene) async throws {
    let (steps, continuation) = AsyncThrowingStream<Step, any Error>.makeStream()
    let messages = Task {
      do {
        for try await message in scene.messages { continuation.yield(.message(message)) }
        continuation.finish()
      } catch {
        continuation.finish(throwing: error)
      }
    }
    var deliveries: [Delivery.ID: Task<Void, Never>] = [:]
    let result: Result<Void, any Error>
    do {
      try show(scene, "open", ["opened": "true"])
      var last: Task<Void, Never>?
      for try await step in steps {
        switch step {
        case .message(.delivery(let delivery)):
          let task = Task { [last] in
            await last?.value
            continuation.yield(.end(delivery, await settle(delivery, of: scene)))
          }
          deliveries[delivery.id] = task
          last = task
        case .message(.withdrawn(let withdrawal)):
          withdrawal.deliveryID.map { deliveries[$0]?.cancel() }
          try show(scene, "withdrawn (\(withdrawal.reason.rawValue))", ["withdrawn": withdrawal.json])
        case .message(.closed(let reason)):
          try show(scene, "closed (\(reason.rawValue))", ["closed": reason.rawValue.quoted])
        case .end(let delivery, let ending):
          deliveries[delivery.id] = nil
          try show(scene, delivery, ending)
        }
      }
      result = .success(())
    } catch {
      result = .failure(error)
    }
    messages.cancel()
    for task in deliveries.values { task.cancel() }
    for task in deliveries.values { await task.value }
    try result.get()
  }

  private func settle(_ delivery: Delivery, of scene: OpenScene) async -> Ending {
    if Task.isCancelled { return .cancelled }
    let refusal = await program?.refusal(of: delivery, to: scene.id)
    if Task.isCancelled { return .cancelled }
    do throws(RouterError) {
      if declines || refusal != nil {
        try await delivery.decline(reason: refusal)
        return .declined(reason: refusal)
      }
      try await delivery.acknowledge()
      return .taken
    } catch {
      return .failed(error)
    }
  }

  private func show(_ scene: OpenScene, _ delivery: Delivery, _ ending: Ending) throws {
    let result: String
    var why: String?
    switch ending {
    case .taken: result = "acknowledged"
    case .declined(let reason): (result, why) = ("declined", reason)
    case .cancelled: return
    case .failed(let error):
      // Its time is over, which ends the delivery and not the scene.
      guard case .noSuchDelivery = error.code else { throw error }
      return Terminal.showError("\(scene.id): \(error.description)".printable)
    }
    try show(
      scene,
      Terminal.styled(result, result == "declined" ? .bad : .good) + " \(delivery.event.summary)"
        + (why.map { " (\($0.printable))" } ?? ""),
      ["delivery": delivery.json, "result": result.quoted, "reason": why?.quoted]
    )
  }

  private func show(
    _ scene: OpenScene,
    _ text: String,
    _ members: KeyValuePairs<String, String?>
  ) throws(OutputError) {
    if printsJSON {
      try Terminal.showJSON(JSONLine(["sceneId": scene.id.quoted], members).text)
    } else {
      try Terminal.show("\(scene.id.printable): \(text)")
    }
  }
}
