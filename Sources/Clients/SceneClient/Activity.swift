import RouterInterface
import Varlink

/// An activity of a user, modelled after `NSUserActivity`.
public struct Activity: Sendable, Hashable {
  /// The type of the activity, a reverse-DNS name.
  public var activityType: String
  /// Identifies the content of the activity.
  ///
  /// An identifier in a registration or a declaration matches the activity if this text contains the identifier.
  public var targetContentIdentifier: String?
  /// The absolute URL of the same content in a web browser.
  ///
  /// Without a ``targetContentIdentifier``, an identifier in a registration or a declaration matches the activity if
  /// this URL contains the identifier.
  public var webpageURL: String?
  /// A title for people; cut after 1 KiB.
  public var title: String?
  /// Data that the application attaches to the activity; the router passes the data on unchanged.
  public var userInfo: UserInfo?
  /// Whether other programs may take the activity and continue it, for example on another device.
  public var isEligibleForHandoff: Bool

  /// Describes an activity of this type; the URL of the web page is repaired as ``Event/repaired(_:)`` does.
  public init(
    _ activityType: String,
    targetContentIdentifier: String? = nil,
    webpageURL: String? = nil,
    title: String? = nil,
    userInfo: UserInfo? = nil,
    isEligibleForHandoff: Bool = false
  ) {
    self.activityType = activityType
    self.targetContentIdentifier = targetContentIdentifier
    self.webpageURL = webpageURL.map(Event.repaired)
    self.title = title
    self.userInfo = userInfo
    self.isEligibleForHandoff = isEligibleForHandoff
  }
}

extension Activity: WireRepresentable {
  init(_ wire: Wire.Activity) {
    self.init(
      wire.activityType,
      targetContentIdentifier: wire.targetContentIdentifier,
      webpageURL: wire.webpageURL,
      title: wire.title,
      userInfo: wire.userInfo.map(UserInfo.init),
      isEligibleForHandoff: wire.isEligibleForHandoff ?? false
    )
  }

  var wire: Wire.Activity {
    Wire.Activity(
      activityType: activityType,
      targetContentIdentifier: targetContentIdentifier,
      webpageURL: webpageURL,
      title: title?.limited,
      userInfo: userInfo.map { RawObject(bytes: Array($0.json.utf8)) },
      isEligibleForHandoff: isEligibleForHandoff ? true : nil
    )
  }
}
