import SceneClient

/// A scene that the tool keeps open: shows each delivery and settles it.
struct ScenePlayer: Sendable {
  /// What it does with a delivery.
  enum Answer: Sendable {
    case acknowledge
    case decline
    case run(EventProgram)
  }

  let answer: Answer
  let printsJSON: Bool

  /// Plays the scene until it is closed.
  func play(_ scene: OpenScene) async throws {
    try show(scene, "open", ["opened": "true"])
    for try await message in scene.messages {
      switch message {
      case .delivery(let delivery): try await settle(delivery, of: scene)
      case .withdrawn(let withdrawal):
        try show(scene, "withdrawn (\(withdrawal.reason.rawValue))", ["withdrawn": withdrawal.json])
      case .closed(let reason):
        try show(scene, "closed (\(reason.rawValue))", ["closed": reason.rawValue.quoted])
      }
    }
  }

  private func settle(_ delivery: Delivery, of scene: OpenScene) async throws {
    let (isTaken, reason) = await verdict(on: delivery, of: scene)
    do throws(RouterError) {
      if isTaken {
        try await delivery.acknowledge()
      } else {
        try await delivery.decline(reason: reason)
      }
    } catch {
      // Its time ran out meanwhile, which ends the delivery and not the scene.
      guard case .noSuchDelivery = error.code else { throw error }
      return Terminal.showError("\(scene.id): \(error.description)".printable)
    }
    let result = isTaken ? "acknowledged" : "declined"
    try show(
      scene,
      Terminal.styled(result, isTaken ? .good : .bad) + " \(delivery.event.summary)"
        + (reason.map { " (\($0.printable))" } ?? ""),
      ["delivery": delivery.json, "result": result.quoted, "reason": reason?.quoted]
    )
  }

  /// Whether the scene takes the event; if not, why.
  private func verdict(on delivery: Delivery, of scene: OpenScene) async -> (isTaken: Bool, reason: String?) {
    switch answer {
    case .acknowledge: return (true, nil)
    case .decline: return (false, nil)
    case .run(let program):
      let refusal = await program.refusal(of: delivery, to: scene.id)
      return (refusal == nil, refusal)
    }
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
