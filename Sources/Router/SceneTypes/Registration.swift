/// What a view of a scene registers: the documents that the view shows, and the events that the view prefers and
/// allows.
///
/// The type is modelled after SwiftUI's `handlesExternalEvents(preferring:allowing:)`. A scene may have many
/// registrations. The scene takes part in routing with the union of its registrations. An identifier matches the events
/// that contain it in their URL or target content identifier. Letter case and accents do not count. `"*"` matches every
/// event.
///
/// A file has one name for the router, so the library adds others when it tells a router of this machine what a scene
/// registers: to a `file:` URL, or a preferred or allowed directory, the path without symbolic links, and to a directory
/// in which `.git` is a file the directory of git that this file names. Lists of scenes show the added names too. What
/// lies on a network or in another program's file system keeps its name. If a scene has more than 512 entries, nothing
/// is added.
public struct Registration: Sendable, Hashable, Identifiable {
  /// Identifies the registration within the scene; chosen by the client.
  public var id: String
  /// The absolute URLs of the documents that the view shows, such as the pages of a browser's tabs.
  ///
  /// An event for one of these documents comes to this scene, even if other scenes prefer the event or other
  /// applications claim it. The router compares whole URLs, normalised and without their fragments.
  public var showing: [String]
  /// Identifiers of events that the view prefers.
  ///
  /// For these events the scene comes before scenes that only allow the events.
  public var preferring: [String]
  /// Identifiers of events that the view allows.
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

  /// Takes the values in the order in which they are on the wire.
  package init(id: String, preferring: [String], allowing: [String], showing: [String]) {
    self.init(id: id, showing: showing, preferring: preferring, allowing: allowing)
  }
}
