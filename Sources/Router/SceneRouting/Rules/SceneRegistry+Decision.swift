extension SceneRegistry {
  @inline(__always)
  func decision(for choice: Choice, _ turn: Turn, _ query: RouteQuery) -> Decision {
    switch choice.rule {
    case .explicit, .singleScene, .showing, .preferring, .allowing:
      guard let scene = scenes[Int(choice.candidate.index)] else { break }
      return decision(for: choice, turn, scene, query.event)
    case .matching, .document, .default:
      guard case .success(let destination) = destination(of: choice.candidate, query),
        let application = applications[Int(choice.candidate.application)],
        let declaration = application.declaration?.declaration.scenes[Int(choice.candidate.index)]
      else { break }
      return decision(for: choice, turn, destination, application, declaration, query.event)
    }
    return Decision(generation: generation)
  }

  @inline(__always)
  private func decision(for choice: Choice, _ turn: Turn, _ scene: Scene, _ event: Event) -> Decision {
    var pattern: String?
    var comparison = event.comparison
    var ids: [String] = []
    var reason = turn.reason
    switch choice.rule {
    case .showing:
      guard let entry = shownEntry(of: scene, event) else { break }
      pattern = entry.registration.showing[entry.index]
      ids = scene.registrationIDs(showing: shownKey, or: resolvedShownKey)
      comparison = entry.url
      if reason != .sender { reason = .showing }
    case .preferring, .allowing:
      let kind: IdentifierSetKind = choice.rule == .preferring ? .preferring : .allowing
      if let key = choice.key {
        pattern = spelling(of: key, by: scene, kind, event)
        comparison = string(of: event, with: key)
        ids = scene.registrationIDs(kind, holding: keys, wildcardCounts: choice.wildcardCounts)
      } else {
        pattern = "*"
      }
    default: break
    }
    return Decision(
      generation: generation,
      choice.rule,
      .scene(scene.id),
      applicationID: scene.applicationID,
      because: reason,
      source: source(of: turn, applications[Int(scene.application)], event),
      declarationID: scene.declarationID,
      pattern: pattern,
      in: pattern == nil ? nil : comparison,
      registrationIDs: ids
    )
  }

  @inline(__always)
  private func source(of turn: Turn, _ application: Application?, _ event: Event) -> String? {
    turn.reason == .hostClaim
      ? application?.declaration?.hosts.values(covering: event).first : turn.source
  }

  private func decision(
    for choice: Choice,
    _ turn: Turn,
    _ destination: Destination,
    _ application: Application,
    _ declaration: SceneDeclaration,
    _ event: Event
  ) -> Decision {
    var pattern: String?
    var comparison = event.comparison
    if let key = choice.key {
      pattern = spelling(of: key, by: choice.candidate)
      comparison = string(of: event, with: key)
    } else if choice.rule == .document, let fileType = FileType(event, fileTypes) {
      pattern = fileType.match(declaration.supportedTypes)
      comparison = event.fileURL
      if pattern?.contains("/") == true, fileType.isKnownToSender, let type = event.contentType {
        comparison = (type, .contentType)
      }
    }
    return Decision(
      generation: generation,
      choice.rule,
      destination,
      applicationID: application.id,
      because: turn.reason,
      source: source(of: turn, application, event),
      declarationID: declaration.id,
      pattern: pattern,
      in: pattern == nil ? nil : comparison
    )
  }

  /// The comparison string or the resolved URL, whichever `key` matches.
  @inline(__always)
  private func string(of event: Event, with key: IdentifierKey) -> (string: String, field: Event.Field)? {
    guard let resolved = event.resolved, key != .wildcard, !keys[..<ownKeyCount].contains(key) else {
      return event.comparison
    }
    return resolved
  }

  /// A spelling that the event contains byte for byte comes before other spellings.
  func spelling(of key: IdentifierKey, by scene: Scene, _ kind: IdentifierSetKind, _ event: Event) -> String {
    guard holders.mayBeSpelled(key) else { return holders.texts.spelling(of: key) }
    let spellings = scene.spellings(of: key, in: kind)
    return Self.first(of: spellings.filter { event.contains($0) }) ?? Self.first(of: spellings) ?? ""
  }

  func spelling(of key: IdentifierKey, by candidate: Candidate) -> String {
    let matching = applications[Int(candidate.application)]?.declaration?.matching[Int(candidate.index)]
    guard let matching, holders.mayBeSpelled(key) else { return holders.texts.spelling(of: key) }
    return Self.first(of: matching.identifiers.spellings(of: key)) ?? ""
  }

  private static func first(of spellings: [String]) -> String? {
    spellings.min { $0.utf8.span.sortsBefore($1.utf8.span) }
  }
}
