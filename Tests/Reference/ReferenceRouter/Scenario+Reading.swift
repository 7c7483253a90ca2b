extension Scenario.Event {
  /// The string that identifiers are looked for in, and where in the event it is.
  var comparison: (string: String, field: ReferenceRouter.MatchedField)? {
    switch content {
    case .url(let url): return (url, .url)
    case .activity(let activity):
      if let target = activity.targetContentIdentifier { return (target, .targetContentIdentifier) }
      if let webpage = activity.webpageURL { return (webpage, .webpageURL) }
      return nil
    }
  }

  /// The URL that document groups look at, and where in the event it is.
  var document: (url: String, field: ReferenceRouter.MatchedField)? {
    switch content {
    case .url(let url): return (url, .url)
    case .activity(let activity): return activity.webpageURL.map { ($0, .webpageURL) }
    }
  }
}
