import TestSupport

/// What an event costs until `onOpenURL` of an application has taken it.
struct ApplicationSection {
  private let options: Options

  init(_ options: Options) { self.options = options }

  func tables() throws -> [Table] {
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
    return [table]
  }

  /// What senders see that send one event at a time.
  private func figures(_ router: RouterServer, scenes: Int) throws -> [Double] {
    try LoadProgram.figures(
      ["p50", "p99", "rate"],
      ["router-load", "--socket", router.socket, "--scenes", "\(scenes)", "--events", "\(options.events)"]
    )
  }
}
