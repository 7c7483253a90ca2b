import SceneRouting
import Testing

@Suite struct StartTests {
  let fixture = RouterFixture()

  private func start() throws -> ApplicationStart { try #require(fixture.takeStart()) }

  @Test func applicationOfAFileIsStarted() throws {
    fixture.install()
    try fixture.send("x:a")
    #expect(fixture.starts == ["app"])
    #expect(fixture.requests.isEmpty)
    let start = try start()
    #expect(start.isAware)
    #expect(start.requests.map(\.event) == [Event(.url("x:a"))])
    #expect(start.requests.map(\.declarationID) == ["main"])
  }

  @Test func awareApplicationIsStartedOnceAndThenAskedForAll() throws {
    fixture.install()
    for number in 0..<100 { try fixture.send("x:\(number)") }
    let start = try start()
    #expect(start.requests.map(\.event) == [Event(.url("x:0"))])
    #expect(fixture.takeStart() == nil)
    fixture.end(start)
    try fixture.send("x:100")
    #expect(fixture.takeStart() == nil)
    #expect(fixture.declare([SceneDeclaration(id: "main")]) == nil)
    #expect(fixture.effects.first == .applicationChanged("app"))
    #expect(fixture.requests.map(\.event) == (0...100).map { Event(.url("x:\($0)")) })
    for request in fixture.requests {
      try fixture.open(answering: request.id)
      #expect(fixture.deliveries.map(\.event) == [request.event])
    }
  }

  @Test func awareApplicationThatDeclaresNothingOpensTheSceneItWasStartedFor() throws {
    fixture.install()
    try fixture.send("x:a")
    let start = try start()
    try fixture.open(answering: start.requests[0].id)
    #expect(fixture.deliveries.map(\.event) == [Event(.url("x:a"))])
    // Its start has nothing to do with the next one.
    try fixture.send("x:b")
    #expect(try self.start().id != start.id)
    fixture.end(start, failure: "late")
    #expect(fixture.effects.isEmpty)
  }

  @Test func eventsThatComeBeforeTheStartOfAPlainApplicationAreTakenTogether() throws {
    fixture.install(isAware: false)
    try fixture.send("x:a")
    try fixture.send("x:b")
    let first = try start()
    #expect(!first.isAware)
    #expect(first.requests.map(\.event) == [Event(.url("x:a")), Event(.url("x:b"))])
    try fixture.send("x:c")
    #expect(fixture.takeStart() == nil)
    fixture.end(first)
    #expect(fixture.ends.map(\.result) == [.launched, .launched])
    #expect(fixture.starts == ["app"])
    let second = try start()
    #expect(second.requests.map(\.event) == [Event(.url("x:c"))])
    fixture.end(second)
    #expect(fixture.ends.map(\.result) == [.launched])
    #expect(fixture.starts.isEmpty)
  }

  @Test func plainApplicationIsStartedForOneKindOfSceneAtATime() throws {
    let scenes = ["x:a", "x:b"].map { SceneDeclaration(id: $0, matching: [$0]) }
    fixture.install(scenes, isAware: false)
    for url in ["x:a1", "x:b1", "x:a2"] { try fixture.send(url) }
    let first = try start()
    #expect(first.requests.map(\.event) == [Event(.url("x:a1")), Event(.url("x:a2"))])
    fixture.end(first)
    #expect(try start().requests.map(\.event) == [Event(.url("x:b1"))])
  }

  @Test func eventsOfTheSameTextAreOneForAPlainApplication() throws {
    fixture.install(isAware: false)
    try fixture.send("x:a")
    try fixture.send("X:A")
    let start = try start()
    #expect(start.requests.count == 1)
    fixture.end(start)
    #expect(fixture.ends.map(\.result) == [.launched, .launched])
  }

  @Test(arguments: [true, false])
  func failedStartIsTheReasonAndTheNextEventTriesAfresh(isAware: Bool) throws {
    let fixture = RouterFixture()
    fixture.install(isAware: isAware)
    try fixture.send("x:a")
    try fixture.send("x:b")
    let first = try #require(fixture.takeStart())
    fixture.end(first, failure: "It is broken.")
    #expect(fixture.ends.map(\.result) == [.launchFailed, .launchFailed])
    #expect(fixture.ends.map { $0.settlement?.reason } == ["It is broken.", "It is broken."])
    try fixture.send("x:c")
    #expect(fixture.starts == ["app"])
    let second = try #require(fixture.takeStart())
    // The end of a start that was given up is not that of the next one.
    fixture.end(first)
    #expect(fixture.effects.isEmpty)
    #expect(second.requests.map(\.event) == [Event(.url("x:c"))])
  }

  @Test func eventThatComesWhileAPlainApplicationFailsIsTriedOnItsOwn() throws {
    fixture.install(isAware: false)
    try fixture.send("x:a")
    let first = try start()
    try fixture.send("x:b")
    fixture.end(first, failure: "It is broken.")
    #expect(fixture.ends.count == 1)
    #expect(fixture.starts == ["app"])
    #expect(try start().requests.map(\.event) == [Event(.url("x:b"))])
  }

  @Test(arguments: [UInt64(1), 10_000_000, 60_000_000, 90_000_000])
  func startGetsAMinuteAtLeast(timeoutUSec: UInt64) throws {
    let fixture = RouterFixture()
    fixture.install()
    try fixture.send("x:a", .timeout(timeoutUSec))
    let time = max(timeoutUSec, 60_000_000)
    #expect(fixture.takeStart()?.requests.map(\.timeoutUSec) == [time])
    fixture.advance(by: time - 1)
    #expect(fixture.ends.isEmpty)
    fixture.advance(by: 1)
    #expect(fixture.ends.map(\.result) == [.launchFailed])
  }

  @Test func applicationThatIsConnectedGetsTheTimeThatTheSenderGives() throws {
    fixture.install()
    #expect(fixture.declare([SceneDeclaration(id: "main")]) == nil)
    try fixture.send("x:a", .timeout(5))
    #expect(fixture.starts.isEmpty)
    #expect(fixture.requests.map(\.timeoutUSec) == [5])
  }

  @Test func reasonSaysWhetherTheProgramWasStarted() throws {
    fixture.install()
    try fixture.send("x:a")
    _ = try start()
    fixture.advance(by: 60_000_000)
    #expect(fixture.ends.map { $0.settlement?.reason } == ["The program was not started in time."])
    try fixture.send("x:b")
    fixture.end(try start())
    fixture.advance(by: 60_000_000)
    #expect(
      fixture.ends.map { $0.settlement?.reason } == [
        "The program was started, and did not open the scene in time."
      ]
    )
  }

  @Test func nothingIsStartedOnceNobodyWaits() throws {
    fixture.install()
    try fixture.send("x:a")
    fixture.advance(by: 60_000_000)
    #expect(fixture.takeStart() == nil)
  }

  @Test func nothingIsStartedOnceTheApplicationIsConnected() throws {
    fixture.install()
    try fixture.send("x:a")
    #expect(fixture.declare([SceneDeclaration(id: "main")]) == nil)
    #expect(fixture.requests.count == 1)
    #expect(fixture.takeStart() == nil)
  }

  @Test func applicationThatLeftIsStartedAgain() throws {
    fixture.install()
    #expect(fixture.declare([SceneDeclaration(id: "main")]) == nil)
    try fixture.send("x:a")
    fixture.withdraw("app")
    #expect(fixture.ends.map(\.result) == [.launchFailed])
    try fixture.send("x:b")
    #expect(fixture.starts == ["app"])
  }

  @Test func declarationDuringAStartBeginsAnew() throws {
    fixture.install()
    try fixture.send("x:a")
    let start = try start()
    #expect(fixture.declare([SceneDeclaration(id: "main")]) == nil)
    try fixture.open(answering: start.requests[0].id)
    fixture.withdraw("app")
    try fixture.send("x:b")
    #expect(try self.start().requests.map(\.event) == [Event(.url("x:b"))])
  }
}
