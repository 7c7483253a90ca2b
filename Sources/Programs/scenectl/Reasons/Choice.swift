import SceneClient

/// Why the router chose a target, in words that all commands share.
///
/// The words never say "default" alone, because "default" could mean two things: the user's default application, or a
/// declaration without a condition.
struct Choice {
  /// The text of the event, if the text is known.
  let text: String?
  let rule: RouteDecision.Rule?
  let applicationID: String?
  let applicationBecause: RouteDecision.ApplicationReason?
  let applicationSource: String?
  let declarationID: String?
  let matchedPattern: String?
  /// Whether the target is known to be a scene that was open already; always false for a record.
  let isOpen: Bool

  init(_ decision: RouteDecision, for event: Event) {
    text = event.comparisonString
    rule = decision.rule
    applicationID = decision.applicationID
    applicationBecause = decision.applicationBecause
    applicationSource = decision.applicationSource
    declarationID = decision.declarationID
    matchedPattern = decision.matchedPattern
    isOpen = decision.target == .scene
  }

  init(_ attempt: EventRecord.Attempt, of record: EventRecord) {
    text = record.comparisonString
    rule = attempt.rule
    applicationID = attempt.applicationID
    applicationBecause = attempt.applicationBecause
    applicationSource = attempt.applicationSource
    declarationID = attempt.declarationID
    matchedPattern = attempt.matchedPattern
    isOpen = false
  }

  /// Returns the reasons for the target after a colon; empty without known reasons.
  ///
  /// For a new scene, "its declaration has no condition" is left out in two cases:
  /// - The event was handed to a program. A program that knows nothing of scenes has only one declaration, and this
  ///   declaration has no condition.
  /// - The application was chosen for a reason other than "the only application".
  ///
  /// If there is another reason, "the only application" and "the first of several applications" are left out. With
  /// `areComplete`, these two reasons stay.
  func reasons(isLaunched: Bool = false, areComplete: Bool = false) -> String {
    let isOmitted = rule == .default && !isOpen && (isLaunched || ![.only, nil].contains(applicationBecause))
    var reasons = [isOmitted ? nil : targetReason].compactMap(\.self)
    if let reason = applicationReason,
      areComplete || reasons.isEmpty || ![.only, .order].contains(applicationBecause)
    {
      reasons.append(reason)
    }
    return reasons.isEmpty ? "" : ": " + reasons.joined(separator: "; ").printable
  }

  /// The reason for the application; nil if the reason for the scene is the only reason.
  private var applicationReason: String? {
    switch applicationBecause {
    case .sender? where rule != .explicit: "the sender named this application"
    case .only?: "the only application that takes part"
    case .userSender?: "your choice for links of this sender" + place
    case .userHost?: "your choice for " + (host ?? "its host") + place
    case .hostClaim?: "it claims \(applicationSource ?? host ?? "its host")"
    case .userDefault?: "your default for \(kind)" + place
    case .order?: "the first of several applications, because you chose none for \(kind)"
    case .sender?, .showing?, .preferring?, nil: nil
    case let reason?: reason.rawValue
    }
  }

  /// The reason for the scene or the declaration.
  private var targetReason: String? {
    switch rule {
    case .explicit?: "the sender named this scene"
    case .singleScene?: "the only scene that its application can have"
    case .showing?: "it shows this \(document)"
    case .preferring?: "it prefers \(identifier)"
    case .allowing?: "it allows \(identifier)"
    case .matching?: "its declaration opens scenes for \(identifier)" + onlyScene
    case .document?: "its declaration opens files of this type" + onlyScene
    case .default?: "its declaration has no condition" + onlyScene
    case let rule?: "rule \(rule.rawValue)"
    case nil: nil
    }
  }

  /// The words for an open scene that is the only scene of its declaration; empty if the target is not known to be
  /// open.
  private var onlyScene: String { isOpen ? ", and this is its only scene" : "" }

  private var identifier: String {
    switch matchedPattern {
    case "*"?: "every event ('*')"
    case let pattern?: "identifier '\(pattern.shortened)'"
    case nil: "an identifier of the event"
    }
  }

  /// The path of the user's list and the line of the choice, in parentheses; empty without a choice.
  private var place: String { applicationSource.map { " (\(Host.abbreviated($0)))" } ?? "" }

  private var scheme: String? { text?.urlScheme }

  private var document: String {
    switch scheme {
    case "http"?, "https"?: "page"
    case "file"?: "file"
    default: "document"
    }
  }

  /// The kind of event for which people choose an application.
  private var kind: String { scheme.map { $0 == "file" ? "this type of file" : $0 } ?? "such events" }

  private var host: String? { text?.urlHost }
}

extension Event {
  /// The text in which the router looks for identifiers.
  var comparisonString: String? {
    guard let activity else { return url }
    return activity.targetContentIdentifier ?? activity.webpageURL
  }
}

extension String {
  /// The scheme of a URL, in lower case; nil if the text is no URL.
  var urlScheme: String? {
    guard FileArgument(argument: self).isURL else { return nil }
    return prefix { $0 != ":" }.lowercased()
  }

  /// The host that the router sees in a web link; nil for other texts.
  var urlHost: String? {
    guard let scheme = urlScheme, scheme == "http" || scheme == "https",
      let start = firstRange(of: "://"),
      start.lowerBound == utf8.index(startIndex, offsetBy: scheme.utf8.count)
    else { return nil }
    let authority = self[start.upperBound...].prefix { !"/\\?#".contains($0) }
    let host = (authority.split(separator: "@", omittingEmptySubsequences: false).last ?? "")
    let name = host.hasPrefix("[") ? host.prefix { $0 != "]" } + "]" : host.prefix { $0 != ":" }
    return name.isEmpty ? nil : name.lowercased()
  }
}
