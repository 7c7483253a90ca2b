/// The rules, in the order in which one application is asked.
package enum Rule: String, Sendable, CaseIterable {
  /// The event named the scene.
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
package final class Decision: Hashable, Sendable {
  private let finding: Finding

  init(_ finding: Finding) { self.finding = finding }

  /// The state of the registry it was made on.
  package var generation: UInt64 { finding.generation }
  /// Where the event goes.
  package var destination: Destination { finding.destination }
  /// The rule that won; `nil` if none did.
  package var rule: Rule? { finding.rule }
  /// The identifier out of the winner's set that won; of several the most specific (longest) one.
  package var matchedPattern: String? { finding.matchedPattern }
  /// The string of the event it was found in.
  package var matchedString: String? { finding.matchedString }
  /// Where in the event that string is.
  package var matchedField: Event.Field? { finding.matchedField }
  /// The application that the winner belongs to.
  package var applicationID: String? { finding.applicationID }
  /// The declaration that the winner is, or is an instance of.
  package var declarationID: String? { finding.declarationID }
  /// The registrations of the winning scene that made it match.
  package var registrationIDs: [String] { finding.registrationIDs }

  /// Whether two decisions say the same.
  package static func == (left: Decision, right: Decision) -> Bool { left.finding == right.finding }

  /// Hashes what the decision says.
  package func hash(into hasher: inout Hasher) { hasher.combine(finding) }
}

/// What the rules have found so far; a ``Decision`` once they are through.
struct Finding: Hashable, Sendable {
  let generation: UInt64
  var destination = Destination.none
  var rule: Rule?
  var matchedPattern: String?
  var matchedString: String?
  var matchedField: Event.Field?
  var applicationID: String?
  var declarationID: String?
  var registrationIDs: [String] = []

  init(generation: UInt64) { self.generation = generation }
}

/// What a sender demands of the target of an event.
package struct RouteConstraints: Hashable, Sendable {
  /// Only this application's scenes and declarations.
  package var applicationID: String?
  /// Only this scene.
  package var sceneID: SceneID?
  /// Never this scene.
  package var originSceneID: SceneID?
  /// Whether a new scene may be opened.
  package var allowsNewScene: Bool

  /// No demands but those given.
  package init(
    applicationID: String? = nil,
    sceneID: SceneID? = nil,
    originSceneID: SceneID? = nil,
    allowsNewScene: Bool = true
  ) {
    self.applicationID = applicationID
    self.sceneID = sceneID
    self.originSceneID = originSceneID
    self.allowsNewScene = allowsNewScene
  }
}

/// The targets that did not take an event, which later attempts pass over: no more than there are attempts.
struct TriedTargets: Hashable, Sendable {
  struct Declaration: Hashable, Sendable {
    var applicationID: String
    var declarationID: String
  }

  var scenes: [SceneID] = []
  var declarations: [Declaration] = []
}
