/// An activity of a user, modelled after `NSUserActivity`.
package struct Activity: Hashable, Sendable {
  /// The reverse-DNS name of the kind of activity.
  package var activityType: String
  /// A string that identifies the content of the activity.
  ///
  /// The router matches identifiers against this string. If the string is `nil`, the router uses ``webpageURL``
  /// instead. An empty string is not replaced in this way.
  package var targetContentIdentifier: String?
  /// The absolute URL that shows the content of the activity in a web browser.
  package var webpageURL: String?
  /// The title for people.
  package var title: String?
  /// The application's data as received, which the router never reads.
  package var userInfo: [UInt8]?
  /// Whether other machines may continue the activity.
  ///
  /// The router hands this value on unchanged.
  package var isEligibleForHandoff: Bool?

  /// Makes an activity, which is checked when its event is routed.
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

  /// The bytes that the activity holds in memory.
  var size: Int {
    let texts = [targetContentIdentifier, webpageURL, title]
    return activityType.utf8.count + (userInfo?.count ?? 0) + texts.reduce(0) { $0 + ($1?.utf8.count ?? 0) }
  }

  /// The error for which the activity is refused; `nil` if the activity is valid.
  ///
  /// `path` is the activity's place in the call.
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

/// The event to route.
package struct Event: Hashable, Sendable {
  /// A URL or an activity.
  package enum Content: Hashable, Sendable {
    case url(String)
    // An activity is many times as large as a URL. `indirect` stores it elsewhere, so that an event with a URL stays
    // small.
    indirect case activity(Activity)
  }

  /// The fields that most events lack.
  private final class RareFields: Sendable {
    let resolvedURL: String?
    let line: Int64?
    let column: Int64?

    init(_ resolvedURL: String?, line: Int64?, column: Int64?) {
      (self.resolvedURL, self.line, self.column) = (resolvedURL, line, column)
    }
  }

  /// The name of an event's field, as ``Decision/matchedField`` reports it.
  package enum Field: String, Sendable {
    case url
    case resolvedURL = "resolvedUrl"
    case targetContentIdentifier
    case webpageURL
    /// The MIME type that the sender gave; document groups with MIME types are compared with this field.
    case contentType
  }

  /// The content of the event.
  package let content: Content
  /// The MIME type of the URL's document, if the sender knows it.
  package let contentType: String?
  /// The fields that most events lack; `nil` if the event has none of them.
  ///
  /// They are in a separate object, so that an event without them needs less memory.
  private let rareFields: RareFields?
  /// The event as its sender wrote it.
  ///
  /// These bytes are handed on unchanged. The rules read only the other fields.
  package let encoded: [UInt8]

  /// Makes an event; the router checks the event when routing it.
  package init(
    _ content: Content,
    resolvedURL: String? = nil,
    contentType: String? = nil,
    line: Int64? = nil,
    column: Int64? = nil,
    encoded: [UInt8] = []
  ) {
    self.content = content
    self.contentType = contentType
    let hasRareFields = resolvedURL != nil || line != nil || column != nil
    rareFields = hasRareFields ? RareFields(resolvedURL, line: line, column: column) : nil
    self.encoded = encoded
  }

  /// The `file:` URL without symbolic links, if the event's URL leads through any.
  ///
  /// It names the same file as the event's URL. Identifiers and shown URLs match the event if they match one of both.
  package var resolvedURL: String? { rareFields?.resolvedURL }

  /// The line of the document to show, counted from 1.
  ///
  /// The line and the ``column`` take no part in routing.
  package var line: Int64? { rareFields?.line }

  /// The column in the line, counted from 1.
  package var column: Int64? { rareFields?.column }

  /// Whether two events have the same content.
  ///
  /// Their encodings may differ.
  package static func == (left: Event, right: Event) -> Bool {
    left.content == right.content && left.contentType == right.contentType
      && left.resolvedURL == right.resolvedURL && left.line == right.line && left.column == right.column
  }

  /// Hashes the content of the event.
  package func hash(into hasher: inout Hasher) {
    hasher.combine(content)
    hasher.combine(contentType)
  }

  /// The comparison string, in which the router looks for identifiers, and the field that the string comes from.
  ///
  /// The comparison string of a URL is the URL exactly as it was sent. The comparison string of an activity is its
  /// `targetContentIdentifier`, or its `webpageURL` if `targetContentIdentifier` is `nil`. If both fields are `nil`,
  /// the activity has no comparison string.
  package var comparison: (string: String, field: Field)? {
    switch content {
    case .url(let url): return (url, .url)
    case .activity(let activity):
      if let identifier = activity.targetContentIdentifier { return (identifier, .targetContentIdentifier) }
      return activity.webpageURL.map { ($0, .webpageURL) }
    }
  }

  /// The event's own URL, which is compared with the URLs that scenes show.
  ///
  /// The name of the file, with its extension, also comes from this URL.
  var fileURL: (string: String, field: Field)? {
    switch content {
    case .url(let url): (url, .url)
    case .activity(let activity): activity.webpageURL.map { ($0, .webpageURL) }
    }
  }

  /// The resolved URL, and the name of its field.
  var resolved: (string: String, field: Field)? { resolvedURL.map { ($0, .resolvedURL) } }

  /// Whether the comparison string or the resolved URL contains a text byte for byte.
  func contains(_ text: String) -> Bool {
    comparison?.string.utf8.span.contains(text.utf8.span) == true
      || resolvedURL?.utf8.span.contains(text.utf8.span) == true
  }

  /// The bytes that the event holds in memory while it is on its way.
  package var size: Int {
    let size = encoded.count + (contentType?.utf8.count ?? 0) + (resolvedURL?.utf8.count ?? 0)
    switch content {
    case .url(let url): return size + url.utf8.count
    case .activity(let activity): return size + activity.size
    }
  }

  /// The error for which the event is refused; `nil` if the event is valid.
  package func error(under limits: Limits) -> CallError? {
    if let error = limits.error(ofString: contentType) { return error }
    if let line, line < 1 { return .invalidParameter(path: "event.line") }
    if let column, line == nil || column < 1 { return .invalidParameter(path: "event.column") }
    switch content {
    case .url(let url):
      return limits.error(ofURL: url, path: "event.url")
        ?? resolvedURL.flatMap { error(of: $0, for: url, limits) }
    case .activity(let activity):
      if resolvedURL != nil { return .invalidParameter(path: "event.resolvedUrl") }
      return activity.error(under: limits, path: "event.activity")
    }
  }

  private func error(of resolvedURL: String, for url: String, _ limits: Limits) -> CallError? {
    if let error = limits.error(ofURL: resolvedURL, path: "event.resolvedUrl") { return error }
    let areFiles = URLSyntax.scheme(of: url) == "file" && URLSyntax.scheme(of: resolvedURL) == "file"
    return areFiles ? nil : .invalidParameter(path: "event.resolvedUrl")
  }
}

extension Span<UInt8> {
  /// Whether another text occurs in this text.
  fileprivate func contains(_ text: Span<UInt8>) -> Bool {
    guard text.count <= count else { return false }
    return (0...count - text.count).contains { start in
      extracting(start..<start + text.count).commonCount(with: text) == text.count
    }
  }
}

extension Limits {
  fileprivate func error(ofURL url: String, path: String) -> CallError? {
    if url.utf8.count > urlLength { return .limitExceeded(.urlLength, maximum: urlLength) }
    return URLSyntax.isAbsolute(url) ? nil : .invalidParameter(path: path)
  }
}
