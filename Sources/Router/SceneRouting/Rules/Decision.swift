/// The rules, in the order in which the router tries them for one application.
package enum Rule: String, Sendable, CaseIterable {
  /// The sender named the scene.
  case explicit
  /// The application has only one scene, which gets every event.
  case singleScene
  /// An open scene shows the document that the event is about.
  case showing
  /// An open scene prefers the event and is chosen over other scenes.
  case preferring
  /// An open scene accepts the event.
  case allowing
  /// A declaration with a matching identifier opens a scene.
  case matching
  /// A document group opens files of the event's type.
  case document
  /// The first declaration without a condition opens a scene.
  case `default`
}

/// Why an event goes to one application and to no other.
package enum ApplicationReason: String, Sendable, CaseIterable {
  /// The sender named the application or the scene.
  case sender
  /// A scene of the application shows the document.
  case showing
  /// No other application takes part.
  case only
  /// An open scene of the application prefers the event and is chosen over all applications that take part.
  case preferring
  /// The user chose the application for the events of the sender.
  case userSender
  /// The user chose the application for the host.
  case userHost
  /// The application claims the host.
  case hostClaim
  /// The application is the user's default.
  case userDefault
  /// The application comes first among the applications that are asked together.
  case order
}

/// The target of an event.
package enum Destination: Hashable, Sendable {
  /// An open scene.
  case scene(SceneID)
  /// A new scene of a declaration.
  case newScene(applicationID: String, declarationID: String)
  /// No target.
  case none
}

/// The target of an event and the reason for it, decided on one state of the registry.
///
/// This is a class, because the record of the event and several effects share a decision. A decision never
/// changes.
package final class Decision: Sendable {
  /// The registry's ``SceneRegistry/generation`` when the decision was made.
  package let generation: UInt64
  /// The target of the event.
  package let destination: Destination
  /// The rule that chose the target.
  ///
  /// It is `nil` if the event has no target, or if a client got the event before the router restarted.
  package let rule: Rule?
  /// The application that the winner belongs to.
  package let applicationID: String?
  /// The reason why the event goes to this application.
  ///
  /// It is `nil` if the event has no target, or if a client got the event before the router restarted.
  package let applicationReason: ApplicationReason?
  /// The source of ``applicationReason``.
  ///
  /// - for ``ApplicationReason/hostClaim``, the host claim as the application wrote it
  /// - for a choice or a default of the user, the place where it is written
  /// - for every other reason, `nil`
  package let applicationSource: String?
  /// The id of the winning declaration; for a scene, the id of the declaration that the scene is an instance of.
  package let declarationID: String?
  /// The text in the winner's set that matched: an identifier, a shown URL or a supported file type.
  ///
  /// If several identifiers match, this is the most specific (longest) identifier.
  package let matchedPattern: String?
  /// The string of the event that ``matchedPattern`` matched, such as the event's URL.
  package let matchedString: String?
  /// The field of the event that ``matchedString`` comes from.
  package let matchedField: Event.Field?
  /// The ids of those registrations of the winning scene that match the event.
  package let registrationIDs: [String]

  /// Makes the decision that a scene or a declaration gets the event.
  ///
  /// `pattern` becomes ``matchedPattern``. `comparison` gives ``matchedString`` and ``matchedField``.
  init(
    generation: UInt64,
    _ rule: Rule,
    _ destination: Destination,
    applicationID: String,
    because reason: ApplicationReason,
    source: String?,
    declarationID: String?,
    pattern: String? = nil,
    in comparison: (string: String, field: Event.Field)? = nil,
    registrationIDs: [String] = []
  ) {
    self.generation = generation
    self.rule = rule
    self.destination = destination
    self.applicationID = applicationID
    applicationReason = reason
    applicationSource = source
    self.declarationID = declarationID
    matchedPattern = pattern
    matchedString = comparison?.string
    matchedField = comparison?.field
    self.registrationIDs = registrationIDs
  }

  /// Makes the decision for an event that a client got before the router restarted.
  ///
  /// Only the target of such an event is known.
  init(
    generation: UInt64,
    _ destination: Destination,
    ofApplication application: String,
    declarationID: String?
  ) {
    self.generation = generation
    self.destination = destination
    applicationID = application
    self.declarationID = declarationID
    (rule, applicationReason, applicationSource) = (nil, nil, nil)
    (matchedPattern, matchedString, matchedField, registrationIDs) = (nil, nil, nil, [])
  }

  /// Makes the decision that an event has no target.
  init(generation: UInt64) {
    self.generation = generation
    destination = .none
    (rule, applicationID, declarationID) = (nil, nil, nil)
    (applicationReason, applicationSource) = (nil, nil)
    (matchedPattern, matchedString, matchedField, registrationIDs) = (nil, nil, nil, [])
  }
}

extension Decision: Hashable {
  /// Whether two decisions have the same content.
  package static func == (left: Decision, right: Decision) -> Bool {
    left.generation == right.generation && left.destination == right.destination && left.rule == right.rule
      && left.applicationID == right.applicationID && left.applicationReason == right.applicationReason
      && left.applicationSource == right.applicationSource && left.declarationID == right.declarationID
      && left.matchedPattern == right.matchedPattern && left.matchedString == right.matchedString
      && left.matchedField == right.matchedField && left.registrationIDs == right.registrationIDs
  }

  /// Hashes the state of the registry and the target of the event.
  package func hash(into hasher: inout Hasher) {
    hasher.combine(generation)
    hasher.combine(destination)
  }
}
