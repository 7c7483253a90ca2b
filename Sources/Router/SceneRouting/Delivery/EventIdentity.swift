/// The parts of an event that must be the same when the event is sent again with the same `eventId`.
///
/// If one of these parts differs, the sender has used the `eventId` for two different events. The title and the
/// `userInfo` of an activity are not compared.
///
/// The parts are compared as bytes, because Swift's `==` ignores differences in Unicode normalisation.
///
/// Source: "`eventId`" in the routing contract.
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
