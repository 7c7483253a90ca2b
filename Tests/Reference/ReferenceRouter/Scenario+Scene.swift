extension Scenario {
  /// An open scene.
  package struct Scene: Sendable {
    /// The id, which is unique in the scenario.
    package var id: String

    /// The id of the scene's application, which need not be declared.
    package var applicationId: String

    /// The id of the scene's declaration, which need not exist.
    package var declarationId: String?

    /// The registrations of the scene's views.
    ///
    /// The scene prefers whatever at least one of its views prefers. The same is true of showing and allowing.
    package var registrations: [Registration]

    /// The answer of the scene to an event.
    package var answer: SceneAnswer

    /// Creates a scene with any number of registrations.
    package init(
      _ id: String,
      of applicationId: String,
      _ declarationId: String? = nil,
      registrations: [Registration],
      answers answer: SceneAnswer = .acknowledge
    ) {
      self.id = id
      self.applicationId = applicationId
      self.declarationId = declarationId
      self.registrations = registrations
      self.answer = answer
    }

    /// Creates a scene with one registration, whose id is `<scene>.view`.
    ///
    /// If `showing`, `preferring` and `allowing` are all empty, the scene has no registration.
    package init(
      _ id: String,
      of applicationId: String,
      _ declarationId: String? = nil,
      showing: [String] = [],
      preferring: [String] = [],
      allowing: [String] = [],
      answers answer: SceneAnswer = .acknowledge
    ) {
      let view = Registration("\(id).view", showing: showing, preferring: preferring, allowing: allowing)
      self.init(
        id,
        of: applicationId,
        declarationId,
        registrations: (showing + preferring + allowing).isEmpty ? [] : [view],
        answers: answer
      )
    }
  }

  /// The URLs that one view of a scene shows, and the events that the view prefers or allows.
  package struct Registration: Sendable {
    /// The id, which is unique in the scene.
    package var id: String

    /// URLs of the documents that the view shows.
    package var showing: [String]

    /// Identifiers that the view prefers.
    ///
    /// The view's scene is chosen before scenes that only allow the event.
    package var preferring: [String]

    /// Identifiers that the view allows.
    package var allowing: [String]

    /// Creates a registration.
    package init(
      _ id: String,
      showing: [String] = [],
      preferring: [String] = [],
      allowing: [String] = []
    ) {
      self.id = id
      self.showing = showing
      self.preferring = preferring
      self.allowing = allowing
    }
  }

  /// The answer of a scene to a delivered event.
  package enum SceneAnswer: String, Sendable, Codable {
    /// Takes the event.
    case acknowledge

    /// Does not want the event.
    case decline

    /// Closes the scene, and neither acknowledges nor declines the event.
    case close
  }
}
