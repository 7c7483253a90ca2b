import RouterInterface

/// The documents that one view of a scene shows, and the events that the view prefers and allows, as with
/// SwiftUI's `handlesExternalEvents(preferring:allowing:)`.
///
/// A scene may have many registrations. It takes part in routing with the union of all of them. An identifier
/// matches an event if the event's URL or target content identifier contains it. Letter case and accents do
/// not count. `"*"` matches every event.
public struct Registration: Sendable, Hashable, Identifiable {
  /// Identifies the registration within the scene; chosen by the client.
  public var id: String
  /// The absolute URLs of the documents that the view shows, such as the pages of a browser's tabs.
  ///
  /// An event for one of them comes to this scene. Neither the identifiers of other scenes nor the claims of
  /// applications change that. The router compares whole URLs, normalised and without their fragments.
  public var showing: [String]
  /// Identifiers for which the scene comes before scenes that only allow the event.
  public var preferring: [String]
  /// Identifiers that the view accepts.
  public var allowing: [String]

  /// Makes a registration.
  public init(
    id: String,
    showing: [String] = [],
    preferring: [String] = [],
    allowing: [String] = []
  ) {
    self.id = id
    self.showing = showing
    self.preferring = preferring
    self.allowing = allowing
  }
}

extension Registration: WireRepresentable {
  init(_ wire: Wire.Registration) {
    self.init(
      id: wire.registrationID,
      showing: wire.showing,
      preferring: wire.preferring,
      allowing: wire.allowing
    )
  }

  var wire: Wire.Registration {
    Wire.Registration(registrationID: id, preferring: preferring, allowing: allowing, showing: showing)
  }
}
