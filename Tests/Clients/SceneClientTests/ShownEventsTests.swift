import Testing

@testable import SceneClient

@Suite struct ShownEventsTests {
  @Test func onlyTheLatest256EventsAreReported() {
    var events = ShownEvents()
    let ids = (0..<300).map { "e\($0)" }
    for id in ids { events.note(id, "offer of \(id)") }
    #expect(events.ids == Array(ids.suffix(256)))
    events.forget("offer of e299")
    #expect(events.ids.last == "e298")
  }
}
