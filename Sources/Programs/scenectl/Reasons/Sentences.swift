import SceneClient

extension Event {
  var summary: String {
    guard let activity else { return (url ?? "").shortened.printable }
    let about = activity.targetContentIdentifier ?? activity.webpageURL ?? activity.title
    return (activity.activityType + (about.map { " " + $0.shortened } ?? "")).printable
  }
}

extension RouteDecision {
  func destination(_ names: KnownNames) -> String {
    let application = applicationID.map { " of \(names.application($0))" } ?? ""
    switch target {
    case .scene: return ((sceneID.map(names.window) ?? "a scene") + application).printable
    case .newScene: return ("a new scene" + (declarationID.map { " '\($0)'" } ?? "") + application).printable
    case .nothing: return "nowhere"
    default: return target.rawValue.printable
    }
  }

  /// Words after a verb such as "routed".
  func route(of event: Event, _ names: KnownNames = KnownNames()) -> String {
    target == .nothing ? "nowhere" : "to \(destination(names))\(ChosenTarget(self, for: event).reasons())"
  }
}

extension EventOutcome {
  /// Each attempt in order, the last with the reasons for its target.
  ///
  /// `missing` says why nobody takes the event, if that is known.
  func sentence(
    for event: Event,
    _ decisions: [RouteDecision],
    missing: String?,
    _ names: KnownNames,
    isStyled: Bool = true
  ) -> String {
    func styled(_ text: String, _ style: Terminal.Style) -> String {
      isStyled ? Terminal.styled(text, style) : text
    }
    let failures = zip(attempts.dropLast(), decisions.map(\.applicationID) + attempts.map { _ in nil })
      .map { $0.sentence(of: $1, names) + "; " }.joined()
    switch self {
    case .taken(let report):
      let choice = ChosenTarget(report.decision, for: event)
      if report.settlement.result == .launched, let id = report.decision.applicationID {
        let handed = styled("handed", .good)
        return failures + "\(handed) to \(names.application(id).printable)\(choice.reasons(isLaunched: true))"
      }
      return failures + styled("taken", .good) + " by \(target(names))\(choice.reasons())"
    case .notRouted:
      return styled("not routed", .bad) + ": " + (missing ?? MissingTarget.unknown)
    case .declined(let report), .timedOut(let report), .launchFailed(let report):
      return failures
        + styled(report.settlement.sentence(of: report.decision.applicationID, names), .bad)
    case .serviceStopping: return styled("outcome unknown", .bad) + ": the router is stopping"
    }
  }

  /// The id of a new scene is not in the decision, but in the last attempt.
  private func target(_ names: KnownNames) -> String {
    guard let decision else { return "" }
    guard decision.target == .newScene, let scene = attempts.last?.sceneID else {
      return decision.destination(names)
    }
    return "the new \(names.window(scene)) of \(names.application(decision.applicationID))".printable
  }
}

extension Settlement {
  /// `application` is the application of the target, if known.
  func sentence(of application: String? = nil, _ names: KnownNames = KnownNames()) -> String {
    let application = application.map { names.application($0) }
    let by = sceneID.map { " by \(names.window($0))" } ?? ""
    let scene = sceneID.map(names.window) ?? "the scene"
    let end =
      switch result {
      case .acknowledged: "taken" + by
      case .launched: "handed to \(application ?? "an application")"
      case .declined: "declined" + by
      case .timeout: "\(scene) did not answer in time"
      case .sceneClosed: "\(scene) was closed before it answered"
      case .launchFailed: application.map { "\($0) opened no scene" } ?? "no scene was opened"
      case .shutdown: "the router stopped before an answer"
      default: result.rawValue
      }
    return (end + (reason.map { " (\($0))" } ?? "")).printable
  }
}

extension EventRecord {
  /// The text may be shortened or left out by the router; then it is the `eventId`, else "an event".
  var subject: String {
    (comparisonString?.shortened ?? eventID.map { "event '\($0)'" } ?? "an event").printable
  }

  var isTaken: Bool { [.acknowledged, .launched].contains(attempts.last?.result) }

  var isNotRouted: Bool { settled != nil && attempts.last?.hasTarget != true }

  func outcome(_ names: KnownNames) -> String {
    guard settled != nil else { return "under way" }
    guard let last = attempts.last, !isNotRouted else {
      return Terminal.styled("not routed", .bad) + ": \(MissingTarget.unknown)"
    }
    return Terminal.styled(last.ending(names), isTaken ? .good : .bad) + reasons(for: last)
  }

  /// After a colon; empty if none is known.
  ///
  /// After a failed start, nobody knows whether the program knows scenes. For one that knows none, "its declaration has
  /// no condition" explains nothing, so it is left out unless `areComplete`.
  func reasons(for attempt: Attempt, areComplete: Bool = false) -> String {
    ChosenTarget(attempt, of: self).reasons(
      isLaunched: attempt.result == .launched || attempt.result == .launchFailed && !areComplete,
      areComplete: areComplete
    )
  }
}

extension EventRecord.Attempt {
  /// `rule` does not tell this: after a restart of the router, the rules of earlier attempts are unknown.
  var hasTarget: Bool { applicationID != nil }

  private func target(_ names: KnownNames) -> String {
    let scene = sceneID.map(names.window) ?? "a new scene '\(declarationID ?? "?")'"
    return "\(scene) of \(names.application(applicationID))".printable
  }

  /// Whether the user was asked in a menu which application opens the link.
  var isQuestion: Bool { applicationID == MadeEntry.askApplicationID && result == .launched }

  func ending(_ names: KnownNames) -> String {
    let application = names.application(applicationID)
    let target = target(names)
    let end =
      switch result {
      case .acknowledged?: "taken by \(target)"
      case .launched? where isQuestion: "asked which application opens it"
      case .launched?: "handed to \(application)"
      case .declined?: "declined by \(target)"
      case .timeout?: "\(target) did not answer in time"
      case .sceneClosed?: "\(target) was closed before it answered"
      case .launchFailed?: "\(application) opened no scene"
      case .shutdown?: "the router stopped before an answer"
      default: result?.rawValue ?? "under way"
      }
    return (end + (reason.map { " (\($0))" } ?? "")).printable
  }
}

extension RouterError {
  /// Parameters are named as on the command line.
  var sentence: String {
    switch code {
    case .invalidParameter("event.url"): "This is not an absolute URL without white space."
    case .invalidParameter("event.activity.webpageURL"), .invalidParameter("activity.webpageURL"):
      "The value of --webpage-url is not an absolute URL without white space."
    case .invalidParameter("eventId"): "The id given with --event-id belongs to another event."
    default: description
    }
  }
}

extension EventRecord {
  var sender: String? {
    let process = senderProcessID.map { "process \($0)" }
    if let application = senderApplicationID {
      // `scenectl` sends for the program that runs it, so the clause leaves `scenectl` out.
      guard let name = senderName, !Self.isCommand(name) else {
        return ["sent by \(application)", process].compactMap(\.self).joined(separator: ", ").printable
      }
      return ["sent by \(name) (\(application))", process].compactMap(\.self).joined(separator: ", ")
        .printable
    }
    switch senderName {
    case "xdg-desktop-portal"?:
      return "the sender is not known, because a desktop portal (xdg-desktop-portal) handed the event on"
    case "scened-open"?:
      return "the sender is not known, because the desktop (KDE's KIO, or GNOME Shell) handed the event on"
    case let name?: return ["sent by \(name)", process].compactMap(\.self).joined(separator: ", ").printable
    case nil: return process.map { "sent by \($0)" }
    }
  }

  /// Nil for programs that pass links on and do not say for whom.
  var nameOfSender: String? {
    senderName.flatMap { ["scenectl", "xdg-desktop-portal", "scened-open"].contains($0) ? nil : $0 }
  }

  /// Whether the user has sent it from the windows of scened-desktop.
  var isSentByDesktop: Bool {
    senderApplicationID == UserBus.nameOfDesktop || senderName == "scened-desktop"
  }

  private static func isCommand(_ name: String) -> Bool { name == "scenectl" }
}
