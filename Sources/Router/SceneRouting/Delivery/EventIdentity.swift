/// What must be the same when an event is sent again; "`eventId`" in the routing contract.
///
/// The texts are compared as bytes, because Swift's `==` ignores differences in Unicode normalisation.
struct EventIdentity {
  private let texts: InlineArray<5, String?>

  init(_ event: Event) {
    switch event.content {
    case .url(let url): texts = [url, nil, nil, nil, event.contentType]
    case .activity(let activity):
      texts = [
        nil, activity.activityType, activity.targetContentIdentifier, activity.webpageURL, event.contentType,
      ]
    }
  }

  var size: Int { texts.indices.reduce(0) { $0 + (texts[$1]?.utf8.count ?? 0) } }

  func isSame(as other: EventIdentity) -> Bool {
    texts.indices.allSatisfy { index in
      switch (texts[index], other.texts[index]) {
      case (nil, nil): true
      case (let text?, let otherText?): text.utf8.elementsEqual(otherText.utf8)
      default: false
      }
    }
  }
}
