import SceneClient

/// The events of one click: a program that gets a link may send it again, as a new event.
struct LinkHistory {
  /// In the order in which the events were sent.
  let records: [EventRecord]

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

  var last: EventRecord { records[records.count - 1] }
}

extension EventRecord {
  /// Whether a program got the link as `earlier` and then sent it on as this event.
  ///
  /// The router does not report this. The texts have to be the same, and `earlier` handed to a program that sent this
  /// event. That program is in no attempt of this event, because the router gives no link back to its sender. If the
  /// sender's application is unknown, this event was at least sent before the end of `earlier`. What the user answers in
  /// the window of scened-desktop is sent by this window, and not by the program that asks for it.
  fileprivate func continues(_ earlier: EventRecord) -> Bool {
    guard decisionID != earlier.decisionID, comparisonString != nil,
      comparisonString == earlier.comparisonString, routed >= earlier.routed,
      let target = earlier.attempts.last, target.sceneID == nil, let program = target.applicationID,
      !attempts.contains(where: { $0.applicationID == program })
    else { return false }
    if target.isQuestion, isSentByDesktop { return true }
    guard let sender = senderApplicationID else { return earlier.settled.map { routed <= $0 } ?? true }
    return sender == program
  }
}
