package import Varlink

extension Wire {
  /// No event with this id is remembered.
  package struct NoSuchEvent: Sendable, Equatable {
    /// The id that is unknown.
    package var eventID: String

    /// Makes an error.
    package init(eventID: String) {
      self.eventID = eventID
    }
  }
}

extension Wire.NoSuchEvent: Wire.Failure {
  /// `io.scened.Router.NoSuchEvent`.
  package static var error: StaticString { "io.scened.Router.NoSuchEvent" }

  /// Reads the parameters of an error.
  package init(from object: inout ObjectReader) throws(ParameterError) {
    eventID = try object.required("eventId")
  }

  /// Writes the parameters of an error.
  package func encodeMembers(to object: inout JSONWriter) {
    object.member("eventId", eventID)
  }
}

extension Wire {
  /// No rule found a target.
  package struct NotRouted: Sendable, Equatable {
    /// The decision that came to nothing.
    package var decision: RouteDecision

    /// Makes an error.
    package init(decision: RouteDecision) {
      self.decision = decision
    }
  }
}

extension Wire.NotRouted: Wire.Failure {
  /// `io.scened.Router.NotRouted`.
  package static var error: StaticString { "io.scened.Router.NotRouted" }

  /// Reads the parameters of an error.
  package init(from object: inout ObjectReader) throws(ParameterError) {
    decision = try object.required("decision")
  }

  /// Writes the parameters of an error.
  package func encodeMembers(to object: inout JSONWriter) {
    object.member("decision", decision)
  }
}

extension Wire {
  /// The last target there was declined, or closed.
  package struct Declined: Sendable, Equatable {
    /// The attempts at the event.
    package var outcome: EventOutcome

    /// Makes an error.
    package init(_ outcome: EventOutcome) {
      self.outcome = outcome
    }
  }
}

extension Wire.Declined: Wire.Failure {
  /// `io.scened.Router.Declined`.
  package static var error: StaticString { "io.scened.Router.Declined" }

  /// Reads the parameters of an error.
  package init(from object: inout ObjectReader) throws(ParameterError) {
    outcome = try Wire.EventOutcome(from: &object)
  }

  /// Writes the parameters of an error.
  package func encodeMembers(to object: inout JSONWriter) {
    outcome.encodeMembers(to: &object)
  }
}

extension Wire {
  /// The last target there was did not settle the event in time.
  package struct TimedOut: Sendable, Equatable {
    /// The attempts at the event.
    package var outcome: EventOutcome

    /// Makes an error.
    package init(_ outcome: EventOutcome) {
      self.outcome = outcome
    }
  }
}

extension Wire.TimedOut: Wire.Failure {
  /// `io.scened.Router.TimedOut`.
  package static var error: StaticString { "io.scened.Router.TimedOut" }

  /// Reads the parameters of an error.
  package init(from object: inout ObjectReader) throws(ParameterError) {
    outcome = try Wire.EventOutcome(from: &object)
  }

  /// Writes the parameters of an error.
  package func encodeMembers(to object: inout JSONWriter) {
    outcome.encodeMembers(to: &object)
  }
}

extension Wire {
  /// The application of the last target could not be started, or did not open the scene.
  ///
  /// The reason is in the settlement.
  package struct LaunchFailed: Sendable, Equatable {
    /// The attempts at the event.
    package var outcome: EventOutcome

    /// Makes an error.
    package init(_ outcome: EventOutcome) {
      self.outcome = outcome
    }
  }
}

extension Wire.LaunchFailed: Wire.Failure {
  /// `io.scened.Router.LaunchFailed`.
  package static var error: StaticString { "io.scened.Router.LaunchFailed" }

  /// Reads the parameters of an error.
  package init(from object: inout ObjectReader) throws(ParameterError) {
    outcome = try Wire.EventOutcome(from: &object)
  }

  /// Writes the parameters of an error.
  package func encodeMembers(to object: inout JSONWriter) {
    outcome.encodeMembers(to: &object)
  }
}

extension Wire {
  /// The service is going away and has not learned the end of the event.
  package struct ServiceStopping: Sendable, Equatable {
    /// The last decision, if there was one.
    package var decision: RouteDecision?

    /// Makes an error.
    package init(decision: RouteDecision? = nil) {
      self.decision = decision
    }
  }
}

extension Wire.ServiceStopping: Wire.Failure {
  /// `io.scened.Router.ServiceStopping`.
  package static var error: StaticString { "io.scened.Router.ServiceStopping" }

  /// Reads the parameters of an error.
  package init(from object: inout ObjectReader) throws(ParameterError) {
    decision = try object.optional("decision")
  }

  /// Writes the parameters of an error.
  package func encodeMembers(to object: inout JSONWriter) {
    object.member("decision", ifPresent: decision)
  }
}
