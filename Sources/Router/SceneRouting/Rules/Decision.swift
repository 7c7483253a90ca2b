/// The rules, in the order in which one application is asked.
package enum Rule: String, Sendable, CaseIterable {
  /// The sender asked for the scene.
  case explicit
  /// The application has one scene, which gets every event.
  case singleScene
  /// An open scene wants to be chosen over others.
  case preferring
  /// An open scene accepts the event.
  case allowing
  /// A declaration opens a scene for such events.
  case matching
  /// A document group opens such files.
  case document
  /// The first declaration without a condition.
  case `default`
}

/// Where an event goes.
package enum Destination: Hashable, Sendable {
  /// An open scene.
  case scene(SceneID)
  /// A new scene of a declaration.
  case newScene(applicationID: String, declarationID: String)
  /// Nowhere.
  case none
}

/// Where an event goes, and why; made on one state of the registry.
///
/// One object, as the record of its event and several effects have it: it is made once and never changes.
package final class Decision: Sendable {
  /// The state of the registry it was made on.
  package let generation: UInt64
  /// Where the event goes.
  package let destination: Destination
  /// The rule that won; `nil` if none did.
  package let rule: Rule?
  /// The application that the winner belongs to.
  package let applicationID: String?
  /// The declaration that the winner is, or is an instance of.
  package let declarationID: String?
  /// The identifier out of the winner's set that won; of several the most specific (longest) one.
  package let matchedPattern: String?
  /// The string of the event it was found in.
  package let matchedString: String?
  /// Where in the event that string is.
  package let matchedField: Event.Field?
  /// The registrations of the winning scene that made it match.
  package let registrationIDs: [String]

  /// A decision for what won; `pattern` was found in `comparison`.
  init(
    generation: UInt64,
    _ rule: Rule,
    _ destination: Destination,
    applicationID: String,
    declarationID: String?,
    pattern: String? = nil,
    in comparison: (string: String, field: Event.Field)? = nil,
    registrationIDs: [String] = []
  ) {
    self.generation = generation
    self.rule = rule
    self.destination = destination
    self.applicationID = applicationID
    self.declarationID = declarationID
    matchedPattern = pattern
    matchedString = comparison?.string
    matchedField = comparison?.field
    self.registrationIDs = registrationIDs
  }

  /// The decision that an event goes nowhere.
  init(generation: UInt64) {
    self.generation = generation
    destination = .none
    (rule, applicationID, declarationID) = (nil, nil, nil)
    (matchedPattern, matchedString, matchedField, registrationIDs) = (nil, nil, nil, [])
  }
}

extension Decision: Hashable {
  /// Whether two decisions say the same.
  package static func == (left: Decision, right: Decision) -> Bool {
    left.generation == right.generation && left.destination == right.destination && left.rule == right.rule
      && left.applicationID == right.applicationID && left.declarationID == right.declarationID
      && left.matchedPattern == right.matchedPattern && left.matchedString == right.matchedString
      && left.matchedField == right.matchedField && left.registrationIDs == right.registrationIDs
  }

  /// Hashes where the event goes.
  package func hash(into hasher: inout Hasher) {
    hasher.combine(generation)
    hasher.combine(destination)
  }
}
