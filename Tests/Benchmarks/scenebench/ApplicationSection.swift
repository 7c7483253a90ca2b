import Glibc
import TestSupport

/// Measures events that an application takes with `onOpenURL`.
struct ApplicationSection {
  private let options: Options

  init(_ options: Options) { self.options = options }

  func tables() throws -> [Table] { [try events(), try reconnecting()] }

  private func events() throws -> Table {
    var table = Table(
      title: "application",
      columns: ["p50 µs", "p99 µs", "events/s"],
      comparedColumns: [0, 2]
    )
    let contenders = [
      Contender("onOpenURL of a SceneApplication") {
        let router = try RouterServer(options)
        let environment = ["SCENED_SOCKET": router.socket]
        let application = try SpawnedProgram("scenebench-application", environment: environment)
        try application.outputLine(containing: "open")
        return try figures(router, scenes: 0)
      },
      Contender("C client", target: "p50 ≤ 1.5") { try figures(RouterServer(options), scenes: 1) },
    ]
    table.rows = try Comparison(options: options).rows(contenders, comparing: table.comparedColumns)
    return table
  }

  /// Measures how long a client takes to open its scenes again after the router was killed.
  ///
  /// The time begins when the next router reports that it is ready. It ends when the last scene is open.
  private func reconnecting() throws -> Table {
    var table = Table(title: "application: coming back", columns: ["READY to all open ms"])
    let contender = Contender("1,000 scenes of one client", target: "≤ 1000") {
      let directory = try TemporaryDirectory()
      let socket = directory.appending("router")
      func router() throws -> SpawnedProgram {
        let program = try SpawnedProgram(options.routerPath, ["--system", "--socket", socket])
        try program.errorLine(containing: "Ready.")
        return program
      }
      let killed = try router()
      let client = try SpawnedProgram(
        "scenebench-application",
        ["1000"],
        environment: ["SCENED_SOCKET": socket]
      )
      try client.outputLine(containing: "open")
      killed.send(signal: SIGKILL)
      try killed.waitForEnd()
      let next = try router()
      let start = ContinuousClock.now
      try client.outputLine(containing: "again")
      return withExtendedLifetime(next) { [(ContinuousClock.now - start) / .milliseconds(1)] }
    }
    table.rows = try Comparison(options: options).rows([contender], comparing: [])
    return table
  }

  /// Returns the figures of senders that send one event at a time.
  private func figures(_ router: RouterServer, scenes: Int) throws -> [Double] {
    try LoadProgram.figures(
      ["p50", "p99", "rate"],
      ["router-load", "--socket", router.socket, "--scenes", "\(scenes)", "--events", "\(options.events)"]
    )
  }
}
