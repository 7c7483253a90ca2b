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
    for try await message in scene.messages {
      switch message {
      case .delivery(let delivery): try await settle(delivery, of: scene.id)
      case .withdrawn(let withdrawal):
        if !printsJSON { Terminal.show("\(scene.id): withdrawn (\(withdrawal.reason.rawValue))".printable) }
      case .closed(let reason):
        if !printsJSON { Terminal.show("\(scene.id): closed (\(reason.rawValue))".printable) }
      }
    }
  }

  private func settle(_ delivery: Delivery, of scene: String) async throws {
    let refusal: String? =
      switch answer {
      case .acknowledge: nil
      case .decline: "declined by scenectl"
      case .run(let program): await program.refusal(of: delivery, to: scene)
      }
    do throws(RouterError) {
      if let refusal {
        try await delivery.decline(reason: refusal)
      } else {
        try await delivery.acknowledge()
      }
    } catch {
      // Its time ran out meanwhile, which ends the delivery and not the scene.
      guard case .noSuchDelivery = error.code else { throw error }
      return Terminal.showError("\(scene): \(error.description)".printable)
    }
    if printsJSON {
      Terminal.show(delivery.event.json)
    } else {
      let settled =
        refusal == nil ? Terminal.styled("acknowledged", .good) : Terminal.styled("declined", .bad)
      Terminal.show("\(scene.printable): \(settled) \(delivery.event.summary)")
    }
  }
}
