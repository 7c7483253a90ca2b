import RouterInterface

/// The events that an application stands for.
///
/// An event that some application claims is never routed to one that does not, and an application with claims gets no
/// event that it does not claim. Without claims it takes part in all that nobody claims: a short identifier is contained
/// in many links of other programs.
public struct Claims: Sendable, Hashable {
  /// URL schemes, without the colon.
  public var schemes: [String]
  /// Types of activities.
  public var activityTypes: [String]
  /// MIME types of files and their subclasses, for `file:` URLs.
  public var mimeTypes: [String]
  /// Hosts of `http:` and `https:` URLs, as `meet.example.org`, or `*.example.org` for all below it.
  ///
  /// Each may have the beginning of a path, as `forge.example.org/team`. Such URLs come to the closest claim before they
  /// come to who claims the scheme: an exact host is closest, then the longer `*.`, then the longer path. A malformed one
  /// is ``RouterError/Code/invalidParameter(path:)``.
  public var hosts: [String]

  /// Claims events.
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

extension Claims: WireRepresentable {
  init(_ wire: Wire.Claims) {
    self.init(
      schemes: wire.schemes,
      activityTypes: wire.activityTypes,
      mimeTypes: wire.mimeTypes,
      hosts: wire.hosts
    )
  }

  var wire: Wire.Claims {
    Wire.Claims(schemes: schemes, activityTypes: activityTypes, mimeTypes: mimeTypes, hosts: hosts)
  }
}
