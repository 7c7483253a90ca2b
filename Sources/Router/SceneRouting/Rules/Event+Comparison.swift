extension Activity {
  var size: Int {
    let texts = [targetContentIdentifier, webpageURL, title]
    return activityType.utf8.count + (userInfo?.bytes.count ?? 0)
      + texts.reduce(0) { $0 + ($1?.utf8.count ?? 0) }
  }

  func error(under limits: Limits, path: String) -> CallError? {
    if activityType.isEmpty { return .invalidParameter(path: "\(path).activityType") }
    if let size = userInfo?.bytes.count, size > limits.userInfoSize {
      return .limitExceeded(.userInfoSize, maximum: limits.userInfoSize)
    }
    return limits.error(ofString: activityType) ?? limits.error(ofString: title)
      ?? limits.error(ofIdentifier: targetContentIdentifier)
      ?? webpageURL.flatMap { limits.error(ofURL: $0, path: "\(path).webpageURL") }
  }
}

extension Event {
  /// The names are those of `matchedField` in the routing contract.
  package enum Field: String, Sendable {
    case url
    case resolvedURL = "resolvedUrl"
    case targetContentIdentifier
    case webpageURL
    /// The MIME type that the sender gave.
    case contentType
  }

  /// The string in which the router looks for identifiers; a URL is exactly as it was sent.
  package var comparison: (string: String, field: Field)? {
    switch content {
    case .url(let url): return (url, .url)
    case .activity(let activity):
      if let identifier = activity.targetContentIdentifier { return (identifier, .targetContentIdentifier) }
      return activity.webpageURL.map { ($0, .webpageURL) }
    }
  }

  /// The URL that is compared with shown URLs, and that has the name of the file.
  var fileURL: (string: String, field: Field)? {
    switch content {
    case .url(let url): (url, .url)
    case .activity(let activity): activity.webpageURL.map { ($0, .webpageURL) }
    }
  }

  var resolved: (string: String, field: Field)? { resolvedURL.map { ($0, .resolvedURL) } }

  /// Whether the comparison string or the resolved URL contains `text` byte for byte.
  func contains(_ text: String) -> Bool {
    comparison?.string.utf8.span.contains(text.utf8.span) == true
      || resolvedURL?.utf8.span.contains(text.utf8.span) == true
  }

  /// The bytes that are charged while the event is on its way.
  package var size: Int {
    let size = encoded.count + (contentType?.utf8.count ?? 0) + (resolvedURL?.utf8.count ?? 0)
    switch content {
    case .url(let url): return size + url.utf8.count
    case .activity(let activity): return size + activity.size
    }
  }

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
  func contains(_ text: Span<UInt8>) -> Bool {
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
