package import Varlink

extension Wire {
  /// How an event ended.
  package struct EventOutcome: Sendable, Equatable {
    /// The last decision.
    package let decision: RouteDecision
    /// How the last attempt ended.
    package let settlement: Settlement
    /// Every attempt, in order, the last one included.
    package let attempts: [Settlement]

    /// Makes an outcome.
    package init(decision: RouteDecision, settlement: Settlement, attempts: [Settlement]) {
      self.decision = decision
      self.settlement = settlement
      self.attempts = attempts
    }
  }

  /// One of the replies to ``SendEvent`` and ``AwaitEvent``.
  package enum EventReply: Sendable, Equatable {
    /// The event was routed: the first decision, or, with `more`, the next one.
    case decision(RouteDecision)
    /// With `more`: an attempt ended.
    case settlement(Settlement)
    /// Without `more`: the event was taken.
    case outcome(EventOutcome)
    /// Nothing that this version knows: to be skipped.
    case unrecognized
  }
}

extension Wire.EventOutcome: ObjectDecodable, ObjectEncodable {
  /// Reads an outcome.
  package init(from object: inout ObjectReader) throws(ParameterError) {
    decision = try object.required("decision")
    settlement = try object.required("settlement")
    attempts = try object.required("attempts")
  }

  /// Writes an outcome.
  package func encodeMembers(to object: inout JSONWriter) {
    object.beginObject("decision")
    decision.encodeMembers(to: &object)
    object.endObject()
    object.name("settlement")
    let settlementStart = object.count
    object.beginObject()
    settlement.encodeMembers(to: &object)
    object.endObject()
    let settlementEnd = object.count
    object.name("attempts")
    object.beginArray()
    for index in attempts.indices {
      object.separate()
      if attempts[index] == settlement {
        object.repeatValue(settlementStart..<settlementEnd)
      } else {
        attempts[index].encode(to: &object)
      }
    }
    object.endArray()
  }
}

extension Wire.EventReply: ObjectDecodable, ObjectEncodable {
  /// Reads a reply: an outcome if attempts are told, else the settlement or the decision.
  package init(from object: inout ObjectReader) throws(ParameterError) {
    let decision: Wire.RouteDecision? = try object.optional("decision")
    let settlement: Wire.Settlement? = try object.optional("settlement")
    let attempts: [Wire.Settlement]? = try object.optional("attempts")
    switch (decision, settlement, attempts) {
    case (let decision?, let settlement?, let attempts?):
      self = .outcome(Wire.EventOutcome(decision: decision, settlement: settlement, attempts: attempts))
    case (_, let settlement?, _): self = .settlement(settlement)
    case (let decision?, nil, _): self = .decision(decision)
    case (nil, nil, _): self = .unrecognized
    }
  }

  /// Writes a reply.
  package func encodeMembers(to object: inout JSONWriter) {
    switch self {
    case .decision(let decision): object.member("decision", decision)
    case .settlement(let settlement): object.member("settlement", settlement)
    case .outcome(let outcome): outcome.encodeMembers(to: &object)
    case .unrecognized: break
    }
  }
}
