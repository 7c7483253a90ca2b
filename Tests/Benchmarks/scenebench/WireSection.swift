/// The cost of an event from one process through the router to another process and back.
struct WireSection {
  private let options: Options
  private let buses: [BusServer.Implementation]
  init(_ options: Options) throws {
    self.options = options
    buses = try BusServer.Implementation.allCases.filter { try BusServer($0) != nil }
  }

  func tables() throws -> [Table] {
    [try throughput(), try systemCalls()]
  }

  // MARK: - Rates

  private func throughput() throws -> Table {
    var table = Table(
      title: "wire",
      columns: ["processor µs", "events/s", "p50 µs", "p99 µs", "p99.9 µs"],
      comparedColumns: [0, 1]
    )
    let many = options.events * 5
    let loads: [(label: String, events: Int, flags: [String], target: String?, busTarget: String?)] = [
      ("one at a time, acknowledgement oneway", options.events, [], "processor ≤ 1.2", "events ≥ 1.2"),
      ("one at a time, acknowledgement replied", options.events, ["--replied"], nil, nil),
      ("one connection, 64 events at once", many, ["--window", "64"], "processor ≤ 3", nil),
      ("64 senders, one event each", many, ["--senders", "64"], "processor ≤ 3", nil),
      (
        "64 senders, 64 scenes, 4 events each", many,
        ["--senders", "64", "--scenes", "64", "--window", "4"], nil, nil
      ),
    ]
    for load in loads {
      let arguments = ["--events", "\(load.events)"] + load.flags
      var contenders = [
        Contender(load.label) { try Self.figures("router-load", arguments, RouterServer(options)) },
        Contender("C stub", target: load.target) {
          try Self.figures("router-load", arguments, StubServer())
        },
      ]
      if !load.flags.contains("--scenes") {
        contenders += buses.map { bus in
          Contender("\(bus.rawValue), sd-bus", target: bus == .broker ? load.busTarget : nil) {
            guard let server = try BusServer(bus) else {
              throw BenchmarkError("\(bus.rawValue) does not run.")
            }
            return try Self.figures("bus-load", arguments, server)
          }
        }
      }
      table.rows += try Comparison(options: options).rows(contenders, comparing: table.comparedColumns)
    }
    let missing = BusServer.Implementation.allCases.filter { !buses.contains($0) }
    table.notes = missing.map { "\($0.rawValue): not measured, as it is not installed or does not run here." }
    return table
  }

  /// Returns the processor time of a server for each event, and the figures of its clients.
  ///
  /// Each repetition needs a new server process, because the memory layout of a process changes its speed by up to
  /// 15 %. A process keeps its layout, so the figures of a single process would depend on luck.
  private static func figures(_ load: String, _ arguments: [String], _ server: some Server) throws -> [Double]
  {
    let before = Machine.processorSeconds(of: server.processID)
    let figures = try LoadProgram.figures(
      ["events", "rate", "p50", "p99", "p999"],
      [load, "--socket", server.socket] + arguments
    )
    let seconds = Machine.processorSeconds(of: server.processID) - before
    return [seconds * 1e6 / figures[0]] + figures.dropFirst()
  }

  // MARK: - System calls and context switches

  private func systemCalls() throws -> Table {
    var table = Table(title: "kernel", columns: ["system calls", "context switches"])
    let router = try RouterServer(options)
    let stub = try StubServer()
    let subjects: [(label: String, server: any Server, load: [String], target: String?)] = [
      ("one at a time, acknowledgement oneway", router, ["router-load"], "≤ 8 calls"),
      ("one at a time, acknowledgement replied", router, ["router-load", "--replied"], nil),
      ("64 senders, one event each", router, ["router-load", "--senders", "64"], nil),
      ("C stub, one at a time", stub, ["router-load"], nil),
    ]
    for subject in subjects {
      let load = subject.load + ["--socket", subject.server.socket, "--events"]
      let switches = try ContextSwitches.perEvent(of: subject.server.processID) {
        try LoadProgram.run(load + ["\(options.events)"])["events"] ?? 0
      }
      let calls = try SystemCalls.perEvent(of: subject.server.processID) {
        try LoadProgram.run(load + ["2000"])["events"] ?? 0
      }
      table.rows.append(Table.Row(subject.label, [calls?.total, switches], target: subject.target))
      if let calls { table.notes.append("\(subject.label): \(calls.summary)") }
    }
    if Machine.program("strace") == nil {
      table.notes = ["System calls: not measured, as strace is not installed."]
    }
    return table
  }
}
