/// What an event costs from one process through the router to another and back.
struct WireSection {
  private let options: Options
  private let buses: [BusServer.Implementation]
  private static let figures = ["rate", "p50", "p99", "p999"]

  init(_ options: Options) throws {
    self.options = options
    buses = try BusServer.Implementation.allCases.filter { try BusServer($0) != nil }
  }

  func tables() throws -> [Table] {
    [try throughput(), try systemCalls()]
  }

  // MARK: - Rates

  private func throughput() throws -> Table {
    var table = Table(title: "wire", columns: ["events/s", "p50 µs", "p99 µs", "p99.9 µs"])
    let alone = buses.map { bus($0, $0 == .broker ? "≥ 1.3" : nil) }
    for (label, flags, target) in [("oneway", [], "≥ 0.75"), ("replied", ["--replied"], "≥ 0.65")] {
      table.rows += try compare(
        [
          routed("one at a time, acknowledgement \(label)", options.events, flags),
          relayed("C relay", options.events, target: target), pingPong,
        ] + alone
      )
    }
    let many = options.events * 5
    table.rows += try compare(
      [
        routed("64 senders, one event each", many, ["--senders", "64"]),
        relayed("C relay, one connection, 64 at once", many * 5, ["--window", "64"], target: "≥ 0.12"),
        relayed("C relay that looks for the address", many, ["--senders", "64"], isAddressed: true),
      ] + buses.map { bus($0, $0 == .broker ? "≥ 2.5" : nil, ["--senders", "64"]) }
    )
    table.rows += try compare(
      [
        routed("one connection, 64 events at once", many, ["--window", "64"]),
        relayed("C relay", many * 5, ["--window", "64"], target: "≥ 0.2"),
      ] + buses.map { bus($0, nil, ["--window", "64"]) }
    )
    table.rows += try compare([
      routed(
        "64 senders, 64 scenes, 4 events each",
        many,
        ["--senders", "64", "--scenes", "64", "--window", "4"]
      ),
      relayed(
        "C relay that looks for the address",
        many,
        ["--senders", "64", "--receivers", "64", "--window", "4"],
        isAddressed: true
      ),
    ])
    let missing = BusServer.Implementation.allCases.filter { !buses.contains($0) }
    table.notes = missing.map { "\($0.rawValue): not measured, as it is not installed or does not run here." }
    return table
  }

  private func compare(_ contenders: [Contender]) throws -> [Table.Row] {
    try Comparison(options: options).rows(contenders)
  }

  // Each contender starts its server anew for every repetition: where the memory of a process comes to lie makes up
  // to 15 % for as long as it lives, and one process would be lucky or not in all repetitions.

  private func routed(_ label: String, _ events: Int, _ flags: [String]) -> Contender {
    Contender(label) {
      let router = try RouterServer(options)
      return try LoadProgram.figures(
        Self.figures,
        ["router-load", "--socket", router.socket, "--events", "\(events)"] + flags
      )
    }
  }

  private func relayed(
    _ label: String,
    _ events: Int,
    _ flags: [String] = [],
    isAddressed: Bool = false,
    target: String? = nil
  ) -> Contender {
    Contender(label, target: target) {
      let relay = try RelayServer(isAddressed: isAddressed)
      return try LoadProgram.figures(
        Self.figures,
        ["relay-load", "--socket", relay.socket, "--events", "\(events)"] + flags
      )
    }
  }

  private var pingPong: Contender {
    Contender("two processes, nothing between") {
      try LoadProgram.figures(Self.figures, ["ping-pong", "--events", "\(options.events)"])
    }
  }

  private func bus(_ bus: BusServer.Implementation, _ target: String?, _ flags: [String] = []) -> Contender {
    Contender("\(bus.rawValue), sd-bus", target: target) {
      guard let server = try BusServer(bus) else { throw BenchmarkError("\(bus.rawValue) does not run.") }
      return try LoadProgram.figures(
        Self.figures,
        ["bus-load", "--socket", server.socket, "--events", "\(options.events)"] + flags
      )
    }
  }

  // MARK: - What the kernel is asked for

  private func systemCalls() throws -> Table {
    var table = Table(title: "kernel", columns: ["system calls", "context switches"])
    let router = try RouterServer(options)
    let relay = try RelayServer()
    let subjects: [(label: String, server: any Server, load: [String], target: String?)] = [
      ("one at a time, acknowledgement oneway", router, ["router-load"], "≤ 8 calls"),
      ("one at a time, acknowledgement replied", router, ["router-load", "--replied"], nil),
      ("64 senders, one event each", router, ["router-load", "--senders", "64"], nil),
      ("C relay, one at a time", relay, ["relay-load"], nil),
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
