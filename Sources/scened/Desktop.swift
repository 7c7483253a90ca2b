import Dispatch
import Glibc
import Launching
import Logging
import QueueExecution
import SceneRouting
import SceneServer
import SessionBus
import Synchronization

/// The installed applications, for a user's own instance: what they declare, and how they are started.
final class Desktop: ApplicationLauncher {
  /// How many complaints are logged each time: more than anybody reads, and few enough for a journal that limits them.
  private static let mostComplaints = 200
  /// The variables that the user's manager knows and this process may not, as they come after its socket.
  private static let variablesOfManager = ["PATH", "XDG_CURRENT_DESKTOP", "XDG_DATA_DIRS"]

  private let log: Logger
  /// Where programs that speak to the router connect.
  private let socket: String?
  /// Files are read here, never on the queue of the server.
  private let queue = DispatchQueue(label: "scened.desktop")
  private let launcher: Launcher
  private let installed = Mutex(InstalledApplications())

  init(socket: String?, _ options: Options, log: Logger) {
    self.log = log
    self.socket = socket.map(Self.absolute)
    launcher = Launcher(
      bus: BusConnection(on: QueueExecutor(label: "scened.bus")),
      completionQueue: queue,
      terminal: options.terminal
    )
  }

  /// Reads all files, logs what is wrong with them, and puts what they say in place in one exchange.
  ///
  /// Returns when that is done; never to be called on the queue of the server.
  func load(into server: SceneServer) {
    let isDone = DispatchSemaphore(value: 0)
    launcher.readEnvironment { [self] environment in
      read(environment, into: server)
      isDone.signal()
    }
    isDone.wait()
  }

  private func read(_ environment: Result<LaunchEnvironment, BusError>, into server: SceneServer) {
    var variables = Self.environment
    switch environment {
    case .success(let environment):
      for name in Self.variablesOfManager { variables[name] = environment[name] ?? variables[name] }
    case .failure(let error): log.warning("The environment of the user's manager is not known: \(error)")
    }
    let read = InstalledApplications(reading: DesktopPlaces(environment: variables))
    report(read.complaints)
    installed.withLock { $0 = read }
    let files = read.fileDeclarations
    server.queue.sync { server.replaceFiles(with: files) }
  }

  private func report(_ complaints: [FileComplaint]) {
    for complaint in complaints.prefix(Self.mostComplaints) { log.warning("\(complaint)") }
    let others = complaints.count - Self.mostComplaints
    if others > 0 { log.warning("\(others) more complaints about files of the desktop are not shown.") }
  }

  private static var environment: [String: String] {
    var environment: [String: String] = [:]
    for name in DesktopPlaces.variables {
      if let value = unsafe getenv(name) { environment[name] = unsafe String(cString: value) }
    }
    return environment
  }

  /// A path as programs find it that start in another directory.
  private static func absolute(_ path: String) -> String {
    guard !path.hasPrefix("/"), let directory = unsafe getcwd(nil, 0) else { return path }
    defer { unsafe free(directory) }
    return unsafe String(cString: directory) + "/" + path
  }
}

// MARK: - Starting

extension Desktop {
  func launch(_ launch: ApplicationLaunch, ended: @escaping @Sendable (_ failure: String?) -> Void) {
    guard let application = installed.withLock({ $0.applications[launch.applicationID] }) else {
      return ended("'\(launch.applicationID)' is not installed any more.")
    }
    let isAware = launch.openRequestID != nil
    let request = LaunchRequest(
      application.entry,
      location: application.path,
      declarationID: launch.declarationID,
      urls: launch.urls,
      activationToken: launch.activationToken.map {
        ActivationToken($0, received: .now - .microseconds(launch.tokenAgeUSec))
      },
      variables: LaunchVariables(
        socket: isAware ? socket : nil,
        openRequestID: launch.openRequestID,
        declarationID: isAware ? launch.declarationID : nil,
        eventID: launch.eventID
      ),
      timeLimit: .microseconds(launch.timeoutUSec)
    )
    launcher.start(request) { [log] outcome in
      switch outcome {
      case .started: ended(nil)
      case .failed(let failure):
        log.notice("'\(launch.applicationID)' was not started: \(failure)")
        ended(failure.description)
      }
    }
  }
}
