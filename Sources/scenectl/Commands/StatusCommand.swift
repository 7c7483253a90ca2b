import ArgumentParser
import SceneClient

/// `scenectl status`.
struct StatusCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "status",
    abstract: "Show what the router has done since it was started."
  )

  @OptionGroup var router: RouterOptions

  func run() async throws {
    let statistics = try await router.connect().statistics()
    if router.json { return try Terminal.showJSON(statistics.json) }
    let events = statistics.events.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }
    let lines = [
      ("running for", Self.text(Host.now - statistics.started)),
      ("scenes", "\(statistics.scenes) open"),
      ("applications", "\(statistics.applications) declared"),
      ("connections", "\(statistics.connections) open"),
      ("deliveries", "\(statistics.pendingDeliveries) not settled"),
      ("events", events.joined(separator: ", ")),
      ("generation", "\(statistics.generation)"),
    ]
    for (name, value) in lines {
      try Terminal.show(Terminal.styled((name + ":").padded(to: 13), .strong) + " " + value.printable)
    }
  }

  /// A duration in its two largest units.
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
