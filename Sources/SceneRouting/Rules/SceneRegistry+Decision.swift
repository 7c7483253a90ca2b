extension SceneRegistry {
  /// Decides where an event goes, by the rules of the routing contract.
  ///
  /// The scene and the application that the constraints ask for must exist.
  mutating func decide(_ query: RouteQuery) -> Decision {
    let choice: Choice?
    if let id = query.constraints.sceneID {
      choice = choose(id)
    } else {
      findKeys(in: query.event)
      choice = choose(query)
    }
    guard let choice else { return Decision(generation: generation) }
    return decision(for: choice, query)
  }

  /// Finds the identifiers that match an event: ``keys`` are theirs, and that of `*` is the last.
  mutating func findKeys(in event: Event) {
    while keys.popLast() != nil {}
    if let text = event.comparison?.string {
      comparison.replace(with: text)
      holders.findKeys(in: comparison.bytes, &keys)
    }
    keys.append(.wildcard)
  }

  @inline(__always)
  private func decision(for choice: Choice, _ query: RouteQuery) -> Decision {
    switch choice.rule {
    case .explicit, .singleScene, .preferring, .allowing:
      guard let scene = scenes[Int(choice.candidate.index)] else { break }
      return decision(for: choice, scene, query.event)
    case .matching, .document, .default:
      guard case .success(let destination) = destination(of: choice.candidate, query),
        let application = applications[Int(choice.candidate.application)],
        let declaration = application.declaration?.declaration.scenes[Int(choice.candidate.index)]
      else { break }
      return decision(for: choice, destination, application.id, declaration, query.event)
    }
    return Decision(generation: generation)
  }

  @inline(__always)
  private func decision(for choice: Choice, _ scene: Scene, _ event: Event) -> Decision {
    var pattern: String?
    var ids: [String] = []
    if choice.rule == .preferring || choice.rule == .allowing {
      let kind: IdentifierSetKind = choice.rule == .preferring ? .preferring : .allowing
      if let key = choice.key {
        pattern = scene.spelling(of: key, in: kind) ?? holders.texts.spelling(of: key)
        ids = scene.registrationIDs(kind, holding: keys, wildcardCounts: choice.wildcardCounts)
      } else {
        pattern = "*"
      }
    }
    return Decision(
      generation: generation,
      choice.rule,
      .scene(scene.id),
      applicationID: scene.applicationID,
      declarationID: scene.declarationID,
      pattern: pattern,
      in: pattern == nil ? nil : event.comparison,
      registrationIDs: ids
    )
  }

  private func decision(
    for choice: Choice,
    _ destination: Destination,
    _ applicationID: String,
    _ declaration: SceneDeclaration,
    _ event: Event
  ) -> Decision {
    var pattern: String?
    var comparison = event.comparison
    if let key = choice.key {
      pattern = spelling(of: key, by: choice.candidate)
    } else if choice.rule == .document, let fileType = FileType(event) {
      pattern = fileType.match(declaration.supportedTypes)
      comparison = event.fileURL
      if pattern?.contains("/") == true, let type = event.contentType { comparison = (type, .contentType) }
    }
    return Decision(
      generation: generation,
      choice.rule,
      destination,
      applicationID: applicationID,
      declarationID: declaration.id,
      pattern: pattern,
      in: pattern == nil ? nil : comparison
    )
  }

  /// How a declaration spells an identifier in its set.
  func spelling(of key: IdentifierKey, by candidate: Candidate) -> String {
    let matching = applications[Int(candidate.application)]?.declaration?.matching[Int(candidate.index)]
    return matching?.identifiers.spelling(of: key) ?? holders.texts.spelling(of: key)
  }
}
