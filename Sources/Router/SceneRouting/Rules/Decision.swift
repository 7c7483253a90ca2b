/// In the order in which the router tries them for one application.
package enum Rule: String, Sendable, CaseIterable {
  case explicit
  case singleScene
  case showing
  /// An open scene prefers the event and is chosen over other scenes.
  case preferring
  case allowing
  case matching
  case document
  /// The first declaration without a condition opens a scene.
  case `default`
}

package enum ApplicationReason: String, Sendable, CaseIterable {
  case sender
  case showing
  case only
  /// A scene that prefers the event is chosen over all applications that take part.
  case preferring
  case userSender
  case userHost
  case hostClaim
  case userDefault
  /// The application comes first among those that are asked together.
  case order
}

package enum Destination: Hashable, Sendable {
  case scene(SceneID)
  case newScene(applicationID: String, declarationID: String)
  case none
}

/// A class, because the record of an event and several effects share a decision.
package final class Decision: Sendable {
  /// ``SceneRegistry/generation`` when the decision was made.
  package let generation: UInt64
  package let destination: Destination
  /// `nil` if the event has no target, or if a client got it before the router restarted.
  package let rule: Rule?
  package let applicationID: String?
  /// `nil` in the same cases as ``rule``.
  package let applicationReason: ApplicationReason?
  /// The host claim as the application wrote it, or `PATH:LINE` of the user's choice or default; `nil` for other
  /// reasons.
  package let applicationSource: String?
  /// For a scene, the declaration that it is an instance of.
  package let declarationID: String?
  /// An identifier (the longest that matches), a shown URL or a supported file type of the winner.
  package let matchedPattern: String?
  package let matchedString: String?
  package let matchedField: Event.Field?
  /// The registrations of the winning scene that match the event.
  package let registrationIDs: [String]

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

  /// For an event that a client got before the router restarted.
  ///
  /// Only its target is known.
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

  /// For an event without a target.
  init(generation: UInt64) {
    self.generation = generation
    destination = .none
    (rule, applicationID, declarationID) = (nil, nil, nil)
    (applicationReason, applicationSource) = (nil, nil)
    (matchedPattern, matchedString, matchedField, registrationIDs) = (nil, nil, nil, [])
  }
}

extension Decision: Hashable {
  package static func == (left: Decision, right: Decision) -> Bool {
    left.generation == right.generation && left.destination == right.destination && left.rule == right.rule
      && left.applicationID == right.applicationID && left.applicationReason == right.applicationReason
      && left.applicationSource == right.applicationSource && left.declarationID == right.declarationID
      && left.matchedPattern == right.matchedPattern && left.matchedString == right.matchedString
      && left.matchedField == right.matchedField && left.registrationIDs == right.registrationIDs
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(generation)
    hasher.combine(destination)
  }
}
