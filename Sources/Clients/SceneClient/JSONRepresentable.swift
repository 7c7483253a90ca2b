@_exported public import SceneTypes
import Varlink

/// A value that can be written as JSON for other programs.
public protocol JSONRepresentable {
  /// The value as a JSON object on one line, with the names of the interface description.
  var json: String { get }
}

protocol WireRepresentable: JSONRepresentable {
  associatedtype WireValue: ObjectEncodable

  var wire: WireValue { get }
}

extension WireRepresentable {
  /// The value as a JSON object on one line, with the names of the interface description.
  public var json: String {
    var writer = JSONWriter()
    wire.encode(to: &writer)
    return String(decoding: writer.takeBytes(), as: UTF8.self)
  }
}

extension WireRepresentable where Self: ObjectEncodable {
  var wire: Self { self }
}

extension ApplicationDescription: WireRepresentable {}
extension Claims: WireRepresentable {}
extension Continuation: WireRepresentable {}
extension CurrentActivity: WireRepresentable {}
extension EventRecord: WireRepresentable {}
extension Registration: WireRepresentable {}
extension RegistrySnapshot: WireRepresentable {}
extension Reload: WireRepresentable {}
extension RouteDecision: WireRepresentable {}
extension RoutedEvent: WireRepresentable {}
extension SceneDescription: WireRepresentable {}
extension Sender: WireRepresentable {}
extension Settlement: WireRepresentable {}
extension Statistics: WireRepresentable {}
extension TraceStep: WireRepresentable {}
extension Withdrawal: WireRepresentable {}

extension Activity: WireRepresentable {
  var wire: Activity {
    var activity = self
    activity.title = title?.limited
    activity.isEligibleForHandoff = isEligibleForHandoff
    return activity
  }
}

extension Event: WireRepresentable {
  var wire: Event {
    var event = withoutEncoding
    if case .activity(let activity) = content { event.content = .activity(activity.wire) }
    return event
  }
}

extension SceneDeclaration: WireRepresentable {
  var wire: SceneDeclaration {
    var declaration = self
    (declaration.kind, declaration.isSingleton) = (kind, isSingleton)
    return declaration
  }
}
