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
  /// MIME types of files, for `file:` URLs.
  public var mimeTypes: [String]

  /// Claims events.
  public init(schemes: [String] = [], activityTypes: [String] = [], mimeTypes: [String] = []) {
    self.schemes = schemes
    self.activityTypes = activityTypes
    self.mimeTypes = mimeTypes
  }
}

extension Claims: WireRepresentable {
  init(_ wire: Wire.Claims) {
    self.init(
      schemes: wire.schemes ?? [],
      activityTypes: wire.activityTypes ?? [],
      mimeTypes: wire.mimeTypes ?? []
    )
  }

  var wire: Wire.Claims {
    Wire.Claims(
      schemes: schemes.isEmpty ? nil : schemes,
      activityTypes: activityTypes.isEmpty ? nil : activityTypes,
      mimeTypes: mimeTypes.isEmpty ? nil : mimeTypes
    )
  }
}
