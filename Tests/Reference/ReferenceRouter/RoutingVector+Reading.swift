import Foundation

extension RoutingVector {
  private static let directory = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("Vectors")

  /// Reads all vectors, file by file in the order of the files' names.
  package static func load() throws -> [RoutingVector] {
    let fileTypes = try JSONDecoder().decode(
      [String: Line.FileTypes].self,
      from: Data(contentsOf: directory.appendingPathComponent("mime-databases.json"))
    )
    return try lines().map { try JSONDecoder().decode(Line.self, from: $0).vector(fileTypes) }
  }

  static func lines() throws -> [Data] {
    try FileManager.default.contentsOfDirectory(atPath: directory.path)
      .filter { $0.hasSuffix(".jsonl") }.sorted()
      .map { try Data(contentsOf: directory.appendingPathComponent($0)) }
      .flatMap { $0.split(separator: UInt8(ascii: "\n")) }
  }
}

extension RoutingVector.Line {
  /// The application of a line that has declarations instead of applications.
  private static let applicationId = "vectors"

  fileprivate func vector(_ fileTypes: [String: FileTypes]) -> RoutingVector {
    let attempts = expect.attempts ?? attempt.map { [$0] } ?? []
    let result = attempts.last?.split(separator: " ").last.map(String.init)
    return RoutingVector(
      scenario: scenario(fileTypes),
      attempts: attempts,
      end: expect.end ?? result.flatMap(ReferenceRouter.End.init(rawValue:)) ?? .notRouted,
      matchedPatterns: expect.matchedPatterns.map { Set($0) },
      matchedField: expect.matchedField,
      registrationIds: expect.registrationIds.map { Set($0) },
      because: expect.because
    )
  }

  /// The attempt of a line that has a rule and a destination instead of attempts.
  private var attempt: String? {
    guard let rule = expect.rule, let destination = expect.destination else { return nil }
    let isScene = scenes?.contains { $0.id == destination } == true
    let target =
      isScene
      ? ReferenceRouter.Target.scene(id: destination)
      : .newScene(applicationId: Self.applicationId, declarationId: destination)
    return "\(rule == "single" ? "singleScene" : rule) \(target) acknowledged"
  }

  private func scenario(_ fileTypes: [String: FileTypes]) -> Scenario {
    let single = declarations.map { Application(id: Self.applicationId, mode: mode, declarations: $0) }
    return Scenario(
      name,
      applications: (applications ?? single.map { [$0] } ?? []).map(\.parsed),
      scenes: scenes?.map { $0.parsed(applicationId: Self.applicationId) } ?? [],
      activityReports: activityReports?.map(\.parsed) ?? [],
      preferences: preferences?.parsed ?? Scenario.Preferences(),
      hostChoices: hostChoices ?? [:],
      senderChoices: senderChoices?.map(\.parsed) ?? [],
      fileTypes: self.fileTypes.map { fileTypes[$0]!.parsed },
      machineName: machineName,
      event: event.parsed,
      constraints: constraints?.parsed ?? Scenario.Constraints()
    )
  }
}

extension RoutingVector.Line.ActivityReport {
  fileprivate var parsed: Scenario.ActivityReport {
    Scenario.ActivityReport(sceneId: scene, isActive: isActive)
  }
}

extension RoutingVector.Line.Preferences {
  fileprivate var parsed: Scenario.Preferences {
    Scenario.Preferences(
      types: types?.mapValues(\.parsed) ?? [:],
      others: others?.parsed ?? Scenario.Preference()
    )
  }
}

extension RoutingVector.Line.Preference {
  fileprivate var parsed: Scenario.Preference {
    Scenario.Preference(defaultId: `default`, order: order ?? [], removed: removed ?? [])
  }
}

extension RoutingVector.Line.SenderChoice {
  fileprivate var parsed: Scenario.SenderChoice {
    mimeType.map { .mimeType($0, from: sender, application) } ?? .scheme(scheme!, from: sender, application)
  }
}

extension RoutingVector.Line.FileTypes {
  fileprivate var parsed: Scenario.FileTypes {
    Scenario.FileTypes(ends, aliases: aliases ?? [:], bases: bases ?? [:])
  }
}

extension RoutingVector.Line.Event {
  fileprivate var parsed: Scenario.Event {
    guard let activity else {
      return .url(url!, resolved: resolvedURL, contentType: contentType, from: sender)
    }
    return .activity(
      activity.targetContentIdentifier,
      webpageURL: activity.webpageURL,
      type: activity.activityType ?? "org.example.view",
      contentType: contentType,
      from: sender
    )
  }
}

extension RoutingVector.Line.Constraints {
  fileprivate var parsed: Scenario.Constraints {
    Scenario.Constraints(
      applicationId: application,
      sceneId: scene,
      originSceneId: origin,
      allowNewScene: allowNewScene ?? true
    )
  }
}

extension RoutingVector.Line.Application {
  fileprivate var parsed: Scenario.Application {
    Scenario.Application(
      id,
      declarations?.map(\.parsed) ?? [],
      claims: claims?.parsed,
      isSingleScene: mode == .single,
      source: source?.parsed ?? .connection,
      isForNamedEventsOnly: isForNamedEventsOnly ?? false
    )
  }
}

extension RoutingVector.Line.Claims {
  fileprivate var parsed: Scenario.Claims {
    Scenario.Claims(
      schemes: schemes ?? [],
      activityTypes: activityTypes ?? [],
      mimeTypes: mimeTypes ?? [],
      hosts: hosts ?? []
    )
  }
}

extension RoutingVector.Line.Source {
  fileprivate var parsed: Scenario.Source {
    switch self {
    case .trustedFile: .file(isTrusted: true)
    case .untrustedFile: .file(isTrusted: false)
    }
  }
}

extension RoutingVector.Line.Declaration {
  fileprivate var parsed: Scenario.Declaration {
    Scenario.Declaration(
      id: id,
      kind: kind ?? .windowGroup,
      matching: matching,
      supportedTypes: supportedTypes ?? [],
      isSingleton: isSingleton ?? false,
      openAnswer: opens ?? true ? .open(answer ?? .acknowledge) : .decline
    )
  }
}

extension RoutingVector.Line.Scene {
  fileprivate func parsed(applicationId: String) -> Scenario.Scene {
    let view = RoutingVector.Line.Registration(
      showing: showing,
      preferring: preferring,
      allowing: allowing
    )
    let hasView = showing != nil || preferring != nil || allowing != nil
    return Scenario.Scene(
      id,
      of: application ?? applicationId,
      declaration,
      registrations: hasView
        ? [view.parsed(id: "\(id).view")]
        : registrations?.enumerated().map { $1.parsed(id: "r\($0 + 1)") } ?? [],
      answers: answer ?? .acknowledge
    )
  }
}

extension RoutingVector.Line.Registration {
  fileprivate func parsed(id: String) -> Scenario.Registration {
    Scenario.Registration(
      id,
      showing: showing ?? [],
      preferring: preferring ?? [],
      allowing: allowing ?? []
    )
  }
}
