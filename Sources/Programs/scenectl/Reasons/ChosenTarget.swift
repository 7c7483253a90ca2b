import SceneClient
import SceneRouting

/// Why the router chose a target.
///
/// The words never say "default" alone, which could be the user's default application or a declaration without a
/// condition.
struct ChosenTarget {
  let text: String?
  let rule: RouteDecision.Rule?
  let applicationID: String?
  let applicationBecause: RouteDecision.ApplicationReason?
  let applicationSource: String?
  let declarationID: String?
  let matchedPattern: String?
  /// Where the user has chosen the target, such as "in the menu"; nil if the sender is another program.
  let placeOfChoice: String?
  /// Whether the target is a scene that was open already; false if this is not known.
  let isOpen: Bool

  init(_ decision: RouteDecision, for event: Event) {
    text = event.comparisonString
    rule = decision.rule
    applicationID = decision.applicationID
    applicationBecause = decision.applicationBecause
    applicationSource = decision.applicationSource
    declarationID = decision.declarationID
    matchedPattern = decision.matchedPattern
    placeOfChoice = nil
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
    placeOfChoice =
      record.senderApplicationID == MadeEntry.askApplicationID
      ? "in the menu" : record.isSentByDesktop ? "in the window of scened" : nil
    isOpen = false
  }

  /// A colon and the reasons; empty if none is known.
  ///
  /// "Its declaration has no condition" is left out if the target may be a program that knows no scenes (`isLaunched`),
  /// whose declaration never has one; also of a new scene, if there was a better reason than "the only application".
  /// With `areComplete`, "the only application" and "the first of several applications" stand beside other reasons.
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

  /// The most important reason in a few words; nil if none is known.
  var brief: String? {
    let target: String? =
      switch rule {
      case .explicit?: choice ?? "the sender named it"
      case .singleScene?: "its only window"
      case .showing?: "shows it"
      case .preferring?: "prefers it"
      case .allowing?: "allows it"
      default: nil
      }
    let application: String? =
      switch applicationBecause {
      case .sender?: choice ?? "the sender named it"
      case .userSender?: "your choice for links of this sender"
      case .userHost?: "your choice for \(host ?? "its host")"
      case .hostClaim?: "claims \(applicationSource ?? host ?? "its host")"
      case .userDefault?: "your default"
      case .only?: "nothing else opens it"
      case .order?: "the first of several"
      default: nil
      }
    return (target ?? application)?.printable
  }

  /// Nil if it is unknown, or if ``targetReason`` implies it.
  private var applicationReason: String? {
    switch applicationBecause {
    case .sender? where rule != .explicit: choice ?? "the sender named this application"
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

  private var targetReason: String? {
    switch rule {
    case .explicit?: choice ?? "the sender named this scene"
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

  private var choice: String? { placeOfChoice.map { "you chose it \($0)" } }

  private var onlyScene: String { isOpen ? ", and this is its only scene" : "" }

  private var identifier: String {
    switch matchedPattern {
    case "*"?: "every event ('*')"
    case let pattern?: "identifier '\(pattern.shortened)'"
    case nil: "an identifier of the event"
    }
  }

  /// Where the user chose the application.
  private var place: String { applicationSource.map { " (\(Host.abbreviated($0)))" } ?? "" }

  private var scheme: String? { text?.urlScheme }

  private var document: String {
    switch scheme {
    case "http"?, "https"?: "page"
    case "file"?: "file"
    default: "document"
    }
  }

  /// What the user can choose an application for, such as `https` or "this type of file".
  private var kind: String { scheme.map { $0 == "file" ? "this type of file" : $0 } ?? "such events" }

  private var host: String? { text?.urlHost }
}

extension Event {
  var comparisonString: String? {
    guard let activity else { return url }
    return activity.targetContentIdentifier ?? activity.webpageURL
  }
}

extension String {
  /// In lower case; nil if the text is no URL.
  var urlScheme: String? { URLSyntax.scheme(of: self) }

  /// As the router sees it; nil for other texts than web links.
  var urlHost: String? { WebAddress(self).map { String(decoding: $0.host, as: UTF8.self).lowercased() } }
}
