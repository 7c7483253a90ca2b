/// The cost of open scenes, each on its own connection.
struct ScaleSection {
  private let options: Options

  init(_ options: Options) { self.options = options }

  func tables() throws -> [Table] {
    var table = Table(
      title: "scale",
      columns: ["event p50 µs", "p99 µs", "KiB/scene", "open µs/scene", "close µs/scene", "KiB left/scene"],
      comparedColumns: [0]
    )
    for count in options.sceneCounts {
      var rows = try Comparison(options: options).rows(
        [
          Contender("\(count) scenes") { try scenes(count, of: RouterServer(options)) },
          Contender("C stub") { try scenes(count, of: StubServer()) },
        ],
        comparing: table.comparedColumns
      )
      if count >= 1000 { rows[0].target = "≤ 12 KiB/scene" }
      table.rows += rows
    }
    return [table]
  }

  /// Returns the figures of a server.
  ///
  /// The server has to be new, because reuse of memory would falsify the figures.
  private func scenes(_ count: Int, of server: some Server) throws -> [Double] {
    let figures = try LoadProgram.figures(
      ["p50", "p99", "bytes-per-scene", "open-seconds", "close-seconds", "bytes-left"],
      ["router-scale", "--socket", server.socket, "--pid", "\(server.processID)", "--scenes", "\(count)"]
    )
    let scenes = Double(count)
    return [
      figures[0], figures[1], figures[2] / 1024, figures[3] * 1e6 / scenes, figures[4] * 1e6 / scenes,
      figures[5] / 1024 / scenes,
    ]
  }
}
