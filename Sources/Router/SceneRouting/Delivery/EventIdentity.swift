/// What distinguishes an event from another one with the same id; neither its title nor its `userInfo` does.
///
/// Bytes are compared, as Swift would take two spellings of one text for the same. Source: "`eventId`" in the routing
/// contract.
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

  /// Bytes of the texts.
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
