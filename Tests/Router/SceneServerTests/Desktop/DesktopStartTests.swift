import Foundation
import RouterInterface
import TestSupport
import Testing
import Varlink

/// Programs that the daemon starts, as its children.
@Suite(.blocking) struct DesktopStartTests {
  private let desktop: DesktopDaemon
  /// The pipe to which a program reports its start.
  private let report: String

  init() throws {
    desktop = try DesktopDaemon()
    report = desktop.path("report")
    guard mkfifo(report, 0o600) == 0 else { throw Overdue("There is no FIFO.") }
  }

  private var reporting: String { "\(SpawnedProgram.buildDirectory)/ReportHowStarted \(report)" }

  /// Calls `start`, which makes the daemon start a program; returns the lines that the program reports.
  private func nextReport(while start: () throws -> Void) throws -> [String] {
    let reader = try SpawnedProgram("/bin/cat", [report])
    try start()
    try reader.outputLine(containing: "end")
    return reader.outputText.split(separator: "\n").map(String.init)
  }

  @Test(arguments: ["x:plain", "x:$(touch${IFS}/nonexistent)`id`'\"%f%%--option;|&<>\\"])
  func plainProgramGetsTheEventInItsArguments(_ url: String) throws {
    try desktop.install("plain", exec: "\(reporting) --open %u", "MimeType=x-scheme-handler/x;")
    try desktop.start()
    let sender = try desktop.connect()
    let lines = try nextReport { try sender.send(Wire.SendEventCall.url(url)) }
    // The report has two backslashes for each backslash of the argument.
    let argument = url.replacing(#"\"#, with: #"\\"#)
    let arguments = lines.filter { $0.hasPrefix("argument ") }
    #expect(arguments.dropFirst() == ["argument --open", "argument \(argument)"])
    let outcome = try sender.reply(to: Wire.SendEventCall.self)
    #expect(outcome.decision?.target == .newScene)
    #expect(outcome.settlement?.result == .launched)
    let event = "variable SCENED_EVENT=\(outcome.settlement?.decisionID ?? "")"
    let socket = "variable SCENED_SOCKET=\(desktop.socket)"
    #expect(lines.filter { $0.hasPrefix("variable SCENED_") } == [socket, event])
  }

  @Test func plainProgramOpensAFileAtTheLineOfTheEvent() throws {
    try desktop.install(
      "plain",
      exec: "\(reporting) %F",
      "MimeType=text/plain;",
      "X-Scened-ExecLine=\(reporting) %f:%l:%C"
    )
    try desktop.start()
    let sender = try desktop.connect()
    for (line, column, argument) in [(7, 3, "/a b:7:3"), (7, nil, "/a b:7:1"), (nil, nil, "/a b")]
      as [(Int?, Int?, String)]
    {
      let event = Event(.url("file:///a%20b"), contentType: "text/plain", line: line, column: column)
      let lines = try nextReport { try sender.send(Wire.SendEventCall(event: event)) }
      #expect(lines.filter { $0.hasPrefix("argument ") }.dropFirst() == ["argument \(argument)"])
      #expect(try sender.reply(to: Wire.SendEventCall.self).settlement?.result == .launched)
    }
  }

  @Test func awareProgramAnswersTheRequestInItsEnvironment() throws {
    try desktop.install("aware", exec: reporting, "MimeType=x-scheme-handler/x;", "X-Scened-Aware=true")
    try desktop.start()
    let sender = try desktop.connect()
    let lines = try nextReport { try sender.send(Wire.SendEventCall.url("x:1")) }
    func value(_ name: String) -> String? {
      let start = "variable \(name)="
      return lines.first { $0.hasPrefix(start) }.map { String($0.dropFirst(start.count)) }
    }
    #expect(value("SCENED_SOCKET") == desktop.socket)
    #expect(value("SCENED_DECLARATION") == "main")
    let scene = try desktop.connect()
    let context = SceneContext(applicationID: "aware")
    try scene.send(Wire.OpenSceneCall(context: context, openRequestID: value("SCENED_OPEN_REQUEST")), .more)
    guard case .opened(let opened) = try scene.reply(to: Wire.OpenSceneCall.self),
      case .delivery(let delivery) = try scene.reply(to: Wire.OpenSceneCall.self)
    else { throw Overdue("The scene got no event.") }
    #expect(delivery.event.url == "x:1")
    let acknowledgement = Wire.AcknowledgeDeliveryCall(
      sceneHandle: opened.sceneHandle,
      deliveryID: delivery.deliveryID
    )
    _ = try desktop.connect().call(acknowledgement)
    #expect(try sender.reply(to: Wire.SendEventCall.self).settlement?.sceneID == opened.sceneID)
  }

  /// A hundred events arrive before the program has declared itself.
  ///
  /// One process starts and gets all events in order.
  @Test func awareProgramIsStartedOnceForAll() throws {
    let (starts, gate) = (desktop.path("starts"), desktop.path("gate"))
    let waits = "until [ -e \(gate) ]; do sleep 0.02; done"
    let scenectl = "\(SpawnedProgram.buildDirectory)/scenectl declare --json --application aware"
    try desktop.install(
      "aware",
      exec: #"/bin/sh -c "echo start >>\#(starts); \#(waits); exec \#(scenectl) --scene main""#,
      "MimeType=x-scheme-handler/x;",
      "X-Scened-Aware=true",
      "X-Scened-SingleScene=true"
    )
    try desktop.start()
    let sender = try desktop.connect()
    try desktop.waitForDecisions(100) {
      for number in 0..<100 { try sender.send(Wire.SendEventCall.url("x:\(number)")) }
    }
    try desktop.write("gate", "")
    let outcomes = try (0..<100).map { _ in try sender.reply(to: Wire.SendEventCall.self) }
    #expect(outcomes.allSatisfy { $0.settlement?.result == .acknowledged })
    #expect(Set(outcomes.map { $0.settlement?.sceneID }).count == 1)
    #expect(FileManager.default.contents(atPath: starts) == Data("start\n".utf8))
    let program = try #require(desktop.program)
    try program.outputLine(containing: #""x:99""#)
    let urls = program.outputText.split(separator: "\n").compactMap { line in
      line.firstRange(of: #""url":"x:"#).map { Int(line[$0.upperBound...].prefix(while: \.isNumber)) }
    }
    #expect(urls == Array(0..<100))
  }

  /// A daemon ends while the program that it has started for an event is still starting.
  ///
  /// The sender sends the event again. The next daemon waits for the program, and does not start it a second time.
  @Test(arguments: [SIGKILL, SIGTERM])
  func aProgramThatIsStillStartingIsStartedOnceOverARestart(_ signal: CInt) throws {
    let (starts, gate) = (desktop.path("starts"), desktop.path("gate"))
    let scenectl = "\(SpawnedProgram.buildDirectory)/scenectl declare --json --application aware --scene main"
    let waits = "until [ -e \(gate) ]; do sleep 0.02; done"
    try desktop.install(
      "aware",
      exec: #"/bin/sh -c "echo start >>\#(starts); echo end >\#(report); \#(waits); exec \#(scenectl)""#,
      "MimeType=x-scheme-handler/x;",
      "X-Scened-Aware=true"
    )
    let state = ["RUNTIME_DIRECTORY": desktop.path("state")]
    try desktop.start(with: state)
    let call = Wire.SendEventCall(event: Event(.url("x:1")), eventID: "e")
    let sender = try desktop.connect()
    _ = try nextReport { try sender.send(call) }
    let first = try #require(desktop.program)
    first.send(signal: signal)
    try first.waitForEnd()
    let restarted = ContinuousClock.now
    try desktop.start(with: state)
    let again = try desktop.connect()
    try again.send(call)
    #expect(try desktop.connect().call(Wire.GetStatisticsCall()).missing == 1)
    try desktop.write("gate", "")
    #expect(try again.reply(to: Wire.SendEventCall.self).settlement?.result == .acknowledged)
    // The router waits 2 s for the program. A busy machine may need longer to start the program.
    let isInTime = restarted.duration(to: .now) < .seconds(2)
    let startsOfAll = FileManager.default.contents(atPath: starts)
    #expect(startsOfAll == Data("start\n".utf8) || !isInTime)
    #expect(try desktop.connect().call(Wire.ListScenesCall()).scenes.count == 1)
    #expect(try desktop.connect().call(Wire.GetStatisticsCall()).missing == nil)
  }

  @Test(arguments: [
    ("/nonexistent/program %u", "There is no program '/nonexistent/program'."),
    ("/etc/passwd %u", "'/etc/passwd' is not executable."),
    (
      #"/bin/sh -c "exit 3" %u"#,
      "'/bin/sh' ended at once with status 3. Its messages are in the output of scened."
    ),
    (
      #"/bin/sh -c "kill -9 \\$\\$" %u"#,
      "'/bin/sh' was killed at once by signal 9 (Killed). Its messages are in the output of scened."
    ),
  ])
  func whyThereIsNoProgramIsTheReason(_ exec: String, _ reason: String) throws {
    try desktop.install("broken", exec: exec, "MimeType=x-scheme-handler/x;")
    try desktop.start()
    let failure = try desktop.connect().failure(of: Wire.SendEventCall.url("x:1"))
    guard case .launchFailed(_, let settlement, _) = failure else {
      throw Overdue("It ended as \(failure).")
    }
    #expect(settlement.reason == reason)
  }

  @Test func nextEventTriesAfresh() throws {
    let program = desktop.path("program")
    // /bin/sh reads the script. Executing the script itself fails while another process has the file open for writing,
    // and the new process of another test may have inherited the open file.
    try desktop.install("late", exec: "/bin/sh \(program) %u", "MimeType=x-scheme-handler/x;")
    try desktop.start()
    let sender = try desktop.connect()
    guard case .launchFailed = try sender.failure(of: Wire.SendEventCall.url("x:1")) else {
      throw Overdue("There was a program.")
    }
    try desktop.write("program", "exit 0\n")
    #expect(try sender.call(Wire.SendEventCall.url("x:2")).settlement?.result == .launched)
  }

  @Test func nextApplicationIsTriedWhereOneFails() throws {
    try desktop.install("a", exec: "/nonexistent/program %u", "MimeType=x-scheme-handler/x;")
    try desktop.install("b", exec: "/bin/true %u", "MimeType=x-scheme-handler/x;")
    try desktop.start()
    let outcome = try desktop.connect().call(Wire.SendEventCall.url("x:1"))
    #expect(outcome.decision?.applicationID == "b")
    #expect(outcome.attempts.map(\.result) == [.launchFailed, .launched])
  }
}
