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

  @Test func tokenIsAsOldAsItsEvent() throws {
    fixture.install(program: .opensMany)
    try fixture.send("x:a", EventOptions(activationToken: "token"))
    fixture.now += 7
    let request = try start().requests.first
    #expect(request?.activationToken == "token")
    #expect(request?.ageUSec == 7)
  }

  @Test func awareApplicationThatDeclaresNothingOpensTheSceneItWasStartedFor() throws {
    fixture.install()
    try fixture.send("x:a")
    let start = try start()
    try fixture.open(answering: start.requests[0].id)
    #expect(fixture.deliveries.map(\.event) == [Event(.url("x:a"))])
    // A late failure of the first start does not affect the next start.
    try fixture.send("x:b")
    #expect(try self.start().id != start.id)
    fixture.end(start, failure: StartFailure(reason: "late"))
    #expect(fixture.effects.isEmpty)
  }

  @Test func eventsThatComeBeforeTheStartOfAPlainProgramAreTakenTogether() throws {
    fixture.install(program: .opensMany)
    try fixture.send("x:a")
    try fixture.send("x:b")
    let first = try start()
    #expect(!first.isAware)
    #expect(first.requests.map(\.event) == [Event(.url("x:a")), Event(.url("x:b"))])
    #expect(fixture.takeStart() == nil)
    try fixture.send("x:c")
    let second = try start()
    #expect(second.requests.map(\.event) == [Event(.url("x:c"))])
    fixture.end(second)
    #expect(fixture.ends.map(\.result) == [.launched])
    fixture.end(first)
    #expect(fixture.ends.map(\.result) == [.launched, .launched])
  }

  /// A browser gets the link on the command line.
  ///
  /// An extension of the browser declares the application a moment later.
  @Test func plainProgramThatDeclaresItselfIsNotAskedForTheEventsOfItsStart() throws {
    fixture.install(program: .opensMany)
    try fixture.send("x:a")
    let start = try start()
    try fixture.send("x:b")
    #expect(fixture.declare([SceneDeclaration(id: "main")]) == nil)
    #expect(fixture.requests.map(\.event) == [Event(.url("x:b"))])
    fixture.end(start)
    #expect(fixture.ends.map(\.result) == [.launched])
  }

  @Test func programThatOpensOneThingIsStartedForEach() throws {
    fixture.install(program: .opensOne)
    try fixture.send("x:a")
    try fixture.send("x:b")
    let starts = try [start(), start()]
    #expect(starts.map { $0.requests.map(\.event) } == [[Event(.url("x:a"))], [Event(.url("x:b"))]])
    #expect(fixture.takeStart() == nil)
    fixture.end(starts[0], failure: StartFailure(reason: "It is broken."))
    #expect(fixture.ends.map(\.result) == [.launchFailed])
    fixture.end(starts[1])
    #expect(fixture.ends.map(\.result) == [.launched])
  }

  @Test func plainProgramIsStartedForOneKindOfSceneAtATime() throws {
    let scenes = ["x:a", "x:b"].map { SceneDeclaration(id: $0, matching: [$0]) }
    fixture.install(scenes, program: .opensMany)
    for url in ["x:a1", "x:b1", "x:a2"] { try fixture.send(url) }
    #expect(try start().requests.map(\.event) == [Event(.url("x:a1")), Event(.url("x:a2"))])
    #expect(try start().requests.map(\.event) == [Event(.url("x:b1"))])
  }

  @Test func eventsOfTheSameTextAreOneForAPlainApplication() throws {
    fixture.install(program: .opensMany)
    try fixture.send("x:a")
    try fixture.send("X:A")
    let start = try start()
    #expect(start.requests.count == 1)
    fixture.end(start)
    #expect(fixture.ends.map(\.result) == [.launched, .launched])
  }

  @Test(arguments: [ApplicationDeclaration.Program.aware, .opensMany])
  func failedStartIsTheReasonAndTheNextEventTriesAfresh(_ program: ApplicationDeclaration.Program) throws {
    let fixture = RouterFixture()
    fixture.install(program: program)
    try fixture.send("x:a")
    try fixture.send("x:b")
    let first = try #require(fixture.takeStart())
    fixture.end(first, failure: StartFailure(reason: "It is broken."))
    #expect(fixture.ends.map(\.result) == [.launchFailed, .launchFailed])
    #expect(fixture.ends.map { $0.settlement?.reason } == ["It is broken.", "It is broken."])
    try fixture.send("x:c")
    #expect(fixture.starts == ["app"])
    let second = try #require(fixture.takeStart())
    // A second report about the failed start does not end the next start.
    fixture.end(first)
    #expect(fixture.effects.isEmpty)
    #expect(second.requests.map(\.event) == [Event(.url("x:c"))])
  }

  @Test(arguments: [true, false])
  func failedStartCanEndItsEvents(endsEvents: Bool) throws {
    let fixture = RouterFixture()
    fixture.install([SceneDeclaration(id: "one", matching: ["a"]), SceneDeclaration(id: "two")])
    try fixture.send("x:a")
    let start = try #require(fixture.takeStart())
    fixture.end(start, failure: StartFailure(reason: "There is no terminal.", endsEvents: endsEvents))
    #expect(fixture.ends.map(\.result) == (endsEvents ? [.launchFailed] : []))
    #expect((fixture.takeStart() == nil) == endsEvents)
  }

  @Test func failedStartEndsNoOther() throws {
    fixture.install(program: .opensMany)
    try fixture.send("x:a")
    let first = try start()
    try fixture.send("x:b")
    let second = try start()
    fixture.end(first, failure: StartFailure(reason: "It is broken."))
    #expect(fixture.ends.count == 1)
    fixture.end(second)
    #expect(fixture.ends.map(\.result) == [.launched])
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
