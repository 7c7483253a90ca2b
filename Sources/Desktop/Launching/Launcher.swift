package import DesktopEntries
package import Dispatch
import Glibc
package import QueueExecution
package import SessionBus

/// Starts programs in the first way that is possible: a call over the bus, a unit of the user's manager, or a child.
///
/// If the start fails, no other way is tried. A child keeps the restrictions of this process's unit. Methods can be
/// called from any thread and never wait; the work is done on the queue of the bus.
package actor Launcher {
  package nonisolated var executor: QueueExecutor { bus.executor }
  package nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

  let bus: BusConnection
  let manager: BusConnection
  /// Whether ``manager`` leads to the manager directly, so that the manager need not be on the session bus.
  private let isDirect: Bool
  private let terminalOption: ExecLine?
  let settlingTime: DispatchTimeInterval
  private let completionQueue: DispatchQueue
  /// Searches of the journal may wait for the disk.
  let journalQueue = DispatchQueue(label: "scened.journal")
  var launches: [LaunchID: Launch] = [:]
  var children: [pid_t: any DispatchSourceRead] = [:]
  private var lastLaunch: UInt64 = 0

  struct Launch {
    let request: LaunchRequest
    let completion: @Sendable (LaunchOutcome) -> Void
    /// By command; nil until the program counts as started.
    var started: [StartedProgram?] = []
    var units: [Int: ProgramUnit] = [:]
    var subscriptions: [BusConnection.SubscriptionID] = []
    var activation: ApplicationCall?
    /// Whether a unit has failed and its last line is still searched for.
    var isFailing = false
  }

  /// `manager` is a direct connection on the queue of `bus`; nil if the manager can be reached only over the bus.
  ///
  /// The command line of a program that needs a terminal is put after `terminal`, or after the usual one of the
  /// environment. After `settlingTime` a program counts as started, and a later failure is not reported.
  package init(
    bus: BusConnection,
    manager: BusConnection? = nil,
    completionQueue: DispatchQueue,
    terminal: ExecLine? = nil,
    settlingTime: DispatchTimeInterval = .milliseconds(500)
  ) {
    self.bus = bus
    self.manager = manager ?? bus
    isDirect = manager != nil
    self.completionQueue = completionQueue
    terminalOption = terminal
    self.settlingTime = settlingTime
  }

  /// `completion` is called once on the completion queue, at the latest when the request's time limit is reached.
  package nonisolated func start(
    _ request: LaunchRequest,
    completion: @escaping @Sendable (LaunchOutcome) -> Void
  ) {
    executor.queue.async { self.assumeIsolated { $0.begin(request, completion) } }
  }

  /// Finds what a program would get if it were started now; `completion` is called on the completion queue.
  package nonisolated func readEnvironment(
    timeLimit: Duration = .seconds(5),
    completion: @escaping @Sendable (Result<LaunchEnvironment, BusError>) -> Void
  ) {
    let completionQueue = completionQueue
    findEnvironment(timeLimit: timeLimit) { environment in
      completionQueue.async { completion(environment) }
    }
  }

  /// `completion` is called on the queue of the bus.
  nonisolated func findEnvironment(
    timeLimit: Duration,
    completion: @escaping @Sendable (Result<LaunchEnvironment, BusError>) -> Void
  ) {
    manager.call(UserManager.environmentCall, timeLimit: timeLimit) { [isDirect] reply in
      switch reply {
      case .success(let values):
        let environment = UserManager.environment(in: values) ?? LaunchEnvironment([], isOfManager: true)
        completion(.success(isDirect && environment.isOfOtherSession ? .ofProcess() : environment))
      case .failure(let error) where UserManager.isMissing(error):
        completion(.success(.ofProcess()))
      case .failure(let error): completion(.failure(error))
      }
    }
  }
}

// MARK: - The ways to start a program

extension Launcher {
  private func begin(_ request: LaunchRequest, _ completion: @escaping @Sendable (LaunchOutcome) -> Void) {
    lastLaunch += 1
    let id = LaunchID(number: lastLaunch)
    launches[id] = Launch(request: request, completion: completion)
    executor.queue.asyncAfter(deadline: .now() + request.timeLimit.dispatchInterval) {
      self.assumeIsolated { $0.timeLimitReached(id) }
    }
    if request.entry.isDBusActivatable { activate(id, request) } else { execute(id, request) }
  }

  func execute(_ id: LaunchID, _ request: LaunchRequest) {
    guard launches[id] != nil else { return }
    switch request.commands() {
    case .failure(let failure): finish(id, .failed(failure))
    case .success(let commands):
      findEnvironment(timeLimit: request.timeLimit) { environment in
        self.assumeIsolated { $0.execute(id, request, commands, environment) }
      }
    }
  }

  private func execute(
    _ id: LaunchID,
    _ request: LaunchRequest,
    _ commands: [[[UInt8]]],
    _ environment: Result<LaunchEnvironment, BusError>
  ) {
    guard launches[id] != nil else { return }
    guard case .success(let environment) = environment else {
      if case .failure(let error) = environment {
        finish(id, .failed(.manager(name: request.entry.id, error)))
      }
      return
    }
    let program = request.exec?.program ?? ""
    if let directory = request.entry.workingDirectory, !directory.hasPrefix("/") {
      return finish(id, .failed(.noWorkingDirectory(program: program, path: directory)))
    }
    // A terminal would report a missing program in a window that may close too early.
    for command in commands {
      let path = environment.path(ofProgram: String(decoding: command[0], as: UTF8.self))
      if case .failure(let failure) = path { return finish(id, .failed(failure)) }
    }
    var variables = request.variables.changes(token: request.validToken)
    var commands = commands
    if request.entry.runsInTerminal {
      guard let terminal = findTerminal(for: request, in: environment) else {
        let missing = terminalOption.map { MissingTerminal.ofOption($0.program) }
        return finish(id, .failed(.noTerminal(program: program, missing ?? .usual(environment["TERMINAL"]))))
      }
      commands = commands.map { terminal.command(running: $0, with: variables) }
      // Programs that are started in the terminal later would inherit its variables. The token brings its window to the
      // front.
      variables = LaunchVariables().changes(token: request.validToken)
    }
    launches[id]?.started = Array(repeating: nil, count: commands.count)
    for (index, arguments) in commands.enumerated() where launches[id] != nil {
      switch environment.path(ofProgram: String(decoding: arguments[0], as: UTF8.self)) {
      case .failure(let failure): finish(id, .failed(failure))
      case .success(let path) where environment.isOfManager:
        startUnit(id, index, request, path, arguments, variables)
      case .success(let path): startChild(id, index, request, path, arguments, variables, environment)
      }
    }
  }

  private func findTerminal(for request: LaunchRequest, in environment: LaunchEnvironment) -> TerminalProgram?
  {
    guard let terminalOption else { return TerminalProgram(usualIn: environment) }
    return TerminalProgram(terminalOption, names: request.names, in: environment)
  }
}

// MARK: - The end of a launch

extension Launcher {
  /// The launch ends when all its programs have started.
  func started(_ id: LaunchID, _ index: Int, _ program: StartedProgram) {
    guard let launch = launches[id], !launch.isFailing, launch.started.indices.contains(index) else { return }
    launches[id]?.started[index] = program
    guard let all = launches[id]?.started, !all.contains(nil) else { return }
    finish(id, .started(all.compactMap(\.self)))
  }

  /// Does nothing if the launch has ended.
  func finish(_ id: LaunchID, _ outcome: LaunchOutcome) {
    guard let launch = launches.removeValue(forKey: id) else { return }
    let outcome =
      launch.request.entry.runsInTerminal ? outcome.inTerminal(launch.request.exec?.program ?? "") : outcome
    for subscription in launch.subscriptions { manager.unsubscribe(subscription) }
    completionQueue.async { launch.completion(outcome) }
  }

  private func timeLimitReached(_ id: LaunchID) {
    guard let launch = launches[id] else { return }
    let timedOut = LaunchFailure.timedOut(id: launch.request.entry.id)
    finish(id, .failed(launch.activation.map { .noAnswer(name: $0.name) } ?? timedOut))
  }
}

extension LaunchRequest {
  /// Nil after the token's lifetime.
  var validToken: String? {
    guard let activationToken, activationToken.isValid(at: .now) else { return nil }
    return activationToken.text
  }
}

extension Duration {
  fileprivate var dispatchInterval: DispatchTimeInterval {
    .microseconds(
      Int(clamping: components.seconds) * 1_000_000 + Int(components.attoseconds / 1_000_000_000_000)
    )
  }
}
