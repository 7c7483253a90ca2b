/// What open scenes cost, each on a connection of its own.
struct ScaleSection {
  private let options: Options

  init(_ options: Options) { self.options = options }

  func tables() throws -> [Table] {
    var table = Table(
      title: "scale",
      columns: ["KiB/scene", "event p50 µs", "p99 µs", "open µs/scene", "close µs/scene", "KiB left/scene"]
    )
    for count in options.sceneCounts {
      let scenes = Double(count)
      table.rows += try Comparison(options: options).rows([
        Contender("\(count) scenes") {
          // A fresh daemon each time: memory that was used before would be used again unseen.
          let router = try RouterServer()
          let figures = try LoadProgram.figures(
            ["bytes-per-scene", "p50", "p99", "open-seconds", "close-seconds", "bytes-left"],
            [
              "router-scale", "--socket", router.socket, "--pid", "\(router.processID)", "--scenes",
              "\(count)",
            ]
          )
          return [
            figures[0] / 1024, figures[1], figures[2], figures[3] * 1e6 / scenes, figures[4] * 1e6 / scenes,
            figures[5] / 1024 / scenes,
          ]
        }
      ])
      if count >= 1000 { table.rows[table.rows.count - 1].target = "≤ 12 KiB" }
    }
    let relay = try RelayServer(isAddressed: true)
    table.rows += try options.sceneCounts.filter { $0 > 1 }.flatMap { count in
      try Comparison(options: options).rows([
        Contender("C relay, \(count) connections") {
          let figures = try LoadProgram.figures(
            ["p50", "p99"],
            ["relay-load", "--socket", relay.socket, "--receivers", "\(count)", "--events", "2000"]
          )
          return [.nan, figures[0], figures[1], .nan, .nan, .nan]
        }
      ])
    }
    return [table]
  }
}
