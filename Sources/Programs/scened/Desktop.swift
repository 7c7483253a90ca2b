import DesktopEntries
import Dispatch
import Glibc
import Installed
import Launching
import Logging
import QueueExecution
import RouterInterface
import SceneRouting
import SceneServer
import SessionBus
import Synchronization

/// Declares and starts the installed applications; only a user's own instance of the daemon does this.
actor Desktop: ApplicationLauncher {
  /// For each reading: more than people read, and few enough for the journal's rate limit.
  private static let mostComplaints = 200
  private static let mostProblems = 1000

  /// The files may be on a lost network mount.
  private static let longestStart = DispatchTimeInterval.seconds(10)
  /// For the user's manager, which is slow on a busy machine.
  private static let longestAnswer = Duration.milliseconds(500)

  private let log: Logger
  /// For started programs; nil if the path is unknown.
  private let socket: String?
  /// So the server's queue never waits for files.
  nonisolated let executor = QueueExecutor(label: "scened.desktop")
  nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }
  private let launcher: Launcher
  private let installed = Mutex(InstalledApplications())

  private var server: SceneServer?
  private var places: DesktopPlaces?
  /// The variables for places that the user's manager has had.
  private var variablesOfManager: Set<String> = []
  private var watcher: DesktopWatcher?
  /// Of the last reading; the next one does not log them again.
  private var complaints: Set<FileComplaint> = []
  private var waitingReloads: [@Sendable (Reload) -> Void] = []
  private var isReading = false
  private var isOutdated = false

  init(socket: String?, _ options: Options, log: Logger) {
    self.log = log
    self.socket = socket.map(Self.absolute)
    let bus = BusConnection(on: QueueExecutor(label: "scened.bus"))
    launcher = Launcher(
      bus: bus,
      manager: .ofUserManager(on: bus.executor),
      // Starts go on while the reading of files waits for a lost mount.
      completionQueue: DispatchQueue(label: "scened.starts"),
      terminal: options.terminal
    )
  }

  /// Returns when the declarations are in place, or after ``longestStart``.
  ///
  /// It waits for the server's queue, so it is never called there.
  nonisolated func load(into server: SceneServer) {
    let isDone = DispatchSemaphore(value: 0)
    executor.queue.async {
      self.assumeIsolated { desktop in
        desktop.server = server
        desktop.watcher = DesktopWatcher(on: desktop.executor.queue, log: desktop.log) { [weak self] in
          self?.assumeIsolated { $0.readAgain() }
        }
        desktop.readAgain { _ in isDone.signal() }
      }
    }
    if isDone.wait(timeout: .now() + Self.longestStart) == .timedOut {
      log.warning("The files of the desktop cannot be read yet; links are routed without them until then.")
    }
  }

  /// Calls `ended` once, when the new declarations are in place.
  ///
  /// One more reading serves all calls that come during a reading.
  nonisolated func reload(_ ended: @escaping @Sendable (Reload) -> Void) {
    executor.queue.async { self.assumeIsolated { $0.readAgain(ended) } }
  }

  /// Reads the files again if the environment of the user's manager has changed so that other files count.
  ///
  /// systemd sends no signal then, so the server asks before it decides.
  ///
  /// - Parameter ended: Called once, on any thread, with whether the manager has answered or there is none.
  nonisolated func refresh(_ ended: @escaping @Sendable (_ isAnswered: Bool) -> Void) {
    readEnvironment(timeLimit: Self.longestAnswer) { desktop, environment in
      guard case .success(let environment) = environment else { return ended(false) }
      guard environment.isOfManager, desktop.places(in: environment) != desktop.places else {
        return ended(true)
      }
      desktop.readAgain { _ in ended(true) }
    }
  }

  private nonisolated func readEnvironment(
    timeLimit: Duration = .seconds(5),
    completion: @escaping @Sendable (isolated Desktop, Result<LaunchEnvironment, BusError>) -> Void
  ) {
    launcher.readEnvironment(timeLimit: timeLimit) { environment in
      self.executor.queue.async { self.assumeIsolated { completion($0, environment) } }
    }
  }
}

extension Desktop {
  private func readAgain(_ ended: (@Sendable (Reload) -> Void)? = nil) {
    if let ended { waitingReloads.append(ended) }
    if isReading { return isOutdated = true }
    (isReading, isOutdated) = (true, false)
    let ended = waitingReloads
    waitingReloads = []
    readEnvironment { desktop, environment in
      let reply = desktop.read(environment)
      for ended in ended { ended(reply) }
      desktop.isReading = false
      if desktop.isOutdated { desktop.readAgain() }
    }
  }

  private func read(_ environment: Result<LaunchEnvironment, BusError>) -> Reload {
    let places = findPlaces(environment)
    // The watches begin first, so that changes made meanwhile cause another reading.
    watcher?.watch(places)
    let read = InstalledApplications(reading: places, after: installed.withLock(\.self)) {
      watcher?.watch($0)
    }
    watcher?.removeOthers()
    log(read.complaints)
    installed.withLock { $0 = read }
    let files = read.fileDeclarations
    server?.queue.sync { server?.replaceFiles(with: files) }
    return Reload(
      loaded: Int64(read.applications.count),
      problems: Self.errorsFirst(read.complaints).prefix(Self.mostProblems).map { Reload.Problem($0) }
    )
  }

  private static func errorsFirst(_ complaints: [FileComplaint]) -> [FileComplaint] {
    complaints.filter { $0.complaint.severity == .error }
      + complaints.filter { $0.complaint.severity == .warning }
  }

  /// The last known places if the service manager does not answer.
  private func findPlaces(_ environment: Result<LaunchEnvironment, BusError>) -> DesktopPlaces {
    switch environment {
    case .success(let environment):
      places = places(in: environment)
      guard environment.isOfManager else { break }
      variablesOfManager.formUnion(DesktopPlaces.variablesOfManager.filter { environment[$0] != nil })
    case .failure(let error):
      log.warning("The environment of the user's service manager cannot be read: \(error)")
    }
    let found = places ?? DesktopPlaces(environment: DesktopPlaces.processEnvironment)
    places = found
    return found
  }

  /// A variable that the manager had earlier is not taken from this process, which may have got it from the manager.
  private func places(in environment: LaunchEnvironment) -> DesktopPlaces {
    guard environment.isOfManager else { return DesktopPlaces(environment: DesktopPlaces.processEnvironment) }
    let own = DesktopPlaces.processEnvironment.filter { !variablesOfManager.contains($0.key) }
    return DesktopPlaces(environment: own, manager: { environment[$0] })
  }

  private func log(_ complaints: [FileComplaint]) {
    let new = complaints.filter { !self.complaints.contains($0) }
    self.complaints = Set(complaints)
    for complaint in Self.errorsFirst(new).prefix(Self.mostComplaints) {
      log.log(level: complaint.complaint.severity == .error ? .warning : .notice, "\(complaint)")
    }
    let others = new.count - Self.mostComplaints
    if others > 0 { log.warning("\(others) more complaints about files of the desktop are not shown.") }
  }

  /// Programs may start in another directory.
  private static func absolute(_ path: String) -> String {
    guard !path.hasPrefix("/"), let directory = unsafe getcwd(nil, 0) else { return path }
    defer { unsafe free(directory) }
    return unsafe String(cString: directory) + "/" + path
  }
}

extension Desktop {
  nonisolated func launch(
    _ launch: ApplicationLaunch,
    ended: @escaping @Sendable (_ failure: StartFailure?) -> Void
  ) {
    guard let application = installed.withLock({ $0.application(withID: launch.applicationID) }) else {
      return ended(StartFailure(reason: "'\(launch.applicationID)' is not installed any more."))
    }
    let isAware = launch.openRequestID != nil
    let request = LaunchRequest(
      application.entry,
      location: application.path,
      declarationID: launch.declarationID,
      opening: launch.targets.map { target in
        let position = target.line.map { TextPosition(line: $0, column: target.column) }
        return LaunchRequest.Target(target.url, at: position)
      },
      activationToken: launch.activationToken.map {
        ActivationToken($0, received: .now - .microseconds(launch.tokenAgeUSec))
      },
      variables: LaunchVariables(
        socket: socket,
        openRequestID: launch.openRequestID,
        declarationID: isAware ? launch.declarationID : nil,
        eventID: launch.eventID
      ),
      timeLimit: .microseconds(launch.timeoutUSec)
    )
    launcher.start(request) { [log] outcome in
      switch outcome {
      case .started(let programs):
        if LaunchEnvironment.isOfUnit, case .process? = programs.first {
          log.warning(
            "'\(launch.applicationID)' runs inside the unit of scened, with its restrictions, because the user's manager does not answer."
          )
        }
        ended(nil)
      case .failed(let failure):
        // The last line that the program wrote may contain private parts of a URL.
        let reason = PrivateParts.removed(fromText: failure.description)
        log.notice("'\(launch.applicationID)' was not started: \(reason)")
        ended(StartFailure(reason: reason, endsEvents: failure.endsEvents))
      }
    }
  }
}

extension Reload.Problem {
  fileprivate init(_ complaint: FileComplaint) {
    self.init(
      path: complaint.path,
      line: Int64(complaint.complaint.line),
      message: complaint.complaint.text,
      statedWarning: complaint.complaint.severity == .warning ? true : nil
    )
  }
}
