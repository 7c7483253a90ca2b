import SceneClient

/// The events of one click.
///
/// A program that gets a link from the router may send the same link as a new event.
struct Story {
  /// The records of the events, in the order in which the events were sent.
  let records: [EventRecord]

  /// Finds the story of a record among all records.
  init(of record: EventRecord, among all: [EventRecord]) {
    let all = all.inOrder
    var records = [record]
    while let first = records.first, let before = all.last(where: { first.continues($0) }) {
      records.insert(before, at: 0)
    }
    while let last = records.last, let after = all.first(where: { $0.continues(last) }) {
      records.append(after)
    }
    self.records = records
  }

  /// The last event of the story.
  var last: EventRecord { records[records.count - 1] }
}

extension EventRecord {
  /// Whether a program got the link as the event `earlier` and then sent it on as this event.
  ///
  /// The router does not report this, so it is concluded from the records. All these conditions must be met:
  /// - The two events have the same text, and `earlier` was handed to a program.
  /// - No attempt for this event names that program, because the router gives no link back to its sender.
  /// - That program sent this event. If the sender's application is unknown, it is enough that this event was sent
  ///   before the end of `earlier`.
  fileprivate func continues(_ earlier: EventRecord) -> Bool {
    guard decisionID != earlier.decisionID, comparisonString != nil,
      comparisonString == earlier.comparisonString, routed >= earlier.routed,
      let target = earlier.attempts.last, target.sceneID == nil, let program = target.applicationID,
      !attempts.contains(where: { $0.applicationID == program })
    else { return false }
    guard let sender = senderApplicationID else { return earlier.settled.map { routed <= $0 } ?? true }
    return sender == program
  }
}
