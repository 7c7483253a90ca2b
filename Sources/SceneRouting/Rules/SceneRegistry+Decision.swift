extension SceneRegistry {
  /// Decides where an event goes, by the rules of the routing contract.
  ///
  /// The scene and the application that the constraints name must exist.
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

  /// Finds the keys of the identifiers that match an event, and notes them; that of `*` is the last.
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
      return Decision(
        generation: generation,
        choice.rule,
        .scene(scene.id),
        applicationID: scene.applicationID,
        declarationID: scene.declarationID,
        match(of: choice, scene, query.event)
      )
    case .matching, .document, .default:
      guard case .success(let destination) = destination(of: choice.candidate, query),
        let application = applications[Int(choice.candidate.application)],
        let declaration = application.declaration?.declaration.scenes[Int(choice.candidate.index)]
      else { break }
      return Decision(
        generation: generation,
        choice.rule,
        destination,
        applicationID: application.id,
        declarationID: declaration.id,
        match(of: choice, declaration, query.event)
      )
    }
    return Decision(generation: generation)
  }

  private func match(of choice: Choice, _ scene: Scene, _ event: Event) -> Decision.Match {
    guard choice.rule == .preferring || choice.rule == .allowing else { return Decision.Match() }
    guard let key = choice.key else { return Decision.Match("*", in: event) }
    let kind: IdentifierSetKind = choice.rule == .preferring ? .preferring : .allowing
    let spelling = scene.spelling(of: key, in: kind) ?? holders.texts.spelling(of: key)
    let ids = scene.registrationIDs(kind, holding: keys, wildcardCounts: choice.wildcardCounts)
    return Decision.Match(spelling, in: event, of: ids)
  }

  private func match(of choice: Choice, _ declaration: SceneDeclaration, _ event: Event) -> Decision.Match {
    if let key = choice.key { return Decision.Match(spelling(of: key, by: choice.candidate), in: event) }
    guard choice.rule == .document, let fileType = FileType(event) else { return Decision.Match() }
    return Decision.Match(fileType.match(declaration.supportedTypes), fileType, event)
  }

  /// How a declaration spells an identifier in its set.
  func spelling(of key: IdentifierKey, by candidate: Candidate) -> String {
    let matching = applications[Int(candidate.application)]?.declaration?.matching[Int(candidate.index)]
    return matching?.identifiers.spelling(of: key) ?? holders.texts.spelling(of: key)
  }
}

extension Decision.Match {
  /// An identifier that was found in the comparison string of an event.
  fileprivate init(_ pattern: String, in event: Event, of registrationIDs: [String] = []) {
    let comparison = event.comparison
    self.init(
      pattern: pattern,
      string: comparison?.string,
      field: comparison?.field,
      registrationIDs: registrationIDs
    )
  }

  /// An entry of `supportedTypes` that covers the file.
  fileprivate init(_ pattern: String?, _ fileType: FileType, _ event: Event) {
    if pattern?.contains("/") == true {
      self.init(pattern: pattern, string: event.contentType, field: .contentType)
    } else {
      self.init(pattern: pattern, string: event.fileURL?.string, field: fileType.field)
    }
  }
}
