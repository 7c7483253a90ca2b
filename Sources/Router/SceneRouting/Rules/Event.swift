/// What a user was doing, modelled after `NSUserActivity`.
package struct Activity: Hashable, Sendable {
  /// Reverse-DNS name of the kind of activity.
  package var activityType: String
  /// Identifies the content; the string the router matches on.
  ///
  /// An empty one is not `nil`.
  package var targetContentIdentifier: String?
  /// Absolute URL that shows the same content in a web browser.
  package var webpageURL: String?
  /// For people.
  package var title: String?
  /// Application data, as received; never looked into.
  package var userInfo: [UInt8]?
  /// Handed on untouched.
  package var isEligibleForHandoff: Bool?

  /// Makes an activity; it is checked where the event is routed.
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

  /// What the activity holds in memory, in bytes.
  var size: Int {
    let texts = [targetContentIdentifier, webpageURL, title]
    return activityType.utf8.count + (userInfo?.count ?? 0) + texts.reduce(0) { $0 + ($1?.utf8.count ?? 0) }
  }

  /// Why the activity is refused, if it is; `path` is where the caller wrote it.
  func error(under limits: Limits, path: String) -> CallError? {
    if activityType.isEmpty { return .invalidParameter(path: "\(path).activityType") }
    if let size = userInfo?.count, size > limits.userInfoSize {
      return .limitExceeded(.userInfoSize, maximum: limits.userInfoSize)
    }
    return limits.error(ofString: activityType) ?? limits.error(ofString: title)
      ?? limits.error(ofIdentifier: targetContentIdentifier)
      ?? webpageURL.flatMap { limits.error(ofURL: $0, path: "\(path).webpageURL") }
  }
}

/// The thing to route.
package struct Event: Hashable, Sendable {
  /// A URL, or what a user was doing.
  package enum Content: Hashable, Sendable {
    case url(String)
    // In memory of its own: it is many times as large as a URL, and rarer.
    indirect case activity(Activity)
  }

  /// The part of an event that its comparison string comes from.
  package enum Field: String, Sendable {
    case url
    case targetContentIdentifier
    case webpageURL
    /// The sender's word on the file type; what a document group with MIME types is matched against.
    case contentType
  }

  /// What the event says.
  package let content: Content
  /// MIME type of what the URL points to, if the sender knows it.
  package let contentType: String?
  /// The event as its sender wrote it, handed on byte for byte; the rules look at the fields alone.
  package let encoded: [UInt8]

  /// Makes an event; it is checked where it is routed.
  package init(_ content: Content, contentType: String? = nil, encoded: [UInt8] = []) {
    self.content = content
    self.contentType = contentType
    self.encoded = encoded
  }

  /// Whether two events say the same, however they were written.
  package static func == (left: Event, right: Event) -> Bool {
    left.content == right.content && left.contentType == right.contentType
  }

  /// Hashes what the event says.
  package func hash(into hasher: inout Hasher) {
    hasher.combine(content)
    hasher.combine(contentType)
  }

  /// The string that identifiers are looked for in, and where it comes from.
  ///
  /// The URL exactly as delivered; for an activity `targetContentIdentifier` if it is not `nil`, else
  /// `webpageURL`, else nothing.
  package var comparison: (string: String, field: Field)? {
    switch content {
    case .url(let url): return (url, .url)
    case .activity(let activity):
      if let identifier = activity.targetContentIdentifier { return (identifier, .targetContentIdentifier) }
      return activity.webpageURL.map { ($0, .webpageURL) }
    }
  }

  /// The URL that says what kind of file the event is about.
  var fileURL: (string: String, field: Field)? {
    switch content {
    case .url(let url): (url, .url)
    case .activity(let activity): activity.webpageURL.map { ($0, .webpageURL) }
    }
  }

  /// What the event holds in memory while it is on its way, in bytes.
  package var size: Int {
    let size = encoded.count + (contentType?.utf8.count ?? 0)
    switch content {
    case .url(let url): return size + url.utf8.count
    case .activity(let activity): return size + activity.size
    }
  }

  /// Why the event cannot be routed, if it cannot.
  package func error(under limits: Limits) -> CallError? {
    if let error = limits.error(ofString: contentType) { return error }
    switch content {
    case .url(let url):
      return limits.error(ofURL: url, path: "event.url")
    case .activity(let activity):
      return activity.error(under: limits, path: "event.activity")
    }
  }
}

extension Limits {
  fileprivate func error(ofURL url: String, path: String) -> CallError? {
    if url.utf8.count > urlLength { return .limitExceeded(.urlLength, maximum: urlLength) }
    return URLSyntax.isAbsolute(url) ? nil : .invalidParameter(path: path)
  }
}
