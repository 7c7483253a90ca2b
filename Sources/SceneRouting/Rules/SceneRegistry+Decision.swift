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
    return decision(for: choice, query.event)
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

  private func decision(for choice: Choice, _ event: Event) -> Decision {
    if let destination = choice.destination {
      let application = applications[Int(choice.candidate.application)]
      let declared = application?.declaration?.declaration.scenes[Int(choice.candidate.index)]
      return Decision(
        generation: generation,
        choice.rule,
        destination,
        applicationID: application?.id,
        declarationID: declared?.id,
        match(of: choice, declared, event)
      )
    }
    guard let scene = scenes[Int(choice.candidate.index)] else { return Decision(generation: generation) }
    return Decision(
      generation: generation,
      choice.rule,
      .scene(scene.id),
      applicationID: scene.applicationID,
      declarationID: scene.declarationID,
      match(of: choice, scene, event)
    )
  }

  private func match(of choice: Choice, _ scene: Scene, _ event: Event) -> Decision.Match {
    switch choice.reason {
    case .none, .fileType: return Decision.Match()
    case .singleScene: return Decision.Match("*", in: event)
    case .identifier(let key, let wildcardCounts):
      let kind: IdentifierSetKind = choice.rule == .preferring ? .preferring : .allowing
      let spelling = scene.spelling(of: key, in: kind) ?? holders.texts.spelling(of: key)
      let ids = scene.registrationIDs(kind, holding: keys, wildcardCounts: wildcardCounts)
      return Decision.Match(spelling, in: event, of: ids)
    }
  }

  private func match(of choice: Choice, _ declared: SceneDeclaration?, _ event: Event) -> Decision.Match {
    switch choice.reason {
    case .none, .singleScene: Decision.Match()
    case .identifier(let key, _): Decision.Match(spelling(of: key, by: choice.candidate), in: event)
    case .fileType(let fileType):
      Decision.Match(fileType.match(declared?.supportedTypes ?? []), fileType, event)
    }
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
