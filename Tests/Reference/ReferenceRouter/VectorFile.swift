import Foundation

/// The cases of `Vectors/routing.jsonl`; each case has one application, which is declared over a connection.
package enum VectorFile {
  /// A scenario, and where its event goes.
  package struct Case: Sendable, CustomStringConvertible {
    /// The scenario in which the event is sent.
    package var scenario: Scenario

    /// The rule that wins; nil if no rule wins.
    package var rule: ReferenceRouter.Rule?

    /// Where the event goes.
    package var target: ReferenceRouter.Target?

    /// The scenario, and the expected rule and target.
    package var description: String {
      "\(scenario)\n  rule \(rule?.rawValue ?? "none")\n  target \(target?.description ?? "none")"
    }
  }

  /// Reads all cases.
  package static func load() throws -> [Case] {
    let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("Vectors/routing.jsonl")
    return try Data(contentsOf: file).split(separator: UInt8(ascii: "\n")).map { line in
      try JSONDecoder().decode(Vector.self, from: line).parsed
    }
  }
}

/// A line of `Vectors/routing.jsonl`.
private struct Vector: Decodable {
  struct Scene: Decodable {
    var id: String
    var registrations: [Registration]
  }

  struct Registration: Decodable {
    var preferring: [String]
    var allowing: [String]
  }

  struct Declaration: Decodable {
    var id: String
    var kind: String
    var matching: [String]?
    /// Nil if the line has no member `supportedTypes`; the declaration then supports no types.
    var supportedTypes: [String]?
  }

  struct Event: Decodable {
    var url: String?
    var activity: Activity?
  }

  struct Activity: Decodable {
    var activityType: String
    var targetContentIdentifier: String?
    var webpageURL: String?
  }

  struct Expectation: Decodable {
    var rule: String
    var destination: String?
  }

  var name: String
  var mode: String
  var scenes: [Scene]
  var declarations: [Declaration]
  var event: Event
  var expect: Expectation

  private static let applicationId = "vectors"

  var parsed: VectorFile.Case {
    let application = Scenario.Application(
      Self.applicationId,
      declarations.map(declaration),
      isSingleScene: mode == "single"
    )
    let scenario = Scenario(name, applications: [application], scenes: scenes.map(scene), event: parsedEvent)
    // The vectors call the rule `singleScene` by the name `single`.
    let rule = ReferenceRouter.Rule(rawValue: expect.rule == "single" ? "singleScene" : expect.rule)
    return VectorFile.Case(scenario: scenario, rule: rule, target: expect.destination.map(target))
  }

  private func declaration(_ declaration: Declaration) -> Scenario.Declaration {
    declaration.kind == "documentGroup"
      ? .document(declaration.id, declaration.supportedTypes ?? [], matching: declaration.matching)
      : .window(declaration.id, declaration.matching)
  }

  private func scene(_ scene: Scene) -> Scenario.Scene {
    let registrations = scene.registrations.enumerated().map { number, registration in
      Scenario.Registration(
        "r\(number)",
        preferring: registration.preferring,
        allowing: registration.allowing
      )
    }
    return Scenario.Scene(scene.id, of: Self.applicationId, registrations: registrations)
  }

  private var parsedEvent: Scenario.Event {
    guard let activity = event.activity else { return .url(event.url!) }
    return .activity(
      activity.targetContentIdentifier,
      webpageURL: activity.webpageURL,
      type: activity.activityType
    )
  }

  private func target(_ destination: String) -> ReferenceRouter.Target {
    scenes.contains { $0.id == destination }
      ? .scene(id: destination)
      : .newScene(applicationId: Self.applicationId, declarationId: destination)
  }
}
