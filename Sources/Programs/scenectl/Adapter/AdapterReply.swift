import DesktopEntries
import SceneClient

/// A JSON object that an adapter writes to its program.
enum AdapterReply {
  /// The first object; `application` is from the option `--application`.
  case ready(application: String?)
  case connected
  case reconnecting
  case opened(String, scene: String)
  case delivery(Delivery, scene: String)
  case request(OpenRequest)
  case withdrawn(String, reason: String)
  case closed(String, reason: String)
  case sent(Int64, outcome: String, application: String?, scene: String?, error: String?)
  case explained(Int64, RouteDecision, scene: String?)
  case error(AdapterError)

  private static let formatVersion = "1"

  /// Leaves the event out if the object would be longer than `longest` bytes.
  ///
  /// Nothing in it steers a terminal, in which people try the adapter out.
  func text(longest: Int) -> String {
    let text = text(isWhole: true).printableJSON
    return text.utf8.count > longest ? self.text(isWhole: false).printableJSON : text
  }

  private func text(isWhole: Bool) -> String {
    switch self {
    case .ready(let application):
      JSONLine([
        "ready": Scenectl.version.quoted, "adapter": Self.formatVersion, "application": application?.quoted,
      ]).text
    case .connected: JSONLine(["state": "connected".quoted]).text
    case .reconnecting: JSONLine(["state": "reconnecting".quoted]).text
    case .opened(let key, let scene): JSONLine(["opened": key.quoted, "scene": scene.quoted]).text
    case .delivery(let delivery, let scene):
      JSONLine(
        ["deliver": delivery.id.quoted, "scene": scene.quoted],
        Self.members(of: delivery.event, isWhole: isWhole),
        [
          "activationToken": delivery.activationToken?.quoted,
          "sender": delivery.sender?.json,
          "timeout": delivery.timeout.seconds,
        ]
      ).text
    case .request(let request):
      JSONLine(
        [
          "request": request.id.quoted,
          "application": request.applicationID.quoted,
          "declaration": request.declarationID.quoted,
        ],
        Self.members(of: request.event, isWhole: isWhole),
        [
          "activationToken": request.activationToken?.quoted,
          "sender": request.sender?.json,
          "timeout": request.timeout.seconds,
        ]
      ).text
    case .withdrawn(let id, let reason):
      JSONLine(["withdrawn": id.quoted, "reason": reason.quoted]).text
    case .closed(let key, let reason): JSONLine(["closed": key.quoted, "reason": reason.quoted]).text
    case .sent(let number, let outcome, let application, let scene, let error):
      JSONLine([
        "sent": String(number),
        "outcome": outcome.quoted,
        "application": application?.quoted,
        "scene": scene?.quoted,
        "error": error?.quoted,
      ]).text
    case .explained(let number, let decision, let scene):
      JSONLine([
        "explained": String(number),
        "target": decision.target.rawValue.quoted,
        "rule": decision.rule?.rawValue.quoted,
        "application": decision.applicationID?.quoted,
        "because": decision.applicationBecause?.rawValue.quoted,
        "scene": scene?.quoted,
      ]).text
    case .error(let error):
      JSONLine(["error": error.sentence.quoted, "in": error.word?.quoted]).text
    }
  }

  /// `path` is only for a file of this machine; if the event has no line, the fragment of a `file:` URL gives line and
  /// column.
  private static func members(of event: Event, isWhole: Bool) -> KeyValuePairs<String, String?> {
    guard isWhole else { return ["omitted": "[\"event\"]"] }
    let url = event.url ?? event.activity?.webpageURL ?? ""
    let path = FileURL.path(of: url, onMachine: Host.machineName).flatMap {
      String(validating: $0, as: UTF8.self)
    }
    let hasPosition = event.line == nil && url.urlScheme == "file"
    let position = hasPosition ? FilePosition(fragmentOf: url) : nil
    return [
      "event": event.json,
      "path": path?.quoted,
      "line": (event.line ?? position?.line).map(String.init),
      "column": (event.line == nil ? position?.column : event.column).map(String.init),
    ]
  }
}

extension Duration {
  fileprivate var seconds: String {
    let (whole, rest) = microseconds.quotientAndRemainder(dividingBy: 1_000_000)
    if rest == 0 { return String(whole) }
    let digits = rest.text(digits: 6)
    return "\(whole)." + String(digits.reversed().drop { $0 == "0" }.reversed())
  }
}
