import RouterInterface

/// One view's interest in events, as with SwiftUI's `handlesExternalEvents(preferring:allowing:)`.
///
/// A scene may hold many, and takes part in routing with the union of all of them. An identifier matches an event if
/// it is contained in the event's URL or target content identifier, whatever the case and the accents; `"*"` matches
/// every event.
public struct Registration: Sendable, Hashable, Identifiable {
  /// Chosen by the client, unique within the scene.
  public var id: String
  /// Identifiers that the view wants to be chosen for over other scenes.
  public var preferring: [String]
  /// Identifiers that the view accepts.
  public var allowing: [String]

  /// Describes an interest.
  public init(id: String, preferring: [String] = [], allowing: [String] = []) {
    self.id = id
    self.preferring = preferring
    self.allowing = allowing
  }
}

extension Registration: WireRepresentable {
  init(_ wire: Wire.Registration) {
    self.init(id: wire.registrationID, preferring: wire.preferring, allowing: wire.allowing)
  }

  var wire: Wire.Registration {
    Wire.Registration(registrationID: id, preferring: preferring, allowing: allowing)
  }
}
