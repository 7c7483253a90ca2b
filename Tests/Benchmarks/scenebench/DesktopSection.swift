import Foundation
import Glibc
import TestSupport

/// Measures the cost of installed applications, and the time from a link to a running program.
///
/// The cost is measured at the daemon's start and after a change of a desktop entry.
struct DesktopSection {
  private static let entryCount = 500
  private static let scheme = "scenebench"

  private let options: Options

  init(_ options: Options) { self.options = options }

  func tables() throws -> [Table] { try [reading(), changing(), starting(), startingUnits()] }

  private func reading() throws -> Table {
    var table = Table(
      title: "desktop: reading",
      columns: ["exec to READY ms", "RSS MB"],
      comparedColumns: [0]
    )
    let desktop = try BenchmarkDesktop(scheme: Self.scheme, entryCount: Self.entryCount)
    let empty = try BenchmarkDesktop(scheme: Self.scheme, entryCount: 0)
    let cached = try BenchmarkDesktop(scheme: Self.scheme, entryCount: Self.entryCount)
    var contenders = [
      Contender("scened, \(Self.entryCount) entries") { try startup(desktop.environment) },
      Contender("scened, no entries") { try startup(empty.environment) },
    ]
    if let gio = Self.program("gio") {
      func asking(_ label: String, _ desktop: BenchmarkDesktop, target: String? = nil) -> Contender {
        Contender(label, target: target) {
          let start = ContinuousClock.now
          _ = try SpawnedProgram.run(gio, ["mime", "text/plain"], environment: desktop.environment)
          return [milliseconds(since: start)]
        }
      }
      // update-desktop-database writes a cache. Without this cache, GIO finds only the entries in `mimeapps.list`.
      if let update = Self.program("update-desktop-database") {
        _ = try SpawnedProgram.run(update, [cached.entries])
        contenders.append(asking("gio mime text/plain", cached, target: "≤ 2"))
      }
      contenders.append(asking("gio mime text/plain, no cache of types", desktop))
    }
    table.rows = try Comparison(options: options).rows(contenders, comparing: table.comparedColumns)
    table.rows[0].target = "≤ 6 MB more than none"
    return table
  }

  private func startup(_ environment: [String: String]) throws -> [Double] {
    let start = ContinuousClock.now
    let router = try RouterServer(options, environment: environment)
    let time = milliseconds(since: start)
    return [time, (Machine.kilobytes("Rss", in: "smaps_rollup", of: router.processID) ?? 0) / 1000]
  }

  /// Measures the time from a change of an entry until a monitor of the registry reports the change.
  ///
  /// Also measures the daemon's processor time for the change.
  private func changing() throws -> Table {
    var table = Table(title: "desktop: changes", columns: ["change to effect ms", "processor ms"])
    let desktop = try BenchmarkDesktop(scheme: Self.scheme, entryCount: Self.entryCount)
    let router = try RouterServer(options, environment: desktop.environment)
    let environment = desktop.environment.merging(["SCENED_SOCKET": router.socket]) { own, _ in own }
    let monitor = try SpawnedProgram(
      scenectl,
      ["monitor", "--json", "--no-decisions"],
      environment: environment
    )
    try monitor.outputLine(containing: "snapshot")
    var count = 0
    func change(_ action: () throws -> Void) throws -> [Double] {
      count += 1
      let name = "Change \(count)"
      let before = Machine.processorSeconds(of: router.processID)
      let start = ContinuousClock.now
      try desktop.writeEntry(1, named: name)
      try action()
      try monitor.outputLine(containing: "\"\(name)\"")
      return [
        milliseconds(since: start), (Machine.processorSeconds(of: router.processID) - before) * 1000,
      ]
    }
    let contenders = [
      Contender("one of \(Self.entryCount) entries", target: "≤ 200 ms") { try change {} },
      Contender("the same and scenectl reload") {
        try change {
          _ = try SpawnedProgram.run(scenectl, ["reload"], environment: environment)
        }
      },
    ]
    table.rows = try Comparison(options: options).rows(contenders, comparing: table.comparedColumns)
    return table
  }

  private var scenectl: String {
    (options.routerPath as NSString).deletingLastPathComponent + "/scenectl"
  }

  private func starting() throws -> Table {
    var table = Table(
      title: "desktop: a link starts a child",
      columns: ["open to main ms"],
      comparedColumns: [0]
    )
    let desktop = try BenchmarkDesktop(scheme: Self.scheme, entryCount: 1)
    let router = try RouterServer(options, environment: desktop.environment)
    let environment = desktop.environment.merging(["SCENED_SOCKET": router.socket]) { own, _ in own }
    func opening(_ program: String) throws -> [Double] {
      let start = ContinuousClock.now
      let opener = try SpawnedProgram(program, ["open", "\(Self.scheme):1"], environment: environment)
      try desktop.waitForStart()
      let time = milliseconds(since: start)
      guard try opener.waitForEnd() == .exit(0) else {
        throw BenchmarkError("\(program): \(opener.errorText)")
      }
      return [time]
    }
    var contenders = [Contender("scenectl open") { try opening(scenectl) }]
    if let gio = Self.program("gio") {
      contenders.append(Contender("gio open", target: "≤ 1.5") { try opening(gio) })
    }
    table.rows = try Comparison(options: options).rows(contenders, comparing: table.comparedColumns)
    return table
  }

  private func startingUnits() throws -> Table {
    var table = Table(
      title: "desktop: a link starts a unit, in a box with systemd 257",
      columns: ["open to main ms"],
      comparedColumns: [0]
    )
    let programs = (options.routerPath as NSString).deletingLastPathComponent
    let box = try UnitBox(programs: programs, scheme: Self.scheme)
    let program = ["sh", "-c", "echo > /home/person/report", "sh", "\(Self.scheme):1"]
    let contenders = [
      Contender("scenectl open") {
        [try box.timeToStart(of: [".local/bin/scenectl", "open", "\(Self.scheme):1"])]
      },
      Contender("systemd-run --user", target: "≤ 1.5") {
        [try box.timeToStart(of: ["systemd-run", "--user", "--quiet", "--slice=app.slice"] + program)]
      },
    ]
    table.rows = try Comparison(options: options).rows(contenders, comparing: table.comparedColumns)
    return table
  }

  private func milliseconds(since start: ContinuousClock.Instant) -> Double {
    (ContinuousClock.now - start) / .milliseconds(1)
  }

  private static func program(_ name: String) -> String? {
    let path = "/usr/bin/\(name)"
    return FileManager.default.isExecutableFile(atPath: path) ? path : nil
  }
}

/// A home directory with installed applications; the first application reports each of its starts.
private final class BenchmarkDesktop {
  let environment: [String: String]
  /// The directory of the entries.
  let entries: String
  private let directory: TemporaryDirectory
  private let reports: CInt
  private let scheme: String

  init(scheme: String, entryCount: Int) throws {
    directory = try TemporaryDirectory()
    self.scheme = scheme
    let report = directory.appending("report")
    // This process opens the FIFO for reading and for writing. Without an open writer, `read` would get an end of file.
    guard mkfifo(report, 0o600) == 0 else { throw BenchmarkError("There is no FIFO.") }
    reports = open(report, O_RDWR | O_CLOEXEC)
    let (home, data) = (directory.appending("config"), directory.appending("data"))
    entries = data + "/applications"
    environment = [
      "HOME": directory.path, "XDG_CONFIG_HOME": home, "XDG_DATA_HOME": data, "XDG_DATA_DIRS": "/usr/share",
    ]
    for path in [home, entries] {
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }
    for number in 0..<entryCount { try writeEntry(number, named: "Application \(number)") }
    let list = "[Default Applications]\nx-scheme-handler/\(scheme)=scenebench-0.desktop\n"
    try Data(list.utf8).write(to: URL(filePath: home + "/mimeapps.list"))
  }

  deinit { close(reports) }

  func writeEntry(_ number: Int, named name: String) throws {
    let entry = """
      [Desktop Entry]
      Type=Application
      Name=\(name)
      Name[de]=Anwendung \(number)
      Comment=Does what the others do
      Exec=/bin/sh -c "echo > \(directory.appending("report"))" sh %u
      MimeType=x-scheme-handler/\(scheme)\(number == 0 ? "" : "-\(number)");text/plain;image/png;
      """
    try Data(entry.utf8).write(to: URL(filePath: "\(entries)/scenebench-\(number).desktop"))
  }

  /// Waits for the next start of the first application.
  func waitForStart() throws {
    var byte: UInt8 = 0
    guard read(reports, &byte, 1) == 1 else { throw BenchmarkError("The program did not report.") }
  }
}
