import Dispatch
import SessionBus

/// Source for the name, slice and settings: systemd.io/DESKTOP_ENVIRONMENTS.
struct ProgramUnit {
  struct Settings {
    var description: String
    var command: UnitCommand
    var workingDirectory: String?
    var environment: LaunchVariables.Changes
  }

  let name: String
  /// Nil for a unit that scened did not make.
  let path: String?
  var isExecuted = false
  /// Whether the unit has become inactive or failed.
  private(set) var hasEnded = false
  private var result = "success"
  private var exitStatus: Int32 = 0
  private var conditionResult = true
  /// False until an inactive or failed unit begins to start.
  private var hasBegun = true
  /// In microseconds of the monotonic clock.
  let requested = DispatchTime.now().uptimeNanoseconds / 1000

  /// For an existing unit, which is at rest if it is inactive or failed.
  init(name: String, isAtRest: Bool) { (self.name, path, hasBegun) = (name, nil, !isAtRest) }

  /// If the name would be too long for systemd, one is used that tells nothing about the application.
  init(desktopID: String, path: String) {
    let suffix = ".desktop"
    let id = desktopID.hasSuffix(suffix) ? desktopID.dropLast(suffix.count) : desktopID[...]
    let end = "@\(String(UInt64.random(in: .min ... .max), radix: 16)).service"
    let name = "app-\(Self.escaped(id))\(end)"
    self.name = name.utf8.count <= Self.longestName ? name : "app-\(Self.escaped("scened-open"))\(end)"
    self.path = path
  }

  /// In bytes (systemd.unit(5)).
  private static let longestName = 255

  /// As systemd-escape(1) does.
  private static func escaped(_ text: Substring) -> String {
    var result = ""
    for (index, byte) in text.utf8.enumerated() {
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: ":"), UInt8(ascii: "_"):
        result.unicodeScalars.append(Unicode.Scalar(byte))
      case UInt8(ascii: ".") where index > 0: result += "."
      default: result += #"\x"# + (byte < 16 ? "0" : "") + String(byte, radix: 16)
      }
    }
    return result
  }

  func startCall(_ settings: Settings) -> BusCall {
    // Without `no-env-expand`, systemd would replace `$NAME` with the value of a variable.
    let command: BusValue = .structure([
      .string(settings.command.path), .strings(settings.command.arguments), .strings(["no-env-expand"]),
    ])
    var properties: [(String, BusValue)] = [
      ("Description", .string(settings.description)),
      ("Type", .string("exec")),
      ("ExitType", .string("cgroup")),
      ("Slice", .string("app.slice")),
      ("CollectMode", .string("inactive-or-failed")),
      // By default, systemd lets the programs of units ignore this signal.
      ("IgnoreSIGPIPE", .boolean(false)),
      ("ExecStartEx", .array(of: "(sasas)", [command])),
      ("Environment", .strings(settings.environment.set)),
      ("UnsetEnvironment", .strings(settings.environment.unset)),
    ]
    if let directory = settings.workingDirectory {
      properties.append(("WorkingDirectory", .string(directory)))
    }
    return UserManager.call(
      "StartTransientUnit",
      [
        .string(name), .string("fail"),
        .array(of: "(sv)", properties.map { .structure([.string($0), .variant($1)]) }),
        .array(of: "(sa(sv))", []),
      ]
    )
  }

  /// `signal` is a `PropertiesChanged`.
  mutating func note(_ signal: BusSignal) {
    guard signal.values.count > 1, let changes = signal.values[1].elements else { return }
    for case .entry(.string(let name), .variant(let value)) in changes {
      switch (name, value) {
      case ("Result", .string(let result)): self.result = result
      case ("ExecMainStatus", .int32(let status)): exitStatus = status
      case ("ConditionResult", .boolean(let result)): conditionResult = result
      case ("InactiveExitTimestampMonotonic", .uint64(let time)): hasBegun = hasBegun || time >= requested
      case ("ActiveState", .string(let state)): hasEnded = state == "inactive" || state == "failed"
      default: break
      }
    }
  }

  var failure: LaunchFailure? {
    switch result {
    case "success": nil
    case "exit-code": .exited(program: path ?? name, status: exitStatus)
    case "signal", "core-dump": .killed(program: path ?? name, signal: exitStatus)
    default: .notStarted(unit: name, result: result)
    }
  }

  /// `job` is the result of the job that was to start the unit; nil if the unit was started.
  func failure(ofJob job: String, workingDirectory: String?) -> LaunchFailure? {
    // Statuses of systemd's own (systemd.exec(5)).
    let (changeDirectory, execute): (Int32, Int32) = (200, 203)
    if job == "done" {
      return conditionResult ? nil : .notStarted(unit: name, result: "a condition is not met")
    }
    // If the unit has not begun to start, it was started too often. Its `Result` still describes the previous start.
    if job == "failed", !hasBegun { return .startLimit(unit: name) }
    if case .exited(_, execute)? = failure {
      return .notExecuted(path: path ?? name, reason: "the system call execve failed")
    }
    if case .exited(_, changeDirectory)? = failure, let path {
      return .noWorkingDirectory(program: path, path: workingDirectory ?? "")
    }
    return failure ?? .notStarted(unit: name, result: job)
  }
}
