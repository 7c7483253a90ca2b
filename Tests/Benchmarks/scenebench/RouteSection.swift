import SceneRouting
import TestSupport

/// The cost of decisions and changes in this process, without sockets.
struct RouteSection {
  private static let textCount = 512
  private let options: Options

  init(_ options: Options) { self.options = options }

  func tables() throws -> [Table] {
    [try decisions(), try hosts(), try changes(), try memory()]
  }

  // MARK: - Decisions

  private func decisions() throws -> Table {
    var table = Table(title: "route, ns", columns: options.identifierCounts.map { "\($0)" })
    let columns = try options.identifierCounts.map { try figures($0) }
    for (row, label) in Self.decisionLabels.enumerated() {
      table.rows.append(Table.Row(label, columns.map { $0[row] }))
    }
    return table
  }

  private static let decisionLabels = [
    "decision, hit", "decision, miss", "  beside plain scan", "  beside static Aho-Corasick, hit",
    "  beside static Aho-Corasick, miss", "event, hit: sent, decided, acknowledged",
    "event, miss: sent, decided",
    "decision from the origin", "decision among 1,000 claiming applications",
    "attempt, after 0 to 7 declines",
  ]

  /// Returns the figures for `count` identifiers, in the order of ``decisionLabels``.
  private func figures(_ count: Int) throws -> [Double?] {
    let hits = (0..<Self.textCount).map { IdentifierCorpus.hit($0, of: count) }
    let misses = (0..<Self.textCount).map { IdentifierCorpus.miss($0) }
    let bed = try RoutingBed(count: count, owners: .oneApplication)
    guard hits.allSatisfy({ bed.route(Event(.url($0))) }),
      !misses.contains(where: { bed.route(Event(.url($0))) })
    else { throw BenchmarkError("Some event went astray.") }

    let claiming = try RoutingBed(count: count, owners: .claimingApplications)
    let claimed = hits.enumerated().map { number, text in
      "s\(number % RoutingBed.schemeCount):\(text.dropFirst(4))"
    }
    let declined = Event(
      .url("https://example.org\(RoutingBed.declined)".padded(to: IdentifierCorpus.textLength))
    )
    guard bed.routeDeclined(declined) == 8 else { throw BenchmarkError("An event was not declined 8 times.") }

    // An activity without a text needs no search. Its time is the time of everything except the decision, and is
    // subtracted where a figure is about the decision alone. The first measurement sends the activity to a named scene.
    // In the second measurement, no scene gets the activity.
    let silent = Event(.activity(Activity(activityType: "org.example.silent")))
    let times = medians([
      { Stopwatch.nanoseconds { _ in bed.route(silent, RouteConstraints(sceneID: bed.single)) } },
      { Stopwatch.nanoseconds { _ in bed.route(silent) } },
      { Self.time(hits) { bed.route($0) } },
      { Self.time(misses) { bed.route($0) } },
      { Self.time(misses) { bed.route($0, RouteConstraints(originSceneID: bed.single)) } },
      { Self.time(claimed) { claiming.route($0) } },
      { Stopwatch.nanoseconds { _ in bed.routeDeclined(declined) } / 8 },
    ])
    let (bookkeeping, bookkeepingOfMiss) = (times[0], times[1])
    let baselines = baselines(count, hits, misses)
    return [
      times[2] - bookkeeping, times[3] - bookkeepingOfMiss, baselines.scan, baselines.automatonHit,
      baselines.automatonMiss, times[2], times[3], times[4] - bookkeepingOfMiss, times[5] - bookkeepingOfMiss,
      times[6],
    ]
  }

  /// Takes the measurements in turn, `options.repetitions` times; returns the median of each measurement.
  private func medians(_ measurements: [() -> Double]) -> [Double] {
    let repetitions = (0..<options.repetitions).map { _ in measurements.map { $0() } }
    return measurements.indices.map { place in median(repetitions.map { $0[place] }) }
  }

  private static func time(_ texts: [String], _ route: (Event) -> Void) -> Double {
    let events = texts.map { Event(.url($0)) }
    return Stopwatch.nanoseconds { route(events[$0 % events.count]) }
  }

  /// Measures the plain scan for up to a thousand identifiers, and the automaton for up to a hundred thousand
  /// identifiers.
  ///
  /// With more identifiers, the automaton's table would be too large for the memory.
  private func baselines(
    _ count: Int,
    _ hits: [String],
    _ misses: [String]
  ) -> (scan: Double?, automatonHit: Double?, automatonMiss: Double?) {
    guard count <= 100_000 else { return (nil, nil, nil) }
    let identifiers = (0..<count).map { Array(IdentifierCorpus.identifier($0).utf8) }
    let (hits, misses) = (hits.map { Array($0.utf8) }, misses.map { Array($0.utf8) })
    var found = 0
    var scan: Double?
    if count <= 1000 {
      let plain = PlainScan(identifiers)
      scan = Stopwatch.nanoseconds { found &+= plain.matches(in: misses[$0 % misses.count]) }
    }
    let automaton = AhoCorasick(identifiers)
    let hit = Stopwatch.nanoseconds { found &+= automaton.matches(in: hits[$0 % hits.count]) }
    let miss = Stopwatch.nanoseconds { found &+= automaton.matches(in: misses[$0 % misses.count]) }
    // Without this check, the compiler could remove the searches.
    precondition(found > 0)
    return (scan, hit, miss)
  }

  // MARK: - Hosts

  private func hosts() throws -> Table {
    let few = try InstalledApplications(count: 10)
    let many = try InstalledApplications(count: 500)
    var times: [(few: Double, many: Double)] = []
    for _ in 0..<options.repetitions {
      times.append((Stopwatch.nanoseconds { few.decide($0) }, Stopwatch.nanoseconds { many.decide($0) }))
    }
    var table = Table(title: "route, link of a claimed host", columns: ["ns", "beside the first"])
    table.rows = [
      Table.Row("decision among 10 applications, one claims a host", [median(times.map(\.few))]),
      Table.Row(
        "decision among 500 applications, 50 claim hosts",
        [median(times.map(\.many)), median(times.map { $0.many / $0.few })],
        target: "≤ 1.5 beside the first"
      ),
    ]
    return table
  }

  // MARK: - Changes

  private func changes() throws -> Table {
    var table = Table(title: "route, changes, ns", columns: options.identifierCounts.map { "\($0)" })
    let columns = try options.identifierCounts.map { count in
      let bed = try RoutingBed(count: count, owners: .oneApplication)
      let large = try bed.openLargeScene()
      return medians([
        { Stopwatch.nanoseconds { bed.changeRegistration($0) } },
        { Stopwatch.nanoseconds { _ in bed.activate(bed.single) } },
        { Stopwatch.nanoseconds { bed.activate(bed.scenes[$0 % bed.scenes.count]) } },
        { Stopwatch.nanoseconds { _ in bed.activate(large) } },
      ])
    }
    let labels = [
      "registration of one identifier replaced", "isActive of a scene with one identifier",
      "isActive of any scene, each with 1 to 100", "isActive of one with 256 times the same 8",
    ]
    for (row, label) in labels.enumerated() {
      table.rows.append(Table.Row(label, columns.map { $0[row] }))
    }
    return table
  }

  // MARK: - Memory

  private func memory() throws -> Table {
    let counts = options.identifierCounts.filter { $0 >= 1000 }
    var table = Table(
      title: "route, memory of the daemon",
      columns: ["bytes/identifier", "µs/identifier to register"]
    )
    for (length, target) in [(20, "≤ 136 bytes at 1M"), (100, nil)] {
      table.rows += try counts.map { count in
        let router = try RouterServer(options)
        let figures = try LoadProgram.figures(
          ["bytes-per-identifier", "seconds"],
          [
            "router-identifiers", "--socket", router.socket, "--pid", "\(router.processID)", "--count",
            "\(count)",
            "--length", "\(length)",
          ]
        )
        return Table.Row(
          "\(count) identifiers of \(length) bytes",
          [figures[0], figures[1] * 1e6 / Double(count)],
          target: target
        )
      }
    }
    return table
  }
}
