/// What an event costs from one process through the router to another and back.
struct WireSection {
  private let options: Options
  private let router: RouterServer
  private let relay: RelayServer
  private let addressedRelay: RelayServer
  private let buses: [(name: String, server: BusServer)]
  private static let figures = ["rate", "p50", "p99", "p999"]

  /// Starts the servers, all of them, for the whole section.
  init(_ options: Options) throws {
    self.options = options
    router = try RouterServer(options)
    relay = try RelayServer()
    addressedRelay = try RelayServer(isAddressed: true)
    buses = try BusServer.Implementation.allCases.compactMap { implementation in
      try BusServer(implementation).map { ("\(implementation.rawValue), sd-bus", $0) }
    }
  }

  func tables() throws -> [Table] {
    [try throughput(), try systemCalls()]
  }

  // MARK: - Rates

  private func throughput() throws -> Table {
    var table = Table(title: "wire", columns: ["events/s", "p50 µs", "p99 µs", "p99.9 µs"])
    let alone = buses.map { bus($0.name, $0.server, $0.name.hasPrefix("dbus-broker") ? "≥ 1.3" : nil) }
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
        relayed("C relay that looks for the address", many, ["--senders", "64"], through: addressedRelay),
      ]
        + buses.map {
          bus($0.name, $0.server, $0.name.hasPrefix("dbus-broker") ? "≥ 2.5" : nil, ["--senders", "64"])
        }
    )
    table.rows += try compare(
      [
        routed("one connection, 64 events at once", many, ["--window", "64"]),
        relayed("C relay", many * 5, ["--window", "64"], target: "≥ 0.2"),
      ] + buses.map { bus($0.name, $0.server, nil, ["--window", "64"]) }
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
        through: addressedRelay
      ),
    ])
    let missing = BusServer.Implementation.allCases.filter { bus in
      !buses.contains { $0.name.hasPrefix(bus.rawValue) }
    }
    table.notes = missing.map { "\($0.rawValue): not measured, as it is not installed or does not run here." }
    return table
  }

  private func compare(_ contenders: [Contender]) throws -> [Table.Row] {
    try Comparison(options: options).rows(contenders)
  }

  private func routed(_ label: String, _ events: Int, _ flags: [String]) -> Contender {
    Contender(label) { [socket = router.socket] in
      try LoadProgram.figures(
        Self.figures,
        ["router-load", "--socket", socket, "--events", "\(events)"] + flags
      )
    }
  }

  private func relayed(
    _ label: String,
    _ events: Int,
    _ flags: [String] = [],
    through server: RelayServer? = nil,
    target: String? = nil
  ) -> Contender {
    Contender(label, target: target) { [socket = (server ?? relay).socket] in
      try LoadProgram.figures(
        Self.figures,
        ["relay-load", "--socket", socket, "--events", "\(events)"] + flags
      )
    }
  }

  private var pingPong: Contender {
    Contender("two processes, nothing between") {
      try LoadProgram.figures(Self.figures, ["ping-pong", "--events", "\(options.events)"])
    }
  }

  private func bus(_ name: String, _ server: BusServer, _ target: String?, _ flags: [String] = [])
    -> Contender
  {
    Contender(name, target: target) { [socket = server.socket] in
      try LoadProgram.figures(
        Self.figures,
        ["bus-load", "--socket", socket, "--events", "\(options.events)"] + flags
      )
    }
  }

  // MARK: - What the kernel is asked for

  private func systemCalls() throws -> Table {
    var table = Table(title: "kernel", columns: ["system calls", "context switches"])
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
