import TestSupport
import Testing
import Varlink

/// Tests of scenectl with a router that sends control characters in its texts.
///
/// scenectl has to escape these characters, because they would control the user's terminal. Such a router can be that
/// of another machine.
@Suite(.blocking) final class HostileRouterTests {
  /// The directory of a script that replaces ssh.
  ///
  /// The script runs a remote command on this machine, so that the command reaches the test's service.
  private let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
    try directory.writeScript("ssh", #"while [ "$1" != -- ]; do shift; done; exec sh -c "$3""#)
  }

  /// Commands that say where events go, and how the events end.
  private static let commandsAboutEvents = [
    ["explain", "https://a.example/"], ["why"], ["history"], ["open", "https://a.example/"],
    ["open", "--no-wait", "https://a.example/"], ["send", "--activity-type", "type"], ["continue"],
    ["monitor"], ["monitor", "--screen"], ["handoff", "laptop"],
  ]

  /// More commands that print texts of a router, and commands of `commandsAboutEvents` with other options.
  private static let otherCommands = [
    ["status"], ["status", "--json"], ["status", "--metrics"],
    ["scenes"], ["scenes", "--full"], ["scenes", "--json"], ["scenes", "--dot"],
    ["applications"], ["applications", "--json"], ["activities"], ["activities", "--json"],
    ["explain", "--json", "https://a.example/"], ["why", "--json"], ["history", "--json"],
    ["open", "--json", "https://a.example/"], ["open", "--wait", "https://a.example/"],
    ["continue", "--json"], ["monitor", "--json"], ["handoff", "--json", "laptop"],
    ["scene", "--allow", "*"], ["scene", "--json", "--allow", "*"], ["scene", "--decline", "--allow", "*"],
    ["declare", "--application", "a", "--scene", "b"],
    ["declare", "--json", "--application", "a", "--scene", "b"],
    ["reload"], ["reload", "--json"], ["check"], ["check", "--json"],
  ]

  private static let usual = HostileService.Answers.replies(
    words: [
      "target": "scene", "rule": "preferring", "applicationBecause": "userHost", "result": "declined",
      "rejectedBecause": "claimedByOthers", "source": "connection",
    ],
    showsActivity: false
  )
  private static let others: [HostileService.Answers] = [
    .replies(words: [:], showsActivity: false),
    .replies(
      words: [
        "target": "newScene", "rule": "matching", "applicationBecause": "hostClaim", "result": "launchFailed",
      ],
      showsActivity: true
    ),
    .replies(
      words: ["target": "none", "result": "acknowledged", "rejectedBecause": "declined"],
      showsActivity: true
    ),
  ]

  @Test(arguments: commandsAboutEvents + otherCommands)
  func noReplySteersTheTerminal(_ command: [String]) throws {
    let isAboutEvents = Self.commandsAboutEvents.contains(command)
    var printed = ""
    for answers in [Self.usual] + (isAboutEvents ? Self.others : []) {
      printed += try output(of: command, answers)
    }
    // The texts are in the output in an escaped form, not left out.
    let escaped = printed.lowercased()
    #expect(escaped.contains(#"\u001b"#) || escaped.contains(#"\u{1b}"#), "\(printed)")
  }

  /// The names of all errors except `ServiceStopping`; after that error, the tool would send its event again.
  private static let errors =
    HostileService.interfaces.flatMap { interface in interface.errors.map { interface.name + "." + $0.name } }
    .filter { !$0.hasSuffix(".ServiceStopping") } + ["org.example.\(HostileService.text)"]

  @Test(arguments: errors) func noErrorSteersTheTerminal(_ name: String) throws {
    for command in [["open", "https://a.example/"], ["scenes"], ["handoff", "laptop"]] {
      #expect(try output(of: command, .error(name)) != "")
    }
    let service = try HostileService(.error(name))
    defer { try? service.end() }
    let adapter = try AdapterProgram(environment: ["SCENED_SOCKET": service.path])
    try adapter.say(#"{"scene": "w", "application": "A"}"#)
    expectHarmless(try adapter.line("closed"), name)
    try adapter.say(#"{"declare": "A", "scenes": []}"#)
    expectHarmless(try adapter.line("error"), name)
    for (word, answer) in [("send", "sent"), ("explain", "error")] {
      try adapter.say(#"{"\#(word)": 1, "event": {"url": "x:1"}}"#)
      expectHarmless(try adapter.line(answer), name)
    }
  }

  @Test(arguments: [usual] + others)
  func adapterWritesNothingThatSteersATerminal(_ answers: HostileService.Answers) throws {
    let service = try HostileService(answers)
    defer { try? service.end() }
    let adapter = try AdapterProgram(environment: ["SCENED_SOCKET": service.path])
    var lines: [String] = []
    try adapter.say(#"{"scene": "w", "application": "A"}"#)
    for word in ["opened", "deliver"] { lines.append(try adapter.line(word)) }
    // The service delivers one event twice. The test answers the first delivery. The adapter does not write the second
    // delivery, because the client library answers a repeated delivery itself.
    try adapter.say(#"{"taken": \#(HostileService.quoted(HostileService.text))}"#)
    for word in ["withdrawn", "closed"] { lines.append(try adapter.line(word)) }
    try adapter.say(#"{"declare": "A", "scenes": []}"#)
    for word in ["request", "withdrawn", "error"] { lines.append(try adapter.line(word)) }
    for (word, answer) in [("send", "sent"), ("explain", "explained")] {
      try adapter.say(#"{"\#(word)": 1, "event": {"url": "x:1"}}"#)
      lines.append(try adapter.line(answer))
    }
    adapter.endInput()
    #expect(try adapter.program.waitForEnd() == .exit(0))
    for line in lines {
      _ = try JSONObject(line)
      expectHarmless(line, answers.testDescription)
    }
    expectHarmless(adapter.program.errorText, answers.testDescription)
    #expect(lines.filter { $0.contains(#"\u001B"#) }.count >= 6, "\(lines)")
  }

  /// Returns the output of the tool, and expects that no character in the output controls a terminal.
  private func output(of command: [String], _ answers: HostileService.Answers) throws -> String {
    let service = try HostileService(answers)
    defer { try? service.end() }
    let environment = [
      "SCENED_SOCKET": service.path,
      "PATH": "\(directory.path):\(SpawnedProgram.buildDirectory):/usr/bin:/bin",
    ]
    let run = try Router.scenectl(command, environment: environment)
    // `--screen` begins each screen with this sequence.
    let output = run.output.replacing("\u{1B}[H\u{1B}[J", with: "") + run.error
    expectHarmless(output, "\(command) \(answers.testDescription)")
    return output
  }

  /// Expects that a text has no forged line, and no control characters, format characters and line or paragraph
  /// separators except line feeds.
  private func expectHarmless(_ text: String, _ source: String) {
    let steering = text.unicodeScalars.filter { scalar in
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator: scalar != "\n"
      default: false
      }
    }
    #expect(steering.isEmpty, "\(source): \(text)")
    #expect(!text.contains("\nFORGED"), "\(source): \(text)")
  }
}
