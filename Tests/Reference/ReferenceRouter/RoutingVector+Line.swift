extension RoutingVector {
  /// A line of a file of vectors, as `Vectors/README.md` describes it.
  struct Line: Codable {
    var name: String
    var mode: Mode?
    var applications: [Application]?
    var scenes: [Scene]?
    var declarations: [Declaration]?
    var activityReports: [ActivityReport]?
    var preferences: Preferences?
    var hostChoices: [String: String]?
    var senderChoices: [SenderChoice]?
    var fileTypes: String?
    var machineName: String?
    var event: Event
    var constraints: Constraints?
    var expect: Expectation
  }
}

extension RoutingVector.Line {
  struct Application: Codable {
    var id: String
    var mode: Mode?
    var declarations: [Declaration]?
    var claims: Claims?
    var source: Source?
    var isForNamedEventsOnly: Bool?
  }

  enum Mode: String, Codable {
    case single
    case multiple
  }

  enum Source: String, Codable {
    case trustedFile
    case untrustedFile
  }

  struct Claims: Codable {
    var schemes: [String]?
    var activityTypes: [String]?
    var mimeTypes: [String]?
    var hosts: [String]?
  }

  struct Declaration: Codable {
    var id: String
    var kind: Scenario.Declaration.Kind?
    var matching: [String]?
    var supportedTypes: [String]?
    var isSingleton: Bool?
    var opens: Bool?
    var answer: Scenario.SceneAnswer?
  }

  struct Scene: Codable {
    var id: String
    var application: String?
    var declaration: String?
    var registrations: [Registration]?
    var showing: [String]?
    var preferring: [String]?
    var allowing: [String]?
    var answer: Scenario.SceneAnswer?
  }

  struct Registration: Codable {
    var showing: [String]?
    var preferring: [String]?
    var allowing: [String]?
  }

  struct ActivityReport: Codable {
    var scene: String
    var isActive: Bool
  }

  struct Preferences: Codable {
    var types: [String: Preference]?
    var others: Preference?
  }

  struct Preference: Codable {
    var `default`: String?
    var order: [String]?
    var removed: [String]?
  }

  struct SenderChoice: Codable {
    var sender: String
    var scheme: String?
    var mimeType: String?
    var application: String
  }

  struct FileTypes: Codable {
    var ends: [String: String]
    var aliases: [String: String]?
    var bases: [String: [String]]?
  }

  struct Event: Codable {
    var url: String?
    var activity: Activity?
    var resolvedURL: String?
    var contentType: String?
    var sender: String?
  }

  struct Activity: Codable {
    var activityType: String?
    var targetContentIdentifier: String?
    var webpageURL: String?
  }

  struct Constraints: Codable {
    var application: String?
    var scene: String?
    var origin: String?
    var allowNewScene: Bool?
  }

  struct Expectation: Codable {
    /// The vectors call the rule `singleScene` by the name `single`.
    var rule: String?
    var destination: String?
    var attempts: [String]?
    var end: ReferenceRouter.End?
    var matchedPatterns: [String]?
    var matchedField: ReferenceRouter.MatchedField?
    var registrationIds: [String]?
    var because: ReferenceRouter.Because?
  }
}
