import TestSupport
import Testing
import Varlink

/// The tool with a router whose texts would steer the terminal, for example the router of another machine.
@Suite(.blocking) struct HostileRouterTests {
  /// Commands that say where events go, and how they end.
  private static let commandsAboutEvents = [
    ["explain", "https://a.example/"], ["why"], ["history"], ["open", "https://a.example/"],
    ["open", "--no-wait", "https://a.example/"], ["send", "--activity-type", "type"], ["continue"],
    ["monitor"],
  ]

  /// The other commands that print texts of a router, and other forms of the commands above.
  private static let otherCommands = [
    ["status"], ["status", "--json"], ["status", "--metrics"],
    ["scenes"], ["scenes", "--full"], ["scenes", "--json"], ["scenes", "--dot"],
    ["applications"], ["applications", "--json"], ["activities"], ["activities", "--json"],
    ["explain", "--json", "https://a.example/"], ["why", "--json"], ["history", "--json"],
    ["open", "--json", "https://a.example/"], ["open", "--wait", "https://a.example/"],
    ["continue", "--json"], ["monitor", "--json"],
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

  /// All errors except `ServiceStopping`, after which the tool sends the event again.
  private static let errors =
    HostileService.interfaces.flatMap { interface in interface.errors.map { interface.name + "." + $0.name } }
    .filter { !$0.hasSuffix(".ServiceStopping") } + ["org.example.\(HostileService.text)"]

  @Test(arguments: errors) func noErrorSteersTheTerminal(_ name: String) throws {
    for command in [["open", "https://a.example/"], ["scenes"]] {
      #expect(try output(of: command, .error(name)) != "")
    }
  }

  /// Runs the tool, and expects that its output does not steer a terminal.
  private func output(of command: [String], _ answers: HostileService.Answers) throws -> String {
    let service = try HostileService(answers)
    defer { try? service.end() }
    let run = try Router.scenectl(command, environment: ["SCENED_SOCKET": service.path])
    let output = run.output + run.error
    let steering = output.unicodeScalars.filter { scalar in
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator: scalar != "\n"
      default: false
      }
    }
    #expect(steering.isEmpty, "\(command) \(answers.testDescription): \(run)")
    #expect(!output.contains("\nFORGED"), "\(command) \(answers.testDescription): \(run)")
    return output
  }
}
