import CProcess
import Glibc

package struct LaunchEnvironment: Hashable, Sendable {
  /// Each is `NAME=VALUE`.
  package var assignments: [String]
  /// False for the environment of this process.
  package var isOfManager: Bool

  package init(_ assignments: [String], isOfManager: Bool) {
    self.assignments = assignments
    self.isOfManager = isOfManager
  }

  package subscript(name: String) -> String? {
    assignments.last { $0.utf8.starts(with: "\(name)=".utf8) }.map {
      String($0.utf8.dropFirst(name.utf8.count + 1)) ?? ""
    }
  }

  /// Whether the user's manager started this process as the main process of a unit.
  package static var isOfUnit: Bool { value("SYSTEMD_EXEC_PID") == "\(getpid())" }

  /// Whether the manager has nothing to do with the session of this process, as under `dbus-run-session`.
  ///
  /// A program that such a manager starts would find neither the display nor the bus of the session.
  var isOfOtherSession: Bool {
    guard !Self.isOfUnit, let own = Self.value("DBUS_SESSION_BUS_ADDRESS") else { return false }
    let usual = Self.value("XDG_RUNTIME_DIR").map { "unix:path=\($0)/bus" }
    // An address can end with the bus's identifier, as in `unix:path=/run/user/1000/bus,guid=…`.
    let buses = [self["DBUS_SESSION_BUS_ADDRESS"], usual].map { $0?.prefix { $0 != "," } }
    return !buses.contains(own.prefix { $0 != "," })
  }

  private static func value(_ name: String) -> String? {
    guard let value = unsafe getenv(name), unsafe value.pointee != 0 else { return nil }
    return unsafe String(cString: value)
  }

  /// Supervisors such as systemd mean these only for this process.
  private static let privateNames: Set<String> = [
    "INVOCATION_ID", "JOURNAL_STREAM", "LISTEN_FDNAMES", "LISTEN_FDS", "LISTEN_PID", "MANAGERPID",
    "MEMORY_PRESSURE_WATCH", "MEMORY_PRESSURE_WRITE", "NOTIFY_SOCKET", "SYSTEMD_EXEC_PID", "WATCHDOG_PID",
    "WATCHDOG_USEC",
  ]

  static func ofProcess() -> LaunchEnvironment {
    var assignments: [String] = []
    var next = unsafe scened_environment()
    while let text = unsafe next?.pointee {
      assignments.append(unsafe String(cString: text))
      unsafe next = next?.successor()
    }
    return LaunchEnvironment(assignments, isOfManager: false).changed(set: [], unset: Array(privateNames))
  }

  static var machineName: String? {
    var name = [CChar](repeating: 0, count: Int(HOST_NAME_MAX) + 1)
    guard unsafe gethostname(&name, name.count - 1) == 0 else { return nil }
    return String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  func changed(set: [String], unset: [String]) -> LaunchEnvironment {
    let names = Set(unset + set.map(Self.name))
    return LaunchEnvironment(
      assignments.filter { !names.contains(Self.name(of: $0)) } + set,
      isOfManager: isOfManager
    )
  }

  private static func name(of assignment: String) -> String {
    String(Substring(assignment.utf8.prefix { $0 != UInt8(ascii: "=") }))
  }

  /// `program` is an absolute path, or a name that `PATH` is searched for.
  func path(ofProgram program: String) -> Result<String, LaunchFailure> {
    if program.utf8.contains(UInt8(ascii: "/")) {
      guard program.hasPrefix("/"), let isExecutable = Self.isExecutable(program) else {
        return .failure(.notFound(program: program))
      }
      return isExecutable ? .success(program) : .failure(.notExecutable(path: program))
    }
    var failure = LaunchFailure.notFound(program: program)
    for directory in (self["PATH"] ?? "/usr/local/bin:/usr/bin:/bin").split(separator: ":")
    where directory.hasPrefix("/") {
      let path = "\(directory)/\(program)"
      switch Self.isExecutable(path) {
      case true?: return .success(path)
      case false?: failure = .notExecutable(path: path)
      case nil: break
      }
    }
    return .failure(failure)
  }

  /// Nil for a missing file.
  private static func isExecutable(_ path: String) -> Bool? {
    var status = stat()
    guard !path.utf8.contains(0), unsafe stat(path, &status) == 0 else { return nil }
    return unsafe status.st_mode & S_IFMT == S_IFREG && access(path, X_OK) == 0
  }
}
