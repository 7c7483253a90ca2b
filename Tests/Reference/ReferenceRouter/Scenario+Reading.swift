extension Scenario.Event {
  /// The string that identifiers are compared with, and the field of the event that holds the string.
  var comparison: (string: String, field: ReferenceRouter.MatchedField)? {
    switch content {
    case .url(let url): return (url, .url)
    case .activity(let activity):
      if let target = activity.targetContentIdentifier { return (target, .targetContentIdentifier) }
      if let webpage = activity.webpageURL { return (webpage, .webpageURL) }
      return nil
    }
  }

  /// The URL that `showing` entries and document groups are compared with, and the field of the event that holds it.
  var document: (url: String, field: ReferenceRouter.MatchedField)? {
    switch content {
    case .url(let url): return (url, .url)
    case .activity(let activity): return activity.webpageURL.map { ($0, .webpageURL) }
    }
  }
}
