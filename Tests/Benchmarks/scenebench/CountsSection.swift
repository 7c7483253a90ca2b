import Foundation
import TestSupport

/// Counts instructions with callgrind; a busy machine does not change these figures.
struct CountsSection {
  private let options: Options

  init(_ options: Options) { self.options = options }

  func tables() throws -> [Table] {
    guard let valgrind = Machine.program("valgrind") else {
      return [Table(title: "counts", columns: [], notes: ["Not measured, as valgrind is not installed."])]
    }
    let callgrind = try Callgrind(valgrind)
    return [try routing(callgrind), try daemon(callgrind)]
  }

  /// Counts the instructions of decisions, and of changes of the registry, inside this program.
  private func routing(_ callgrind: borrowing Callgrind) throws -> Table {
    var table = Table(
      title: "counts, core, instructions",
      columns: options.identifierCounts.map { "\($0)" }
    )
    var columns: [[Double]] = []
    for count in options.identifierCounts {
      columns.append(
        try callgrind.countedRuns(["counted", "\(count)"]).map { $0 / Double(CountedRuns.length) }
      )
    }
    for (row, run) in CountedRuns.Kind.allCases.enumerated() {
      table.rows.append(Table.Row(run.rawValue, columns.map { $0[row] }))
    }
    let decision = columns.map { $0[0] - $0[1] }
    let beside = columns.map { $0[5] - $0[1] }
    table.rows.insert(
      Table.Row(
        "decision, hit: the first without the second",
        decision,
        target: "≤ 10330 at 1k, 10854 at 1M"
      ),
      at: 0
    )
    table.rows.insert(Table.Row("the same beside 100,000 shown pages", beside), at: 1)
    return table
  }

  /// Counts the daemon's instructions for each event, and for each change of the registry.
  ///
  /// Each figure comes from the difference between a long and a short load, so that the daemon's start does not count.
  private func daemon(_ callgrind: borrowing Callgrind) throws -> Table {
    var table = Table(title: "counts, daemon", columns: ["instructions"])
    let loads: [(label: String, command: [String], count: String, target: String?)] = [
      ("event, one at a time, acknowledgement oneway", ["router-load"], "events", "≤ 34830"),
      ("event, one at a time, acknowledgement replied", ["router-load", "--replied"], "events", nil),
      ("event, one connection, 64 at once", ["router-load", "--window", "64"], "events", "≤ 26700"),
      ("event, 64 senders, one each", ["router-load", "--senders", "64"], "events", nil),
      ("registration of one identifier replaced", ["router-changes"], "changes", nil),
    ]
    let program = try callgrind.withoutDebugInformation(options.routerPath)
    for load in loads {
      var total: (instructions: Double, operations: Double) = (0, 0)
      for (sign, size) in [(-1.0, options.events / 20), (1.0, options.events / 2)] {
        var options = options
        options.routerPath = program
        let router = try RouterServer(options, under: callgrind.command(output: "daemon"))
        let arguments = load.command + ["--socket", router.socket, "--\(load.count)", "\(size)"]
        total.operations += sign * (try LoadProgram.figures([load.count], arguments)[0])
        router.program.send(signal: SIGTERM)
        try router.program.waitForEnd()
        total.instructions += sign * (try callgrind.instructions(in: "daemon"))
      }
      table.rows.append(Table.Row(load.label, [total.instructions / total.operations], target: load.target))
    }
    return table
  }
}

/// callgrind(1), and the directory of its output.
private struct Callgrind: ~Copyable {
  private let valgrind: String
  private let directory: TemporaryDirectory

  init(_ valgrind: String) throws {
    self.valgrind = valgrind
    directory = try TemporaryDirectory()
  }

  /// Returns the beginning of a command line that runs a program under callgrind.
  func command(output: String) -> [String] {
    [valgrind, "--tool=callgrind", "--quiet", "--callgrind-out-file=\(directory.appending(output))"]
  }

  /// Returns a copy of a program with symbols but without line numbers.
  ///
  /// valgrind cannot read line numbers in a program that was linked with lld.
  func withoutDebugInformation(_ program: String) throws -> String {
    let copy = directory.appending(URL(filePath: program).lastPathComponent)
    let (ending, _, error) = try SpawnedProgram.run("/usr/bin/strip", ["--strip-debug", "-o", copy, program])
    guard ending == .exit(0) else { throw BenchmarkError("strip failed: \(error)") }
    return copy
  }

  /// Runs this program under callgrind; returns the instructions of each call of ``CountedRuns/function``.
  func countedRuns(_ arguments: [String]) throws -> [Double] {
    let options = ["--zero-before=\(CountedRuns.function)", "--dump-after=\(CountedRuns.function)"]
    let program = try withoutDebugInformation(SpawnedProgram.buildDirectory + "/scenebench")
    let command = command(output: "runs") + options + [program] + arguments
    let (ending, _, error) = try SpawnedProgram.run(
      command[0],
      Array(command.dropFirst()),
      environment: ["SWIFT_DETERMINISTIC_HASHING": "1"],
      by: Deadline(in: .seconds(3600))
    )
    guard ending == .exit(0) else { throw BenchmarkError("The counted runs failed: \(error)") }
    return try (1...CountedRuns.Kind.allCases.count).map { try instructions(in: "runs.\($0)") }
  }

  /// Returns the number of instructions in an output file, from its line `summary:`.
  ///
  /// The line `totals:` is not used, because it includes earlier calls that had not ended.
  func instructions(in output: String) throws -> Double {
    let lines = Machine.lines(of: directory.appending(output))
    guard let sum = lines.first(where: { $0.hasPrefix("summary:") }),
      let number = sum.split(separator: " ").last.flatMap({ Double($0) })
    else { throw BenchmarkError("callgrind has not counted \(output).") }
    return number
  }
}
