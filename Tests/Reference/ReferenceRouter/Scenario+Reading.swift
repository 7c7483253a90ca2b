extension Scenario.Event {
  /// The string in which identifiers are searched, and the event's field with this string.
  var comparison: (string: String, field: ReferenceRouter.MatchedField)? {
    switch content {
    case .url(let url): return (url, .url)
    case .activity(let activity):
      if let target = activity.targetContentIdentifier { return (target, .targetContentIdentifier) }
      if let webpage = activity.webpageURL { return (webpage, .webpageURL) }
      return nil
    }
  }

  /// The URL that `showing` entries and document groups are compared with, and the event's field with this URL.
  var document: (url: String, field: ReferenceRouter.MatchedField)? {
    switch content {
    case .url(let url): return (url, .url)
    case .activity(let activity): return activity.webpageURL.map { ($0, .webpageURL) }
    }
  }
}
