/// The parts of an event that distinguish it from another event with the same `eventId`.
///
/// The title and the `userInfo` of an activity are not among these parts.
///
/// Bytes are compared, because Swift treats canonically equivalent texts as equal. Source: "`eventId`" in the
/// routing contract.
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

  /// The number of bytes of the texts.
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
