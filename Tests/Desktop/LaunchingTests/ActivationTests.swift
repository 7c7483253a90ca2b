import DesktopEntries
import Foundation
import Launching
import QueueExecution
import SessionBus
import TestSupport
import Testing

/// Launches by a call over a real bus; the bus starts the applications as services.
@Suite(.blocking) struct ActivationTests {
  private static let name = "org.example.App-1"

  private static func bus(
    _ mode: String,
    in directory: borrowing TemporaryDirectory,
    startTimeout: Int = 25_000
  ) throws -> MessageBus {
    let program = SpawnedProgram.buildDirectory + "/ServeApplicationOnBus"
    return try MessageBus(
      services: [name: "\(program) \(name) \(directory.appending("calls")) \(mode)"],
      startTimeout: startTimeout
    )
  }

  private static let lines = """
    DBusActivatable=true
    Actions=new;
    [Desktop Action new]
    Name=New
    X-Scened-Matching=new
    """

  @Test(
    arguments: [
      ("main", [], nil, "Activate"),
      ("main", ["x:1", "x:$(id) %f"], nil, "Open url=x:1 url=x:$(id) %f"),
      ("new", [], nil, "ActivateAction action=new"),
      ("new", ["x:1", "x:2"], nil, "ActivateAction action=new parameter=x:1 parameter=x:2"),
      ("main", ["x:1"], 0, "Open url=x:1 activation-token=t desktop-startup-id=t"),
      ("main", ["x:1"], 31, "Open url=x:1"),
    ] as [(String, [String], Int?, String)]
  )
  func applicationIsCalled(declaration: String, urls: [String], tokenAge: Int?, call: String) async throws {
    let directory = try TemporaryDirectory()
    guard mkfifo(directory.appending("calls"), 0o600) == 0 else { throw Overdue("There is no FIFO.") }
    let bus = try Self.bus("serve", in: directory)
    let fixture = try LaunchFixture(bus: bus.address)
    let reader = try SpawnedProgram("/bin/cat", [directory.appending("calls")])
    let token = tokenAge.map { ActivationToken("t", received: .now - .seconds($0)) }
    let request = LaunchRequest(
      try LaunchFixture.entry("false", Self.lines),
      declarationID: declaration,
      urls: urls,
      activationToken: token
    )
    #expect(request.entry.opensAllAtOnce)
    #expect(await fixture.launch(request) == .started([.service(Self.name)]))
    #expect(try reader.outputLine(containing: "") == "/org/example/App_1 \(call)")
  }

  @Test(arguments: [
    ("refuse", "The call of 'org.example.App-1' over D-Bus failed: I am tired."),
    ("3", "exited with status 3"),
    ("die", "Message recipient disconnected from message bus without replying"),
  ])
  func errorIsALaunchFailure(mode: String, reason: String) async throws {
    let directory = try TemporaryDirectory()
    let bus = try Self.bus(mode, in: directory)
    let fixture = try LaunchFixture(bus: bus.address)
    // After the call has failed, the launcher does not try the command line.
    let outcome = await fixture.launch(LaunchRequest(try fixture.reporting("%u", Self.lines)))
    guard case .failed(.refused(Self.name, let error)) = outcome else {
      Issue.record("\(outcome)")
      return
    }
    #expect("\(LaunchFailure.refused(name: Self.name, error))".contains(reason))
  }

  /// The bus has no service of the application's name, or the desktop id cannot be a name on the bus.
  @Test(arguments: [
    LaunchFixture.entryID, "app.desktop", "org.1example.App.desktop", "org..App.desktop", "my-editor.desktop",
    "org.example.Ünicode.desktop", "a.\(String(repeating: "b", count: 254)).desktop",
  ])
  func commandLineIsUsedWhereTheBusHasNoService(id: String) async throws {
    let bus = try MessageBus()
    let fixture = try LaunchFixture(bus: bus.address)
    let exec = "\(SpawnedProgram.buildDirectory)/ReportHowStarted \(fixture.report) %U"
    let actions = Self.lines.replacing("Name=New", with: "Name=New\nExec=\(exec) new")
    for (declaration, arguments) in [("main", ["x:1", "x:2"]), ("new", ["x:1", "x:2", "new"])] {
      let request = LaunchRequest(
        try LaunchFixture.entry(exec, actions, id: id),
        declarationID: declaration,
        urls: ["x:1", "x:2"]
      )
      #expect(try await fixture.launchReporting(request).1.arguments == arguments)
    }
  }

  /// The application runs without a service file, so that only its name on the bus shows that it can be called.
  @Test func runningApplicationNeedsNoService() async throws {
    let directory = try TemporaryDirectory()
    let calls = directory.appending("calls")
    let bus = try MessageBus()
    _ = FileManager.default.createFile(atPath: calls, contents: nil)
    let program = try SpawnedProgram(
      "ServeApplicationOnBus",
      [Self.name, calls, "serve"],
      environment: ["DBUS_SESSION_BUS_ADDRESS": bus.address]
    )
    let connection = BusConnection(on: QueueExecutor(label: "test.bus"), address: bus.address)
    let hasOwner = BusCall(
      "NameHasOwner",
      of: "org.freedesktop.DBus",
      at: "/org/freedesktop/DBus",
      in: "org.freedesktop.DBus",
      [.string(Self.name)]
    )
    func isRunning() async -> Bool {
      await withCheckedContinuation { continuation in
        connection.call(hasOwner, timeLimit: .seconds(5)) { reply in
          continuation.resume(returning: (try? reply.get()) == [.boolean(true)])
        }
      }
    }
    while await !isRunning() {}
    connection.close()
    let fixture = try LaunchFixture(bus: bus.address)
    let request = LaunchRequest(try LaunchFixture.entry("false", Self.lines), urls: ["x:1"])
    #expect(await fixture.launch(request) == .started([.service(Self.name)]))
    withExtendedLifetime(program) {}
  }

  @Test func nameThatNeverAppearsIsALaunchFailure() async throws {
    let directory = try TemporaryDirectory()
    let bus = try Self.bus("hide", in: directory)
    let fixture = try LaunchFixture(bus: bus.address)
    let entry = try LaunchFixture.entry("true", Self.lines)
    let outcome = await fixture.launch(LaunchRequest(entry, timeLimit: .milliseconds(200)))
    #expect(outcome == .failed(.noAnswer(name: Self.name)))
    // This bus stops waiting for the service before the time limit of the launch.
    let impatient = try Self.bus("hide", in: directory, startTimeout: 100)
    let other = try LaunchFixture(bus: impatient.address)
    guard
      case .failed(.refused(Self.name, .refused(_, let message))) = await other.launch(LaunchRequest(entry))
    else {
      Issue.record("The name never appears.")
      return
    }
    #expect(message.contains("timed out"))
  }

  @Test func desktopIDThatIsNoNameIsALaunchFailureWithoutACommandLine() async throws {
    let bus = try MessageBus()
    let fixture = try LaunchFixture(bus: bus.address)
    for id in ["app.desktop", "org.1example.App.desktop"] {
      var entry = try LaunchFixture.entry("true", Self.lines, id: id)
      entry.exec = nil
      #expect(await fixture.launch(LaunchRequest(entry)) == .failed(.noBusName(id: id)))
    }
  }

  @Test func commandLineIsUsedWhereThereIsNoBus() async throws {
    let fixture = try LaunchFixture()
    let request = LaunchRequest(try fixture.reporting("%U", Self.lines), urls: ["x:1"])
    #expect(try await fixture.launchReporting(request).1.arguments == ["x:1"])
  }

  /// A bus without a manager of the user's services, as under `dbus-run-session`.
  @Test(arguments: [[:], ["org.freedesktop.systemd1": "/bin/false"]])
  func childIsStartedWhereNoManagerRuns(services: [String: String]) async throws {
    let bus = try MessageBus(services: services)
    let fixture = try LaunchFixture(bus: bus.address)
    let request = LaunchRequest(try fixture.reporting("%U"), urls: ["x:1"])
    let (outcome, report) = try await fixture.launchReporting(request)
    #expect(report.arguments == ["x:1"])
    guard case .started(let programs) = outcome, case .process? = programs.first else {
      Issue.record("\(outcome)")
      return
    }
  }
}
