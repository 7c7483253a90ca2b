package import Varlink

extension Wire {
  /// What a user was doing, modelled after NSUserActivity.
  package struct Activity: Sendable, Equatable {
    /// Reverse-DNS name of the kind of activity.
    package var activityType: String
    /// Names the content it is about; the string the router matches on.
    package var targetContentIdentifier: String?
    /// Absolute URL that shows the same content in a web browser.
    package var webpageURL: String?
    /// For people.
    package var title: String?
    /// Application data, handed on untouched: the bytes of a JSON object.
    ///
    /// At most 64 KiB.
    package var userInfo: [UInt8]?
    /// Whether it may go on at another device.
    ///
    /// Defaults to false.
    package var isEligibleForHandoff: Bool?

    /// Makes an activity.
    package init(
      activityType: String,
      targetContentIdentifier: String? = nil,
      webpageURL: String? = nil,
      title: String? = nil,
      userInfo: [UInt8]? = nil,
      isEligibleForHandoff: Bool? = nil
    ) {
      self.activityType = activityType
      self.targetContentIdentifier = targetContentIdentifier
      self.webpageURL = webpageURL
      self.title = title
      self.userInfo = userInfo
      self.isEligibleForHandoff = isEligibleForHandoff
    }
  }
}

extension Wire.Activity: ObjectDecodable, ObjectEncodable {
  /// Reads an activity.
  package init(from object: inout ObjectReader) throws(ParameterError) {
    activityType = try object.required("activityType")
    targetContentIdentifier = try object.optional("targetContentIdentifier")
    webpageURL = try object.optional("webpageURL")
    title = try object.optional("title")
    userInfo = try object.optionalObject("userInfo")
    isEligibleForHandoff = try object.optional("isEligibleForHandoff")
  }

  /// Writes an activity.
  package func encodeMembers(to object: inout JSONWriter) {
    object.member("activityType", activityType)
    object.member("targetContentIdentifier", ifPresent: targetContentIdentifier)
    object.member("webpageURL", ifPresent: webpageURL)
    object.member("title", ifPresent: title)
    object.member("userInfo", ifPresentObject: userInfo)
    object.member("isEligibleForHandoff", ifPresent: isEligibleForHandoff)
  }
}

extension Wire {
  /// The thing to route: either a URL or an activity.
  ///
  /// An event that was received keeps its bytes, and is written as it came.
  package struct Event: Sendable, Equatable {
    /// An absolute URL; nil if there is an activity.
    package let url: String?
    /// What a user was doing; nil if there is a URL.
    package let activity: Activity?
    /// MIME type of what the URL names, if the sender knows it better than its file name tells.
    package let contentType: String?
    /// The JSON object as it was received; empty if it was not.
    package let encoded: [UInt8]

    /// Makes an event of a URL; `encoded`, if not empty, has to be the same event.
    package init(url: String, contentType: String? = nil, encoded: [UInt8] = []) {
      self.url = url
      activity = nil
      self.contentType = contentType
      self.encoded = encoded
    }

    /// Makes an event of an activity; `encoded`, if not empty, has to be the same event.
    package init(activity: Activity, contentType: String? = nil, encoded: [UInt8] = []) {
      url = nil
      self.activity = activity
      self.contentType = contentType
      self.encoded = encoded
    }
  }
}

extension Wire.Event: ObjectDecodable, ObjectEncodable {
  /// Reads an event.
  ///
  /// One with neither URL nor activity, or with both, is not allowed.
  package init(from object: inout ObjectReader) throws(ParameterError) {
    let url: String? = try object.optional("url")
    let activity: Wire.Activity? = try object.optional("activity")
    let contentType: String? = try object.optional("contentType")
    guard (url == nil) != (activity == nil) else { throw object.object.error(.notAllowed) }
    let encoded = try RawObject(from: object.object).bytes
    self.url = url
    self.activity = activity
    self.contentType = contentType
    self.encoded = encoded
  }

  /// Writes an event as it was received, if it was.
  package func encode(to writer: inout JSONWriter) {
    guard encoded.isEmpty else { return writer.rawValue(encoded.span) }
    writer.beginObject()
    encodeMembers(to: &writer)
    writer.endObject()
  }

  /// Writes an event field by field.
  package func encodeMembers(to object: inout JSONWriter) {
    object.member("url", ifPresent: url)
    object.member("activity", ifPresent: activity)
    object.member("contentType", ifPresent: contentType)
  }
}

extension Wire.Event {
  /// The event as monitors see it: without `userInfo`, and so not as it was received.
  package var withoutPrivateParts: Wire.Event {
    guard var activity else { return Wire.Event(url: url ?? "", contentType: contentType) }
    activity.userInfo = nil
    return Wire.Event(activity: activity, contentType: contentType)
  }
}
