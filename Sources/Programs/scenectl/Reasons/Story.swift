import SceneClient

/// The events of one click.
///
/// A program that gets a link from the router may send the same link as a new event.
struct Story {
  /// The records, from the click to the last target.
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
  /// Whether the target program of `earlier` got the link and sent it on in this event.
  ///
  /// The router does not report this fact. The records show the fact if all these conditions are met:
  /// - The two events have the same text, and `earlier` was handed to a program.
  /// - No attempt for this event names the program, because the router passes over the sender.
  /// - The program is the sender of this event. If the sender's application is unknown, this event was sent before the
  ///   end of `earlier`.
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
