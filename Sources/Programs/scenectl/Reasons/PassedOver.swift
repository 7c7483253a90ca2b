import SceneClient

/// The scenes and declarations that match an event, but were passed over because other applications claim it.
struct PassedOver {
  private static let mostNamed = 5

  private let event: Event
  private let decision: RouteDecision
  private let applications: [String: ApplicationDescription]
  private let names: KnownNames

  init(of decision: RouteDecision, for event: Event, _ connection: RouterConnection) async throws(RouterError)
  {
    (self.event, self.decision) = (event, decision)
    let steps = Self.steps(of: decision)
    var applications: [String: ApplicationDescription] = [:]
    for id in Set(steps.prefix(Self.mostNamed).compactMap(\.applicationID)) {
      applications[id] = try await connection.applications(id: id).first
    }
    self.applications = applications
    names = await KnownNames(ofScenes: steps.prefix(Self.mostNamed).map(\.sceneID), connection)
  }

  /// One for each of the first ``mostNamed``: why it was passed over, and how the user can change this.
  var sentences: [String] {
    let steps = Self.steps(of: decision)
    let more = steps.count - Self.mostNamed
    return steps.prefix(Self.mostNamed).map(sentence)
      + (more > 0 ? ["\(more) more \(more == 1 ? "wants" : "want") it, too."] : [])
  }

  /// Without steps in which only `*` matched: a scene that takes everything does not expect links that others claim.
  private static func steps(of decision: RouteDecision) -> [TraceStep] {
    var seen: Set<[String?]> = []
    return decision.trace.filter { step in
      step.matched && step.rejectedBecause == "claimedByOthers" && step.pattern != "*"
        && seen.insert([step.applicationID, step.sceneID ?? step.declarationID]).inserted
    }
  }

  private func sentence(_ step: TraceStep) -> String {
    let application = step.applicationID ?? "an application"
    let name =
      step.sceneID.map { "\(application) (\(names.title(of: $0).map { "\"\($0)\"" } ?? $0))" }
      ?? "\(application)"
    let wish =
      switch step.rule {
      case .preferring: "prefers it" + identifier(of: step)
      case .allowing, .singleScene: "allows it" + identifier(of: step)
      default: "would open a scene for it" + identifier(of: step)
      }
    let sentence = "\(name) \(wish), but claims \(claims(of: step)), while \(reasonForWinner)."
    let show =
      step.sceneID == nil ? "" : ", or let the window show the \(isWeb ? "page" : "document") ('showing')"
    return (sentence + " To let it take part: \(remedy(for: application))\(show).").printable
  }

  private func identifier(of step: TraceStep) -> String {
    step.pattern.map { " ('\($0.shortened)')" } ?? ""
  }

  private func claims(of step: TraceStep) -> String {
    guard let claims = step.applicationID.flatMap({ applications[$0]?.claims }) else { return "nothing" }
    let all = claims.schemes.map { $0 + ":" } + claims.hosts + claims.mimeTypes + claims.activityTypes
    return all.isEmpty ? "nothing" : "only \(all.abridged)"
  }

  private var isWeb: Bool { event.url?.urlHost != nil }

  /// Not always a claim: an application that the user chose need not claim the event.
  private var reasonForWinner: String {
    let winner = decision.applicationID ?? "another application"
    return switch decision.applicationBecause {
    case .userHost?: "you chose \(winner) for \(event.url?.urlHost ?? "its host")"
    case .userSender?: "you chose \(winner) for links of this sender"
    default: "\(winner) claims \(claimed)"
    }
  }

  /// The claim by which the decision's application gets the event.
  private var claimed: String {
    if decision.applicationBecause == .hostClaim, let source = decision.applicationSource { return source }
    if let activity = event.activity { return activity.activityType }
    guard let scheme = event.url?.urlScheme else { return "it" }
    return scheme == "file" ? event.contentType ?? "files of its type" : scheme
  }

  private func remedy(for application: String) -> String {
    let claim =
      if let host = event.url?.urlHost {
        "--claim-host \(host.shellWord)"
      } else if let scheme = event.url?.urlScheme, scheme != "file" {
        "--claim-scheme \(scheme.shellWord)"
      } else {
        nil as String?
      }
    guard let claim else { return "claim the type in the application's desktop entry or declaration" }
    if let path = applications[application]?.path {
      return "claim \(claim.split(separator: " ").last ?? "it") in \(Host.abbreviated(path))"
    }
    return "'scenectl declare --application \(application.shellWord) \(claim) --scene main'"
  }
}
