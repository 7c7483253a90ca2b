public import FoundationEssentials
public import SceneClient

/// What a user was doing; has the properties of `NSUserActivity` that the router knows.
public final class UserActivity {
  /// The kind of activity, a reverse-DNS name.
  public let activityType: String
  /// For people.
  public var title: String?
  /// Says which content the activity is about; identifiers are looked for in it.
  public var targetContentIdentifier: String?
  /// The same content in a web browser; windows are matched with it if there is no identifier.
  public var webpageURL: URL?
  /// Application data, a JSON object.
  public var userInfo: UserInfo?
  /// Whether the activity may be continued on another device.
  public var isEligibleForHandoff = false

  /// An activity of which nothing but its kind is known.
  public init(activityType: String) {
    self.activityType = activityType
  }

  init(_ activity: Activity) {
    activityType = activity.activityType
    title = activity.title
    targetContentIdentifier = activity.targetContentIdentifier
    webpageURL = activity.webpageURL.flatMap { URL(string: $0) }
    userInfo = activity.userInfo
    isEligibleForHandoff = activity.isEligibleForHandoff
  }

  /// The application data, decoded.
  ///
  /// - Throws: a `DecodingError` if there is none, or it is of another type.
  public func typedPayload<Payload: Decodable>(_ type: Payload.Type) throws -> Payload {
    try JSONDecoder().decode(type, from: Data((userInfo?.json ?? "").utf8))
  }

  /// Makes the application data of a value that encodes as an object.
  ///
  /// - Throws: an `EncodingError`, or a ``SceneClient/RouterError`` with the code `invalidUserInfo`.
  public func setTypedPayload<Payload: Encodable>(_ payload: Payload) throws {
    userInfo = try UserInfo(json: String(decoding: JSONEncoder().encode(payload), as: UTF8.self))
  }
}
