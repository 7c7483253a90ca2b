/// An event, and the state of the registry when the event arrives: the input of a decision.
///
/// The state arises in three steps, each in the order of its list:
/// 1. The scenes are opened.
/// 2. The applications declare themselves.
/// 3. The scenes report their activity.
///
/// Scenes are opened before any declaration limits their number. A single-scene application or a singleton declaration
/// can therefore have several open scenes.
package struct Scenario: Sendable {
  /// The name of the scenario, which no other scenario has.
  package var name: String

  /// The declared applications, in the order in which they declared themselves.
  package var applications: [Application]

  /// The open scenes, in opening order.
  ///
  /// Their applications need not be declared.
  package var scenes: [Scene]

  /// The reports of the scenes about their activity, in order.
  package var activityReports: [ActivityReport]

  /// The user's preferences among applications, as in `mimeapps.list`.
  package var preferences: Preferences

  /// The application that the user chose for each host.
  ///
  /// Each key is written like a host in `Claims.hosts`.
  package var hostChoices: [String: String]

  /// The applications that the user chose for senders; for each sender and subject, there is at most one choice.
  package var senderChoices: [SenderChoice]

  /// The database of file types; nil if there is none.
  package var fileTypes: FileTypes?

  /// The name of this machine, which may be the host of `file:` URLs; nil if the router does not know the name.
  package var machineName: String?

  /// The event to route.
  package var event: Event

  /// The conditions that the sender sets for the event.
  package var constraints: Constraints

  /// Creates a scenario.
  package init(
    _ name: String,
    applications: [Application] = [],
    scenes: [Scene] = [],
    activityReports: [ActivityReport] = [],
    preferences: Preferences = Preferences(),
    hostChoices: [String: String] = [:],
    senderChoices: [SenderChoice] = [],
    fileTypes: FileTypes? = nil,
    machineName: String? = nil,
    event: Event,
    constraints: Constraints = Constraints()
  ) {
    self.name = name
    self.applications = applications
    self.scenes = scenes
    self.activityReports = activityReports
    self.preferences = preferences
    self.hostChoices = hostChoices
    self.senderChoices = senderChoices
    self.fileTypes = fileTypes
    self.machineName = machineName
    self.event = event
    self.constraints = constraints
  }
}

extension Scenario {
  /// A report that a scene has become active or inactive.
  ///
  /// The user works in the active scene.
  package struct ActivityReport: Sendable {
    /// The scene that reports.
    package var sceneId: String

    /// Whether the scene has become active.
    package var isActive: Bool

    /// A report that the scene has become active.
    package static func active(_ sceneId: String) -> ActivityReport {
      ActivityReport(sceneId: sceneId, isActive: true)
    }

    /// A report that the scene has become inactive.
    package static func inactive(_ sceneId: String) -> ActivityReport {
      ActivityReport(sceneId: sceneId, isActive: false)
    }
  }

  /// The conditions that a sender sets for an event.
  package struct Constraints: Sendable {
    /// The only application that may get the event.
    package var applicationId: String?

    /// The only scene that may get the event.
    package var sceneId: String?

    /// The scene the event comes from.
    package var originSceneId: String?

    /// Whether an application may be asked for a new scene.
    package var allowNewScene: Bool

    /// Creates constraints, by default none.
    package init(
      applicationId: String? = nil,
      sceneId: String? = nil,
      originSceneId: String? = nil,
      allowNewScene: Bool = true
    ) {
      self.applicationId = applicationId
      self.sceneId = sceneId
      self.originSceneId = originSceneId
      self.allowNewScene = allowNewScene
    }
  }
}
