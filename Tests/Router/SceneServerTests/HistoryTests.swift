import Glibc
import RouterInterface
import TestSupport
import Testing
import UnixSocket

@testable import SceneRouting
@testable import SceneServer

/// Tests of `ListRecords` and `ClearRecords`.
@Suite struct HistoryTests {
  @Test(arguments: RouterUnderTest.Kind.allCases)
  func recordHasEachAttemptInOrder(_ kind: RouterUnderTest.Kind) throws {
    let router = try RouterUnderTest(kind)
    let first = try router.open(preferring: ["one"])
    let second = try router.open()
    let sender = try router.send(Wire.SendEventCall(event: Event(.url("test:one")), eventID: "mine"))
    try first.decline(first.delivery(), reason: "busy")
    try second.acknowledgeNext()
    let outcome = try sender.outcome()
    let record = try #require(try router.call(Wire.ListRecordsCall()).records.first)
    #expect(record.decisionID == outcome.decision.decisionID)
    #expect((record.eventID, record.comparisonString) == ("mine", "test:one"))
    #expect(record.senderProcessID == Int64(getpid()))
    #expect(record.senderName == RunningProcess(reading: getpid()).name)
    #expect(record.attempts.map(\.rule) == [.preferring, .allowing])
    #expect(record.attempts.map(\.matchedPattern) == ["one", "*"])
    #expect(record.attempts.map(\.sceneID) == [first.id, second.id])
    #expect(record.attempts.map(\.applicationID) == ["app", "app"])
    #expect(record.attempts.map(\.applicationBecause) == [.only, .only])
    #expect(record.attempts.map(\.result) == [.declined, .acknowledged])
    #expect(record.attempts.map(\.reason) == ["busy", nil])
    #expect(record.attempts.map(\.generation) == [outcome.decision.generation, outcome.decision.generation])
    #expect(try #require(record.settledUSec) >= record.routedUSec)
  }

  @Test(arguments: RouterUnderTest.Kind.allCases)
  func eventUnderWayHasNoResult(_ kind: RouterUnderTest.Kind) throws {
    let router = try RouterUnderTest(kind)
    let scene = try router.open()
    let waiting = try router.send("test:waiting")
    let delivery = try scene.delivery()
    let ended = try router.send("test:nowhere?application=none")
    try scene.acknowledgeNext()
    _ = try ended.outcome()
    let records = try router.call(Wire.ListRecordsCall()).records
    #expect(records.map(\.comparisonString) == ["test:nowhere", "test:waiting"])
    #expect(records.map { $0.settledUSec == nil } == [false, true])
    #expect(records[1].attempts.map(\.result) == [nil])
    try scene.decline(delivery)
    _ = try waiting.failure()
  }

  @Test func eventsAreListedInTheOrderOfTheirRouting() throws {
    let router = try RouterUnderTest()
    let scene = try router.open()
    let senders = try (1...4).map { try router.send("test:\($0)") }
    let deliveries = try (1...4).map { _ in try scene.delivery() }
    for end in [3, 1, 2] {
      try router.call(scene.acknowledgement(of: deliveries[end - 1]))
      _ = try senders[end - 1].outcome()
      let records = try router.call(Wire.ListRecordsCall()).records
      #expect(records.map(\.comparisonString) == ["test:4", "test:3", "test:2", "test:1"])
    }
    let newest = try router.call(Wire.ListRecordsCall(limit: 2)).records
    #expect(newest.map(\.comparisonString) == ["test:4", "test:3"])
    try router.call(scene.acknowledgement(of: deliveries[3]))
    _ = try senders[3].outcome()
  }

  @Test(arguments: RouterUnderTest.Kind.allCases)
  func eventThatWasNotRoutedHasTheDecisionThatSaidSo(_ kind: RouterUnderTest.Kind) throws {
    let router = try RouterUnderTest(kind)
    _ = try router.failure(of: Wire.SendEventCall.url("test:one"))
    let record = try #require(try router.call(Wire.ListRecordsCall()).records.first)
    #expect(record.attempts.map(\.statedResult?.rawValue) == ["notRouted"])
    #expect(record.attempts.map(\.rule) == [nil])
    #expect(record.settledUSec != nil)
  }

  @Test(arguments: RouterUnderTest.Kind.allCases)
  func recordsAreFoundByTheirIDs(_ kind: RouterUnderTest.Kind) throws {
    let router = try RouterUnderTest(kind)
    for id in 1...30 {
      let event = Event(.url("test:\(id)"))
      _ = try router.failure(of: Wire.SendEventCall(event: event, eventID: "id \(id)"))
    }
    func found(_ call: Wire.ListRecordsCall) throws -> [String?] {
      try router.call(call).records.map(\.eventID)
    }
    #expect(try found(Wire.ListRecordsCall()) == (11...30).reversed().map { "id \($0)" })
    #expect(try found(Wire.ListRecordsCall(limit: 2)) == ["id 30", "id 29"])
    #expect(try found(Wire.ListRecordsCall(limit: 0)) == [])
    #expect(try found(Wire.ListRecordsCall(eventID: "id 3")) == ["id 3"])
    #expect(try found(Wire.ListRecordsCall(eventID: "id 99")) == [])
    let decision = try #require(
      try router.call(Wire.ListRecordsCall(eventID: "id 7")).records.first?.decisionID
    )
    #expect(try found(Wire.ListRecordsCall(decisionID: decision)) == ["id 7"])
    #expect(try found(Wire.ListRecordsCall(decisionID: "nonsense")) == [])
    #expect(try found(Wire.ListRecordsCall(decisionID: decision, eventID: "id 8")) == [])
  }

  @Test(arguments: RouterUnderTest.Kind.allCases)
  func recordsCanBeForgotten(_ kind: RouterUnderTest.Kind) throws {
    let router = try RouterUnderTest(kind)
    _ = try router.failure(of: Wire.SendEventCall.url("test:one"))
    try router.call(Wire.ClearRecordsCall())
    #expect(try router.call(Wire.ListRecordsCall()).records == [])
    _ = try router.failure(of: Wire.SendEventCall.url("test:two"))
    #expect(try router.call(Wire.ListRecordsCall()).records.map(\.comparisonString) == ["test:two"])
  }

  @Test(arguments: RouterUnderTest.Kind.allCases)
  func oneRecordCanBeForgotten(_ kind: RouterUnderTest.Kind) throws {
    let router = try RouterUnderTest(kind)
    for name in ["one", "two", "three"] { _ = try router.failure(of: Wire.SendEventCall.url("test:\(name)")) }
    let second = try router.call(Wire.ListRecordsCall()).records[1].decisionID
    for id in [second, second, "nonsense"] { try router.call(Wire.ClearRecordsCall(decisionID: id)) }
    #expect(
      try router.call(Wire.ListRecordsCall()).records.map(\.comparisonString) == ["test:three", "test:one"]
    )
  }

  @Test func recordsOfADayAreBounded() {
    var history = EventHistory(.full)
    for number in 1...5 {
      history.add(earlier: EventRecord(decisionID: "d1-\(number)", routedUSec: 0, attempts: []), length: 60)
    }
    for number in 1...25_000 { history.add(summary(number)) }
    #expect(history.newestFirst.map { $0.id?.rawValue } == (15_001...25_000).reversed())
    #expect(history[DecisionID(rawValue: 15_000)] == nil)
    #expect(history[DecisionID(rawValue: 15_001)]?.id.rawValue == 15_001)
    #expect(history[DecisionID(rawValue: 25_000)]?.id.rawValue == 25_000)
    #expect(history[DecisionID(rawValue: 25_001)] == nil)
    let text = String(repeating: "x", count: 1000)
    for number in 25_001...45_000 { history.add(summary(number, text)) }
    let kept = history.newestFirst.map { $0.id?.rawValue }
    #expect(kept.count < 8500 && kept.count > 5000)
    #expect(kept.first == 45_000)
  }

  private func summary(_ number: Int, _ text: String? = nil) -> EventSummary {
    EventSummary(
      id: DecisionID(rawValue: UInt64(number)),
      eventID: nil,
      text: text,
      sender: nil,
      routedUSec: 0,
      settledUSec: 0,
      earlierAttempts: [],
      lastAttempt: EventSummary.Attempt(Decision(generation: 1), nil, .full)
    )
  }

  @Test(
    arguments: [
      (HistoryDetail.short, "https://user:pw@example.org/a?b=c#d", "https://example.org/a"),
      (.short, "https://example.org/a@b", "https://example.org/a@b"),
      (.short, "https://example.org#d?e", "https://example.org"),
      (.short, "https://example.org/a?x=https://u@h/", "https://example.org/a"),
      (.short, "https://a@b@example.org", "https://example.org"),
      (.short, "mailto:someone@example.org?subject=s", "mailto:someone@example.org"),
      (.short, "test:\(String(repeating: "ä", count: 600))", "test:\(String(repeating: "ä", count: 509))…"),
      (.full, "https://user:pw@example.org/a?b=c#d", "https://user:pw@example.org/a?b=c#d"),
      (.off, "https://example.org/a", nil),
    ] as [(HistoryDetail, String, String?)]
  )
  func recordHoldsOfAURLWhatItMay(_ detail: HistoryDetail, _ url: String, _ text: String?) throws {
    let router = try RouterUnderTest(history: detail)
    let scene = try router.open()
    let sender = try router.send(url)
    let underWay = try router.call(Wire.ListRecordsCall()).records
    #expect(underWay.map(\.comparisonString) == [text])
    #expect(underWay.map { $0.attempts[0].matchedPattern } == [detail == .off ? nil : "*"])
    try scene.acknowledgeNext()
    _ = try sender.outcome()
    let ended = try router.call(Wire.ListRecordsCall()).records
    #expect(ended.map(\.comparisonString) == (detail == .off ? [] : [text]))
  }

  /// An identifier that is not a URL has no query; a `?` in such an identifier is an ordinary character.
  @Test(arguments: [("photo?4711", "photo?4711"), ("https://u@example.org/a?b", "https://example.org/a")])
  func identifierOfAnActivityIsKeptUnlessItIsAURL(_ identifier: String, _ text: String) throws {
    let router = try RouterUnderTest(.inProcess)
    let activity = Activity(activityType: "a", targetContentIdentifier: identifier, title: "secret")
    _ = try router.failure(of: Wire.SendEventCall(event: Event(.activity(activity))))
    #expect(try router.call(Wire.ListRecordsCall()).records.map(\.comparisonString) == [text])
  }
}
