/// An activity of a user, modelled after `NSUserActivity`.
public struct Activity: Sendable {
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
  /// The eligibility as it is on the wire, where nil stands for false.
  package var statedEligibility: Bool?

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
    statedEligibility = isEligibleForHandoff ? true : nil
  }

  package init(
    activityType: String,
    targetContentIdentifier: String? = nil,
    webpageURL: String? = nil,
    title: String? = nil,
    userInfo: UserInfo? = nil,
    statedEligibility: Bool? = nil
  ) {
    self.activityType = activityType
    self.targetContentIdentifier = targetContentIdentifier
    self.webpageURL = webpageURL
    self.title = title
    self.userInfo = userInfo
    self.statedEligibility = statedEligibility
  }

  /// Whether other programs may take the activity and continue it, for example on another device.
  public var isEligibleForHandoff: Bool {
    get { statedEligibility ?? false }
    set { statedEligibility = newValue ? true : nil }
  }

  /// The activity as every client may see it.
  package var withoutUserInfo: Activity {
    var activity = self
    activity.userInfo = nil
    return activity
  }
}

extension Activity: Hashable {
  /// Whether two activities have the same properties.
  public static func == (left: Activity, right: Activity) -> Bool {
    left.activityType == right.activityType && left.targetContentIdentifier == right.targetContentIdentifier
      && left.webpageURL == right.webpageURL && left.title == right.title && left.userInfo == right.userInfo
      && left.isEligibleForHandoff == right.isEligibleForHandoff
  }

  /// Hashes the type and the identifier.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(activityType)
    hasher.combine(targetContentIdentifier)
  }
}

/// The data that an application adds to an activity: a JSON object, which the router passes on byte for byte.
public struct UserInfo: Sendable, Hashable {
  /// The text of the object, in UTF-8.
  package let bytes: [UInt8]

  /// Takes the text of an object, which is not checked.
  package init(bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// The text of the object.
  public var json: String { String(decoding: bytes, as: UTF8.self) }
}
