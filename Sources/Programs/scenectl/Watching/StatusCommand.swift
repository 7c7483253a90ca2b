import ArgumentParser
import SceneClient
import SystemPackage

struct StatusCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "status",
    abstract: "Show which router answers, and the numbers of its events since its start.",
    discussion: """
      --metrics prints the numbers in the text format of Prometheus, with a histogram of the times of the newest events \
      that the router remembers. The examples in scenectl(1) have a timer for it.
      """
  )

  @OptionGroup var router: RouterOptions
  @OptionGroup var answer: AnswerOptions

  @Flag(help: "Print the numbers as metrics for Prometheus instead.")
  var metrics = false

  func validate() throws {
    if metrics, router.json { throw ValidationError("--metrics and --json exclude each other.") }
  }

  func run() async throws {
    let connection = try await router.connect(timeout: answer.timeout)
    let program = try await connection.program()
    let statistics = try await connection.statistics()
    if metrics {
      let records = try await connection.allRecords(atMost: Metrics.recordCount)
      return try Metrics(program, statistics, records).lines.forEach { try Terminal.show($0) }
    }
    if router.json {
      let service = JSONLine([
        "host": router.host?.quoted,
        "socket": connection.socketPath?.quoted,
        "processId": program.processID.map(String.init),
        "userId": program.userID.map(String.init),
        "product": program.name.quoted,
        "version": program.version.quoted,
      ])
      return try Terminal.showJSON(service.text.dropLast() + "," + statistics.json.dropFirst())
    }
    let age = Self.text(Host.now - statistics.started)
    let events = statistics.events.filter { $0.value > 0 }
      .map { "\($0.value) \(Self.words(forEnd: $0.key))" }.sorted()
    let lines: [(String, String)] =
      [
        ("service", "\(program.name) \(program.version), running for \(age)"),
        router.host.map { ("host", $0) } ?? ("socket", connection.socketPath ?? ""),
        ("process", program.process),
        ("scenes", "\(statistics.scenes) open"),
        ("applications", "\(statistics.applications) declared"),
        ("connections", "\(statistics.connections) open"),
        ("deliveries", "\(statistics.pendingDeliveries) under way"),
        ("events", events.isEmpty ? "none" : events.joined(separator: ", ")),
        ("registry", "\(statistics.generation) changes"),
      ]
      + (statistics.missing.map { [("missing", "\($0) scenes and applications, for which events wait")] }
        ?? [])
    for (name, value) in lines {
      try Terminal.show(Terminal.styled((name + ":").padded(to: 13), .strong) + " " + value.printable)
    }
  }

  private static func words(forEnd name: String) -> String {
    switch name {
    case "acknowledged": "taken"
    case "launched": "handed to an application"
    case "timeout": "timed out"
    case "sceneClosed": "not answered before their scene was closed"
    case "launchFailed": "not shown because no scene was opened"
    case "shutdown": "not answered before the router stopped"
    case "notRouted": "not routed"
    default: name
    }
  }

  /// In its two largest units.
  private static func text(_ duration: Duration) -> String {
    var rest = duration.components.seconds
    let units: [(Int64, String)] = [(86400, "d"), (3600, "h"), (60, "min"), (1, "s")]
    let amounts = units.map { size, name in
      defer { rest %= size }
      return (count: rest / size, name: name)
    }
    let shown = amounts.drop { $0.count == 0 }.prefix(2)
    return shown.isEmpty ? "0 s" : shown.map { "\($0.count) \($0.name)" }.joined(separator: " ")
  }
}

extension RouterProgram {
  fileprivate var process: String {
    guard let processID, let userID else { return "unknown" }
    let program = Host.canonicalPath(FilePath("/proc/\(processID)/exe"))?.lastComponent
    return "\(processID)" + (program.map { " (\($0))" } ?? "") + " of user \(userID)"
  }
}
