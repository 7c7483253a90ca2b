package import Varlink

extension Wire {
  /// Where an event goes, and why.
  package struct RouteDecision: Sendable, Equatable {
    /// Names all decisions about one event.
    package let decisionID: String
    /// State of the registry the decision was made on.
    package let generation: Int64
    /// What the event goes to.
    ///
    /// `scene` for an open scene, `newScene` for an open request, `none` for nothing. More may be added.
    package let target: String
    /// The rule that won; nil if the target is `none`.
    ///
    /// `explicit`, `singleScene`, `preferring`, `allowing`, `matching`, `document` or `default`. More may
    /// be added.
    package let rule: String?
    /// The identifier out of the winner's set that won.
    package let matchedPattern: String?
    /// The string of the event it was found in.
    package let matchedString: String?
    /// Where in the event that string is.
    ///
    /// `url`, `targetContentIdentifier` or `webpageURL`. More may be added.
    package let matchedField: String?
    /// The scene that won.
    package let sceneID: String?
    /// The application of the scene or declaration that won.
    package let applicationID: String?
    /// The declaration that won, or that the scene is an instance of.
    package let declarationID: String?
    /// The registrations of the scene that made it match.
    package let registrationIDs: [String]?
    /// The candidates in the order of the rules; set by ``ExplainEvent`` only.
    package let trace: [TraceStep]?
    /// How many candidates were left out of the trace; nil if they were not counted.
    package let traceOmitted: Int64?

    /// Makes a decision.
    package init(
      decisionID: String,
      generation: Int64,
      target: String,
      rule: String? = nil,
      matchedPattern: String? = nil,
      matchedString: String? = nil,
      matchedField: String? = nil,
      sceneID: String? = nil,
      applicationID: String? = nil,
      declarationID: String? = nil,
      registrationIDs: [String]? = nil,
      trace: [TraceStep]? = nil,
      traceOmitted: Int64? = nil
    ) {
      self.decisionID = decisionID
      self.generation = generation
      self.target = target
      self.rule = rule
      self.matchedPattern = matchedPattern
      self.matchedString = matchedString
      self.matchedField = matchedField
      self.sceneID = sceneID
      self.applicationID = applicationID
      self.declarationID = declarationID
      self.registrationIDs = registrationIDs
      self.trace = trace
      self.traceOmitted = traceOmitted
    }
  }
}

extension Wire.RouteDecision: ObjectDecodable, ObjectEncodable {
  /// Reads a decision.
  package init(from object: inout ObjectReader) throws(ParameterError) {
    decisionID = try object.required("decisionId")
    generation = try object.required("generation")
    target = try object.required("target")
    rule = try object.optional("rule")
    matchedPattern = try object.optional("matchedPattern")
    matchedString = try object.optional("matchedString")
    matchedField = try object.optional("matchedField")
    sceneID = try object.optional("sceneId")
    applicationID = try object.optional("applicationId")
    declarationID = try object.optional("declarationId")
    registrationIDs = try object.optional("registrationIds")
    trace = try object.optional("trace")
    traceOmitted = try object.optional("traceOmitted")
  }

  /// Writes a decision.
  package func encodeMembers(to object: inout JSONWriter) {
    object.member("decisionId", decisionID)
    object.member("generation", generation)
    object.member("target", target)
    object.member("rule", ifPresent: rule)
    object.member("matchedPattern", ifPresent: matchedPattern)
    object.member("matchedString", ifPresent: matchedString)
    object.member("matchedField", ifPresent: matchedField)
    object.member("sceneId", ifPresent: sceneID)
    object.member("applicationId", ifPresent: applicationID)
    object.member("declarationId", ifPresent: declarationID)
    object.member("registrationIds", ifPresent: registrationIDs)
    if let trace { object.member("trace", trace) }
    object.member("traceOmitted", ifPresent: traceOmitted)
  }
}

extension Wire {
  /// One candidate, a scene or a declaration, in the order of the rules, up to the one that won.
  package struct TraceStep: Sendable, Equatable {
    /// Name of the rule tried; see ``RouteDecision/rule``.
    package let rule: String
    /// The scene, if it is one.
    package let sceneID: String?
    /// The application of the candidate.
    package let applicationID: String?
    /// The declaration, if it is one.
    package let declarationID: String?
    /// The registration whose identifier was compared.
    package let registrationID: String?
    /// The identifier out of the candidate's set that was compared.
    package let pattern: String?
    /// Whether the candidate matched.
    package let matched: Bool
    /// Why a candidate that matched was passed over all the same.
    package let rejectedBecause: String?

    /// Makes a step.
    package init(
      rule: String,
      sceneID: String? = nil,
      applicationID: String? = nil,
      declarationID: String? = nil,
      registrationID: String? = nil,
      pattern: String? = nil,
      matched: Bool,
      rejectedBecause: String? = nil
    ) {
      self.rule = rule
      self.sceneID = sceneID
      self.applicationID = applicationID
      self.declarationID = declarationID
      self.registrationID = registrationID
      self.pattern = pattern
      self.matched = matched
      self.rejectedBecause = rejectedBecause
    }
  }
}

extension Wire.TraceStep: ObjectDecodable, ObjectEncodable {
  /// Reads a step.
  package init(from object: inout ObjectReader) throws(ParameterError) {
    rule = try object.required("rule")
    sceneID = try object.optional("sceneId")
    applicationID = try object.optional("applicationId")
    declarationID = try object.optional("declarationId")
    registrationID = try object.optional("registrationId")
    pattern = try object.optional("pattern")
    matched = try object.required("matched")
    rejectedBecause = try object.optional("rejectedBecause")
  }

  /// Writes a step.
  package func encodeMembers(to object: inout JSONWriter) {
    object.member("rule", rule)
    object.member("sceneId", ifPresent: sceneID)
    object.member("applicationId", ifPresent: applicationID)
    object.member("declarationId", ifPresent: declarationID)
    object.member("registrationId", ifPresent: registrationID)
    object.member("pattern", ifPresent: pattern)
    object.member("matched", matched)
    object.member("rejectedBecause", ifPresent: rejectedBecause)
  }
}
