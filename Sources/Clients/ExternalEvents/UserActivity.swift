public import FoundationEssentials
public import SceneClient

/// A user's activity that a window offers or continues, with the properties of `NSUserActivity` that the router knows.
public final class UserActivity {
  /// The type of the activity, a reverse-DNS name.
  public let activityType: String
  /// A title for people.
  public var title: String?
  /// Identifies the content of the activity.
  ///
  /// The router searches this text for identifiers: those that windows prefer or allow, and those in declarations.
  public var targetContentIdentifier: String?
  /// The URL of the same content in a web browser.
  ///
  /// If ``targetContentIdentifier`` is nil, the router searches this URL for identifiers: those that windows prefer or
  /// allow, and those in declarations.
  public var webpageURL: URL?
  /// Data that the application adds to the activity, as a JSON object.
  public var userInfo: UserInfo?
  /// Whether the activity may be continued on another device.
  public var isEligibleForHandoff = false

  /// Makes an activity of this type, without any other properties.
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

  /// Decodes ``userInfo``.
  ///
  /// - Throws: a `DecodingError` if there is no `userInfo`, or if the `userInfo` is of another type.
  public func typedPayload<Payload: Decodable>(_ type: Payload.Type) throws -> Payload {
    try JSONDecoder().decode(type, from: Data((userInfo?.json ?? "").utf8))
  }

  /// Sets ``userInfo`` to a value that encodes as an object.
  ///
  /// - Throws: an `EncodingError` if the value cannot be encoded. A `RouterError` with the code
  ///   `invalidUserInfo` if the encoded value is no valid JSON object.
  public func setTypedPayload<Payload: Encodable>(_ payload: Payload) throws {
    let encoder = JSONEncoder()
    // Equal payloads need the same text: otherwise the window would report an unchanged activity to the router again.
    encoder.outputFormatting = .sortedKeys
    userInfo = try UserInfo(json: String(decoding: encoder.encode(payload), as: UTF8.self))
  }
}

extension WindowModifiers {
  /// Offers the activity of the user in the window, to be continued elsewhere.
  ///
  /// If a window has several active activities, its current activity is the activity that became active
  /// last. An activity ends in three cases: `isActive` becomes false, the activity's view leaves the body,
  /// or the window closes. Other programs can see and take the activity if `update` makes it eligible for
  /// Handoff. Windows of an application with ``SceneApplication/claims`` continue the activity only if the
  /// claims have the activity's type.
  ///
  /// - Parameters:
  ///   - activityType: the type of the activity, a reverse-DNS name.
  ///   - isActive: whether the user does the activity now.
  ///   - update: describes the activity. The closure is called each time that the body is evaluated. A
  ///     change of a property that the closure has read causes such an evaluation.
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

  /// Offers an activity that concerns an element, to be continued elsewhere; none while `element` is nil.
  ///
  /// - Parameters:
  ///   - activityType: the type of the activity, a reverse-DNS name.
  ///   - element: the element that the user works with.
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
