import SceneClient

extension Event {
  /// The event in a few words: its URL, or the type and the content of its activity.
  var summary: String {
    guard let activity else { return (url ?? "").printable }
    let about = activity.targetContentIdentifier ?? activity.webpageURL ?? activity.title
    return (activity.activityType + (about.map { " " + $0 } ?? "")).printable
  }
}

extension RouteDecision {
  /// The target of the event, in a few words.
  var destination: String {
    let application = applicationID.map { " of \($0)" } ?? ""
    switch target {
    case .scene: return ((sceneID.map { "scene \($0)" } ?? "a scene") + application).printable
    case .newScene: return ("a new scene" + (declarationID.map { " '\($0)'" } ?? "") + application).printable
    case .nothing: return "nowhere"
    default: return target.rawValue.printable
    }
  }

  /// The rule of the decision, in a few words.
  var reason: String {
    guard let rule else { return target == .nothing ? "no rule found a target" : "rule not reported" }
    return ("rule \(rule.rawValue)" + (matchedPattern.map { ", identifier '\($0)'" } ?? "")).printable
  }

  /// The target and the rule, to follow a verb.
  var route: String { target == .nothing ? "nowhere: \(reason)" : "to \(destination) (\(reason))" }
}

extension EventOutcome {
  /// The outcome of the event: each attempt in order, the last attempt with its reason.
  var sentence: String {
    let failures = attempts.dropLast().map { $0.sentence + "; " }.joined()
    switch self {
    case .taken(let report):
      let taken = Terminal.styled("taken", .good)
      let reason = " (\(report.decision.reason))"
      if report.settlement.result == .launched, let application = report.decision.applicationID?.printable {
        return failures + "\(taken): handed to \(application)\(reason)"
      }
      return failures + "\(taken) by \(target)\(reason)"
    case .notRouted(let decision): return Terminal.styled("not routed", .bad) + ": \(decision.reason)"
    case .declined(let report), .timedOut(let report), .launchFailed(let report):
      return failures + Terminal.styled(report.settlement.sentence, .bad)
    case .serviceStopping: return Terminal.styled("outcome unknown", .bad) + ": the router is stopping"
    }
  }

  /// The scene that took the event; for a new scene its id, which the decision does not contain.
  private var target: String {
    guard let decision else { return "" }
    guard decision.target == .newScene, let scene = attempts.last?.sceneID else {
      return decision.destination
    }
    return "the new scene \(scene) of \(decision.applicationID ?? "?")".printable
  }
}

extension Settlement {
  /// The end of the attempt, in a few words.
  var sentence: String {
    let by = sceneID.map { " by scene \($0)" } ?? ""
    let scene = sceneID.map { "scene \($0)" } ?? "the scene"
    let end =
      switch result {
      case .acknowledged: "taken" + by
      case .declined: "declined" + by
      case .timeout: "\(scene) did not answer in time"
      case .sceneClosed: "\(scene) was closed before it answered"
      case .launchFailed: "no scene was opened"
      case .shutdown: "the router stopped before an answer"
      default: result.rawValue
      }
    return (end + (reason.map { " (\($0))" } ?? "")).printable
  }
}

extension EventRecord {
  /// The URL or the identifier of the event, else its id, else words; the router does not always report the content.
  var subject: String { (comparisonString ?? eventID.map { "event '\($0)'" } ?? "an event").printable }

  var isTaken: Bool { [.acknowledged, .launched].contains(attempts.last?.result) }

  /// Whether the last decision found no target.
  var isNotRouted: Bool { settled != nil && attempts.last?.rule == nil }

  /// The outcome of the event, in a few words.
  var outcome: String {
    guard settled != nil else { return "under way" }
    guard let last = attempts.last, !isNotRouted else {
      return Terminal.styled("not routed", .bad) + ": no rule found a target"
    }
    return Terminal.styled(last.ending, isTaken ? .good : .bad) + " (\(last.choice))"
  }
}

extension EventRecord.Attempt {
  /// The scene or declaration that the attempt was for.
  var target: String {
    let scene = sceneID.map { "scene \($0)" } ?? "a new scene '\(declarationID ?? "?")'"
    return "\(scene) of \(applicationID ?? "?")".printable
  }

  /// The rule and the identifier that chose the target.
  var choice: String {
    ("rule \(rule?.rawValue ?? "?")" + (matchedPattern.map { ", identifier '\($0)'" } ?? "")).printable
  }

  /// The end of the attempt, in a few words.
  var ending: String {
    let application = applicationID ?? "?"
    let end =
      switch result {
      case .acknowledged?: "taken by \(target)"
      case .launched?: "handed to \(application)"
      case .declined?: "declined by \(target)"
      case .timeout?: "\(target) did not answer in time"
      case .sceneClosed?: "\(target) was closed before it answered"
      case .launchFailed?: "\(application) did not open the scene it was asked for"
      case .shutdown?: "the router stopped before an answer"
      default: result?.rawValue ?? "under way"
      }
    return (end + (reason.map { " (\($0))" } ?? "")).printable
  }
}

extension RouterError {
  /// The error in a sentence; parameters are named as on the command line.
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
