/// An application that the router tries alone, before it tries the remaining applications together.
struct Turn {
  var applicationId: String
  var because: ReferenceRouter.Because
  /// The claims of hosts for which the application is tried alone; empty if there is another reason.
  var hostClaims: Set<String> = []
}

extension Situation {
  /// The applications that the router tries one by one, before the user's default application.
  ///
  /// First come the applications that the user chose for the sender and for the host. Then come the applications that
  /// claim the host, the closest claim first. The same application may occur several times.
  var turns: [Turn] { senderTurn + hostTurns }

  /// The application that the user chose for events of this sender, as a list of one turn.
  ///
  /// The list is empty if there is no such application.
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
