public import FoundationEssentials
public import SceneClient

/// What a user was doing, or is doing in a window that offers it; has the properties of `NSUserActivity` that the router knows.
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

  var activity: Activity {
    Activity(
      activityType,
      targetContentIdentifier: targetContentIdentifier,
      webpageURL: webpageURL?.absoluteString,
      title: title,
      userInfo: userInfo,
      isEligibleForHandoff: isEligibleForHandoff
    )
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
    let encoder = JSONEncoder()
    // Equal payloads are the same text, which is not reported again.
    encoder.outputFormatting = .sortedKeys
    userInfo = try UserInfo(json: String(decoding: encoder.encode(payload), as: UTF8.self))
  }
}

extension WindowModifiers {
  /// Offers what the user is doing in the window, to be continued elsewhere.
  ///
  /// Of several activities that are active in a window, the one that became so last is the window's current one. It ends
  /// when `isActive` is false, when the view is there no longer, and with the window. Others can see and take it if
  /// `update` makes it eligible for Handoff. Windows of an application with ``SceneApplication/claims`` continue it only
  /// if these have its type.
  ///
  /// - Parameters:
  ///   - activityType: the kind of activity, a reverse-DNS name.
  ///   - isActive: whether the user is doing it now.
  ///   - update: describes the activity. It is called with the body, and again when something that it has read has
  ///     changed.
  /// - Returns: the views with the modifier.
  public func userActivity(
    _ activityType: String,
    isActive: Bool = true,
    _ update: @escaping (UserActivity) -> Void
  ) -> ModifiedViews<Self> {
    modified { traits in
      guard isActive else { return }
      let activity = UserActivity(activityType: activityType)
      update(activity)
      traits.activities.append(activity.activity)
    }
  }

  /// Offers what the user is doing with an element, which is nothing while there is none.
  ///
  /// - Parameters:
  ///   - activityType: the kind of activity, a reverse-DNS name.
  ///   - element: what the user is doing it with.
  ///   - update: describes the activity with the element.
  /// - Returns: the views with the modifier.
  public func userActivity<Element>(
    _ activityType: String,
    element: Element?,
    _ update: @escaping (Element, UserActivity) -> Void
  ) -> ModifiedViews<Self> {
    userActivity(activityType, isActive: element != nil) { activity in
      if let element { update(element, activity) }
    }
  }
}
