package import Varlink

extension Wire {
  /// Follows the router's work (requires `more`).
  ///
  /// First comes `snapshot`, in one reply or several: the state the later replies are changes to. Events
  /// are shown without userInfo.
  package struct Monitor: Sendable, Equatable {
    /// Whether to show decisions and settlements.
    ///
    /// Defaults to true.
    package var showDecisions: Bool?
    /// Whether to show scenes and applications.
    ///
    /// Defaults to true.
    package var showRegistry: Bool?

    /// Makes a call.
    package init(showDecisions: Bool? = nil, showRegistry: Bool? = nil) {
      self.showDecisions = showDecisions
      self.showRegistry = showRegistry
    }

    /// One of the replies to ``Monitor``.
    package enum Reply: Sendable, Equatable {
      /// All that is registered, or a part of it.
      case snapshot(Snapshot)
      /// An event was routed.
      case decision(RoutedEvent)
      /// An attempt at an event ended.
      case settlement(Settlement)
      /// A scene was opened or changed.
      case sceneChanged(Scene)
      /// The scene with this id is gone.
      case sceneClosed(String)
      /// An application was declared or changed.
      case applicationChanged(Application)
      /// The application with this id is gone.
      case applicationGone(String)
      /// That many replies were dropped because the monitor read too slowly.
      case dropped(Int64)
      /// The final reply: `shutdown`.
      ///
      /// More may be added.
      case closed(String)
      /// Nothing that this version knows: to be skipped.
      case unrecognized
    }
  }
}

extension Wire.Monitor: Wire.Method {
  /// `io.scened.Router.Monitor`.
  package static var method: StaticString { "io.scened.Router.Monitor" }

  /// Reads the parameters of a call.
  package init(from object: inout ObjectReader) throws(ParameterError) {
    showDecisions = try object.optional("showDecisions")
    showRegistry = try object.optional("showRegistry")
  }

  /// Writes the parameters of a call.
  package func encodeMembers(to object: inout JSONWriter) {
    object.member("showDecisions", ifPresent: showDecisions)
    object.member("showRegistry", ifPresent: showRegistry)
  }
}

extension Wire.Monitor.Reply: ObjectDecodable, ObjectEncodable {
  /// Reads a reply.
  package init(from object: inout ObjectReader) throws(ParameterError) {
    if let snapshot: Wire.Snapshot = try object.optional("snapshot") {
      self = .snapshot(snapshot)
    } else if let decision: Wire.RoutedEvent = try object.optional("decision") {
      self = .decision(decision)
    } else if let settlement: Wire.Settlement = try object.optional("settlement") {
      self = .settlement(settlement)
    } else if let sceneChanged: Wire.Scene = try object.optional("sceneChanged") {
      self = .sceneChanged(sceneChanged)
    } else if let sceneClosed: String = try object.optional("sceneClosed") {
      self = .sceneClosed(sceneClosed)
    } else if let applicationChanged: Wire.Application = try object.optional("applicationChanged") {
      self = .applicationChanged(applicationChanged)
    } else if let applicationGone: String = try object.optional("applicationGone") {
      self = .applicationGone(applicationGone)
    } else if let dropped: Int64 = try object.optional("dropped") {
      self = .dropped(dropped)
    } else if let closed: String = try object.optional("closed") {
      self = .closed(closed)
    } else {
      self = .unrecognized
    }
  }

  /// Writes a reply.
  package func encodeMembers(to object: inout JSONWriter) {
    switch self {
    case .snapshot(let snapshot): object.member("snapshot", snapshot)
    case .decision(let decision): object.member("decision", decision)
    case .settlement(let settlement): object.member("settlement", settlement)
    case .sceneChanged(let sceneChanged): object.member("sceneChanged", sceneChanged)
    case .sceneClosed(let sceneClosed): object.member("sceneClosed", sceneClosed)
    case .applicationChanged(let applicationChanged): object.member("applicationChanged", applicationChanged)
    case .applicationGone(let applicationGone): object.member("applicationGone", applicationGone)
    case .dropped(let dropped): object.member("dropped", dropped)
    case .closed(let closed): object.member("closed", closed)
    case .unrecognized: break
    }
  }
}

extension Wire {
  /// All that is registered at one moment, or a part of it.
  package struct Snapshot: Sendable, Equatable {
    /// Open scenes.
    package var scenes: [Scene]
    /// Declared applications.
    package var applications: [Application]
    /// The state of the registry.
    package var generation: Int64
    /// False while more of the same snapshot follows in the next reply.
    package var isComplete: Bool

    /// Makes a snapshot.
    package init(scenes: [Scene], applications: [Application], generation: Int64, isComplete: Bool) {
      self.scenes = scenes
      self.applications = applications
      self.generation = generation
      self.isComplete = isComplete
    }
  }
}

extension Wire.Snapshot: ObjectDecodable, ObjectEncodable {
  /// Reads a snapshot.
  package init(from object: inout ObjectReader) throws(ParameterError) {
    scenes = try object.required("scenes")
    applications = try object.required("applications")
    generation = try object.required("generation")
    isComplete = try object.required("isComplete")
  }

  /// Writes a snapshot.
  package func encodeMembers(to object: inout JSONWriter) {
    object.member("scenes", scenes)
    object.member("applications", applications)
    object.member("generation", generation)
    object.member("isComplete", isComplete)
  }
}

extension Wire {
  /// An event and where it went.
  package struct RoutedEvent: Sendable, Equatable {
    /// The event, without its private parts.
    package var event: Event
    /// Where it went.
    package var decision: RouteDecision

    /// Makes a routed event.
    package init(event: Event, decision: RouteDecision) {
      self.event = event
      self.decision = decision
    }
  }
}

extension Wire.RoutedEvent: ObjectDecodable, ObjectEncodable {
  /// Reads a routed event.
  package init(from object: inout ObjectReader) throws(ParameterError) {
    event = try object.required("event")
    decision = try object.required("decision")
  }

  /// Writes a routed event.
  package func encodeMembers(to object: inout JSONWriter) {
    object.member("event", event)
    object.member("decision", decision)
  }
}
