/// The events that an application claims.
///
/// An event that one or more applications claim is routed only to these applications. An application with claims
/// gets only events that it claims. Three kinds of targets need no claim:
/// - a scene that shows the document of the event
/// - an application that the user has chosen for the host or for the sender
/// - a target that the sender names
///
/// An application without claims takes part in all events that nobody claims. If a scene or a declaration of such an
/// application has a short identifier, this identifier can match links that are meant for other programs.
public struct Claims: Sendable, Hashable {
  /// URL schemes, without the colon.
  public var schemes: [String]
  /// Types of activities.
  public var activityTypes: [String]
  /// MIME types of the files at `file:` URLs; a type includes its subclasses.
  public var mimeTypes: [String]
  /// Hosts of `http:` and `https:` URLs: `meet.example.org`, or `*.example.org` for all hosts below `example.org`.
  ///
  /// The beginning of a path may follow the host, as in `forge.example.org/team`. If several claims cover a link, the
  /// router tries them in this order:
  /// 1. claims of the link's exact host
  /// 2. claims of `*.` hosts, the longest host first
  /// 3. claims of the link's scheme
  ///
  /// Of two claims of the same host, the claim with the longer path comes first. A malformed host causes the error
  /// ``RouterError/Code/invalidParameter(path:)``.
  public var hosts: [String]

  /// Makes claims.
  public init(
    schemes: [String] = [],
    activityTypes: [String] = [],
    mimeTypes: [String] = [],
    hosts: [String] = []
  ) {
    self.schemes = schemes
    self.activityTypes = activityTypes
    self.mimeTypes = mimeTypes
    self.hosts = hosts
  }
}
