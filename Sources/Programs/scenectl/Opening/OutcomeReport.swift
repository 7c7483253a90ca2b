import SceneClient

struct OutcomeReport {
  let printsJSON: Bool
  let router: RouterOptions
  let notifications: Notifications
  /// Looked for before the argument counted as a URL.
  var absentFile: String?
  /// Why the user was not asked; then the notification of a success says what was done instead.
  var insteadOfQuestion: String?

  /// When a failure is shown as a desktop notification.
  enum Notifications {
    case none
    /// If standard error is no terminal.
    case withoutTerminal
    /// Nothing is printed if a desktop shows it, because the standard streams belong to the program in which the user
    /// clicked.
    case only
  }

  /// `decisions` are those about the event, in order.
  func show(
    _ event: Event,
    to scope: RoutingScope,
    _ outcome: EventOutcome,
    _ decisions: [RouteDecision],
    _ connection: RouterConnection
  ) async throws(OutputError) -> CommandStatus {
    if outcome.isTaken, let insteadOfQuestion { await showTaken(event, outcome, insteadOfQuestion) }
    if outcome.isTaken, notifications == .only { return .taken }
    var missing: String?
    if case .notRouted = outcome {
      missing = await MissingTarget(event: event, scope: scope, router: router, absentFile: absentFile)
        .reason(connection)
      missing? += "; see: \(question(about: event, to: scope, outcome))"
    }
    let scenes = outcome.attempts.map(\.sceneID) + decisions.map(\.sceneID)
    // The titles of another machine's windows would need one more connection through ssh.
    let names =
      printsJSON || router.host != nil ? KnownNames() : await KnownNames(ofScenes: scenes, connection)
    // A notification has no styles.
    if !outcome.isTaken, wantsNotification {
      await notify(
        Self.failure,
        event.summary,
        outcome.sentence(for: event, decisions, missing: missing, names, isStyled: false)
      )
    }
    guard notifications != .only else { return CommandStatus(outcome) }
    if printsJSON {
      try Terminal.showJSON(JSONLine(event, outcome).text)
    } else {
      try Terminal.show(
        "\(event.summary): \(outcome.sentence(for: event, decisions, missing: missing, names))"
      )
    }
    return CommandStatus(outcome)
  }

  private func question(about event: Event, to scope: RoutingScope, _ outcome: EventOutcome) -> String {
    let line = ExplainCommand.line(for: event, to: scope, router)
    // `scenectl why` needs only the id, which is shorter than a long URL.
    guard line.shortened != line, let id = outcome.decision?.decisionID else { return line }
    return "scenectl why \(id.printable)"
  }

  /// The outcome is not awaited.
  func show(
    _ event: Event,
    to scope: RoutingScope,
    _ decision: RouteDecision,
    _ connection: RouterConnection
  ) async throws(OutputError) -> CommandStatus {
    guard decision.target != .nothing else {
      return try await show(event, to: scope, .notRouted(decision), [decision], connection)
    }
    if notifications == .only { return .taken }
    if printsJSON {
      try Terminal.showJSON(JSONLine(event, decision).text)
    } else {
      let names =
        router.host == nil ? await KnownNames(ofScenes: [decision.sceneID], connection) : KnownNames()
      try Terminal.show("\(event.summary): routed \(decision.route(of: event, names))")
    }
    return .taken
  }

  func show(_ event: Event, _ error: RouterError) async throws(OutputError) -> CommandStatus {
    let sentence = error.sentence
    await show(event.summary, sentence)
    if printsJSON, notifications != .only {
      try Terminal.showJSON(JSONLine(["event": event.json, "error": sentence.quoted]).text)
    }
    return CommandStatus(error)
  }

  func show(_ subject: String, _ sentence: String) async {
    if notifications != .only { Terminal.showError("\(subject.printable): \(sentence.printable)") }
    if wantsNotification { await notify(Self.failure, subject, sentence) }
  }

  private var wantsNotification: Bool {
    switch notifications {
    case .none: false
    case .withoutTerminal: !Terminal.showsErrors
    case .only: true
    }
  }

  private static let failure = "A link could not be opened"

  private func showTaken(_ event: Event, _ outcome: EventOutcome, _ reason: String) async {
    let id = outcome.decision?.applicationID ?? ""
    let name = InstalledDesktop().properName(of: id) ?? id
    let title = "Opened in \(name)".printable
    if notifications != .only { Terminal.showError("\(title): \(reason)") }
    if wantsNotification { await notify(title, event.summary, reason) }
  }

  private func notify(_ title: String, _ subject: String, _ sentence: String) async {
    let isShown = await UserBus.showNotification(
      title,
      "\(subject.shortened.printable)\n\(sentence.printable)".escapedForMarkup
    )
    if !isShown, notifications == .only {
      Terminal.showError("\(subject.printable): \(sentence.printable)")
    }
  }
}

extension String {
  var escapedForMarkup: String {
    reduce(into: "") { text, character in
      switch character {
      case "&": text += "&amp;"
      case "<": text += "&lt;"
      case ">": text += "&gt;"
      default: text.append(character)
      }
    }
  }
}
