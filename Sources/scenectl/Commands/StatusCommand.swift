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
    if router.json { return Terminal.show(statistics.json) }
    var table = Table("WHAT", "HOW MANY")
    table.append("open scenes", String(statistics.scenes))
    table.append("declared applications", String(statistics.applications))
    table.append("connections", String(statistics.connections))
    table.append("deliveries not settled", String(statistics.pendingDeliveries))
    table.append("generation of the registry", String(statistics.generation))
    for (end, count) in statistics.events.sorted(by: { $0.key < $1.key }) {
      table.append("events ended as \(end)", String(count))
    }
    for line in table.lines { Terminal.show(line) }
  }
}
