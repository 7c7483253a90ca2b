import SceneClient

/// Keeps a scene open, and settles and prints its deliveries one after the other.
struct ScenePlayer: Sendable {
  /// Decides on each event; without a command, `declines` does.
  let program: EventProgram?
  let declines: Bool
  let printsJSON: Bool

  private enum Step: Sendable {
    case message(SceneMessage)
    case settled(Delivery.ID)
  }

  /// After a signal, the command of `program` ends before the tool.
  func untilSignal(_ body: @escaping @Sendable () async throws -> Void) async throws {
    if program == nil { try await body() } else { try await EndSignals.cancelling(body) }
  }

  /// Ends when the router closes the scene or the task is cancelled, and then ends a running command.
  ///
  /// - Throws: an error if the stream of the scene's messages fails, a delivery cannot be settled, or a line cannot be
  ///   printed.
  func play(_ scene: OpenScene) async throws {
    try show(scene, "open", ["opened": "true"])
    let (steps, continuation) = AsyncThrowingStream<Step, any Error>.makeStream()
    let reader = Task {
      do {
        for try await message in scene.messages { continuation.yield(.message(message)) }
        continuation.finish()
      } catch {
        continuation.finish(throwing: error)
      }
    }
    var deliveries: [Delivery.ID: Task<Void, Never>] = [:]
    var last: Task<Void, Never>?
    let result: Result<Void, any Error>
    do {
      for try await step in steps {
        switch step {
        case .message(.delivery(let delivery)):
          last = Task { [last] in
            await last?.value
            do {
              try await settle(delivery, of: scene)
              continuation.yield(.settled(delivery.id))
            } catch {
              continuation.finish(throwing: error)
            }
          }
          deliveries[delivery.id] = last
        case .message(.withdrawn(let withdrawal)):
          withdrawal.deliveryID.map { deliveries[$0]?.cancel() }
          try show(
            scene,
            "withdrawn (\(withdrawal.reason.rawValue))".printable,
            ["withdrawn": withdrawal.json]
          )
        case .message(.continued(let continuation)):
          let taker = continuation.taker.map { " by \($0)" } ?? ""
          try show(
            scene,
            "continued \(continuation.activityType)\(taker)".printable,
            ["continued": continuation.json]
          )
        case .message(.reopened): try show(scene, "open", ["opened": "true"])
        case .message(.closed(let reason)):
          try show(scene, "closed (\(reason.rawValue))".printable, ["closed": reason.rawValue.quoted])
        case .settled(let id): deliveries[id] = nil
        }
      }
      result = .success(())
    } catch {
      result = .failure(error)
    }
    for task in [reader] + deliveries.values { task.cancel() }
    for task in deliveries.values { await task.value }
    try result.get()
  }

  private func settle(_ delivery: Delivery, of scene: OpenScene) async throws {
    if Task.isCancelled { return }
    let reason = await program?.refusal(of: delivery, to: scene.id)
    let isTaken = reason == nil && !declines
    let outcome: AnswerOutcome
    do throws(RouterError) {
      outcome = isTaken ? try await delivery.acknowledge() : try await delivery.decline(reason: reason)
    } catch {
      // The delivery was withdrawn or the scene has ended, so a failed answer is no error.
      if Task.isCancelled { return }
      throw error
    }
    if case .tooLate(let result) = outcome {
      if Task.isCancelled { return }
      let end = "is settled already" + (result.map { ": \($0.rawValue)" } ?? "")
      return Terminal.showError("\(scene.id): The delivery '\(delivery.id)' \(end).".printable)
    }
    let result = isTaken ? "acknowledged" : "declined"
    try show(
      scene,
      Terminal.styled(result, isTaken ? .good : .bad) + " \(delivery.event.summary)"
        + (reason.map { " (\($0.printable))" } ?? ""),
      ["delivery": delivery.json, "result": result.quoted, "reason": reason?.quoted]
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
