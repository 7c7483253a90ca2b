import DesktopEntries
import Dispatch
import Foundation
import Launching
import QueueExecution
import SessionBus
import TestSupport

/// A launcher with or without a bus, and a file for the reports of launched programs.
final class LaunchFixture {
  static let entryID = "org.example.App-1.desktop"
  static let noBus = "unix:path=/nonexistent"

  let launcher: Launcher
  let directory: TemporaryDirectory
  /// The queue on which completions are called.
  let queue = DispatchQueue(label: "test.completions")
  private let bus: BusConnection

  init(
    bus address: String = noBus,
    terminal: ExecLine? = nil,
    settlingTime: DispatchTimeInterval = .milliseconds(500)
  ) throws {
    directory = try TemporaryDirectory()
    guard mkfifo(directory.appending("report"), 0o600) == 0 else { throw Overdue("There is no FIFO.") }
    bus = BusConnection(on: QueueExecutor(label: "test.bus"), address: address)
    launcher = Launcher(bus: bus, completionQueue: queue, terminal: terminal, settlingTime: settlingTime)
  }

  deinit { bus.close() }

  var report: String { directory.appending("report") }

  /// Makes an entry of a program that reports its own start.
  func reporting(_ arguments: String = "", _ lines: String = "") throws -> DesktopEntry {
    try Self.entry("\(SpawnedProgram.buildDirectory)/ReportHowStarted \(report) \(arguments)", lines)
  }

  static func entry(_ exec: String, _ lines: String = "", id: String = entryID) throws -> DesktopEntry {
    let text = "[Desktop Entry]\nType=Application\nName=An App\nIcon=app-icon\nExec=\(exec)\n\(lines)\n"
    let (file, complaints) = DesktopEntryFile.read(Array(text.utf8), id: id, locale: LocaleName("C"))
    guard case .application(let entry) = file else { throw Overdue("\(complaints)") }
    return entry
  }

  func launch(_ request: LaunchRequest) async -> LaunchOutcome {
    await withCheckedContinuation { continuation in
      launcher.start(request) { continuation.resume(returning: $0) }
    }
  }

  /// Launches a program that reports, and waits for the outcome and the report.
  func launchReporting(_ request: LaunchRequest) async throws -> (LaunchOutcome, Report) {
    let reader = try SpawnedProgram("/bin/cat", [report])
    let outcome = await launch(request)
    guard case .started = outcome else { throw Overdue("Nothing reports: \(outcome)") }
    try reader.outputLine(containing: "end")
    return (outcome, Report(reader.outputText))
  }
}

extension LaunchRequest {
  /// Makes a request to open URLs without positions.
  init(
    _ entry: DesktopEntry,
    location: String? = nil,
    declarationID: String = "main",
    urls: [String],
    activationToken: ActivationToken? = nil
  ) {
    self.init(
      entry,
      location: location,
      declarationID: declarationID,
      opening: urls.map { Target($0) },
      activationToken: activationToken
    )
  }
}

/// The lines that a launched program has reported.
struct Report {
  let lines: [String]

  init(_ text: String) { lines = text.split(separator: "\n").map(String.init) }

  /// Returns the values that the program has reported for a trait such as `argument`, in the order of the lines.
  subscript(trait: String) -> [String] {
    lines.filter { $0.hasPrefix(trait + " ") }.map { String($0.dropFirst(trait.count + 1)) }
  }

  /// The arguments without the name of the program.
  var arguments: [String] { Array(self["argument"].dropFirst()) }

  /// The values of the variables that tell a program about its launch.
  var launchVariables: [String] {
    self["variable"].filter {
      $0.hasPrefix("SCENED_") || $0.hasPrefix("XDG_ACTIVATION_TOKEN=") || $0.hasPrefix("DESKTOP_STARTUP_ID=")
    }
  }
}
