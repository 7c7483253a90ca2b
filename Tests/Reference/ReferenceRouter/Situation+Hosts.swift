/// An application that is asked alone, before the applications that are asked together.
struct Turn {
  var applicationId: String
  var because: ReferenceRouter.Because
  /// The claims that give the application this turn.
  var hostClaims: Set<String> = []
}

extension Situation {
  /// The turns before the user's default.
  ///
  /// First come the applications that the user chose for the sender and for the host. Then come the applications that
  /// claim the host, the closest claim first. One application may have several turns.
  var turns: [Turn] { senderTurn + hostTurns }

  /// The turn of the application that the user chose for the sender's application; empty if the user chose none.
  private var senderTurn: [Turn] {
    guard case .url = event.content, let sender = event.sender else { return [] }
    let choices = scenario.senderChoices.filter { $0.sender == sender }
    // Choices for the types of the file come first, closer types before farther types. Then come choices for the
    // scheme.
    let types = kinds.indices.flatMap { distance in
      names(ofTypeAt: distance).flatMap { name in choices.filter { $0.subject == .mimeType(name) } }
    }
    let schemes = choices.filter { $0.subject == .scheme(scheme ?? "") }
    let known = (types + schemes).filter { choice in
      applications.contains { $0.id == choice.applicationId }
    }
    return known.prefix(1).map { Turn(applicationId: $0.applicationId, because: .userSender) }
  }

  private var hostTurns: [Turn] {
    guard case .url(let url) = event.content, let address = Address(url: url) else { return [] }
    let present = inOrder(applications.filter { !$0.isForNamedEventsOnly }, of: [scenario.preferences.others])
    let chosen = ReferenceHosts.inOrder(scenario.hostChoices.keys.map { $0 }, of: address).compactMap {
      claim in
      applications.first { $0.id == scenario.hostChoices[claim] }
    }
    let claiming: [(claim: Closeness, place: Int, application: Scenario.Application)] =
      present.enumerated().compactMap { place, application in
        closestTrustedClaim(of: application, to: address).map { (Closeness($0), place, application) }
      }
    let sorted = claiming.sorted { left, right in
      left.claim == right.claim ? left.place < right.place : left.claim > right.claim
    }
    return chosen.prefix(1).map { Turn(applicationId: $0.id, because: .userHost) }
      + sorted.map { claim in
        let equals = (claim.application.claims?.hosts ?? []).filter { host in
          address.isCovered(by: host) && Closeness(host) == claim.claim
        }
        return Turn(applicationId: claim.application.id, because: .hostClaim, hostClaims: Set(equals))
      }
  }

  private func closestTrustedClaim(of application: Scenario.Application, to address: Address) -> String? {
    if case .file(isTrusted: false) = application.source { return nil }
    return ReferenceHosts.inOrder(application.claims?.hosts ?? [], of: address).first
  }
}
