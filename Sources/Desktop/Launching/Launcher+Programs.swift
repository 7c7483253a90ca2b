import DesktopEntries
import Dispatch
import Glibc
import QueueExecution
import SessionBus

// MARK: - Units

extension Launcher {
  func startUnit(
    _ id: LaunchID,
    _ index: Int,
    _ request: LaunchRequest,
    _ path: String,
    _ arguments: [[UInt8]],
    _ variables: LaunchVariables.Changes
  ) {
    let command = UnitCommand(path, arguments)
    let unit = ProgramUnit(desktopID: request.entry.id, path: path)
    let settings = ProgramUnit.Settings(
      description: request.entry.name,
      command: command,
      workingDirectory: request.entry.workingDirectory,
      environment: variables
    )
    start(id, index, unit, unit.startCall(settings), request.timeLimit)
  }

  func start(
    _ id: LaunchID,
    _ index: Int,
    _ unit: ProgramUnit,
    _ call: BusCall,
    _ timeLimit: Duration
  ) {
    guard launches[id] != nil else { return }
    launches[id]?.units[index] = unit
    launches[id]?.subscriptions += [
      manager.subscribe(UserManager.propertiesChanged(of: unit.name)) { report in
        self.assumeIsolated { $0.unitChanged(id, index, report) }
      },
      manager.subscribe(UserManager.jobRemoved(of: unit.name)) { report in
        self.assumeIsolated { $0.jobEnded(id, index, report) }
      },
    ]
    // A connection can make this call only once; a further call fails, and is not needed.
    manager.call(UserManager.subscribeCall, timeLimit: timeLimit) { _ in }
    manager.call(call, timeLimit: timeLimit) { reply in
      guard case .failure(let error) = reply else { return }
      self.assumeIsolated { $0.unitRefused(id, unit.name, timeLimit, error) }
    }
  }

  private func unitRefused(_ id: LaunchID, _ unit: String, _ timeLimit: Duration, _ error: BusError) {
    switch error {
    case .refused("org.freedesktop.systemd1.UnitExists", _): break
    case .refused("org.freedesktop.systemd1.UnitMasked", _): return finish(id, .failed(.masked(unit: unit)))
    default: return finish(id, .failed(.manager(name: unit, error)))
    }
    // A unit with this name exists already, and may be masked by a link to /dev/null.
    manager.call(UserManager.call("GetUnitFileState", [.string(unit)]), timeLimit: timeLimit) { reply in
      let isMasked =
        if case .success(let values) = reply { values.first?.text?.hasPrefix("masked") == true } else {
          false
        }
      let failure = isMasked ? LaunchFailure.masked(unit: unit) : .manager(name: unit, error)
      self.assumeIsolated { $0.finish(id, .failed(failure)) }
    }
  }

  private func unitChanged(_ id: LaunchID, _ index: Int, _ report: BusConnection.Report) {
    guard case .signal(let signal) = report, let launch = launches[id], !launch.isFailing,
      var unit = launch.units[index]
    else { return }
    unit.note(signal)
    launches[id]?.units[index] = unit
    // A unit that has counted as started can end while the launch still waits for other units.
    guard unit.isExecuted, unit.hasEnded, launch.activation != nil || launch.started[index] == nil else {
      return
    }
    if let failure = unit.failure {
      fail(id, unit, failure)
    } else {
      started(id, index, .unit(unit.name))
    }
  }

  private func jobEnded(_ id: LaunchID, _ index: Int, _ report: BusConnection.Report) {
    guard let launch = launches[id], !launch.isFailing, let unit = launch.units[index] else { return }
    if launch.activation != nil, unit.isExecuted { return }
    guard case .signal(let signal) = report else {
      // Without the bus no more signals arrive.
      return unit.isExecuted
        ? started(id, index, .unit(unit.name))
        : finish(id, .failed(.manager(name: unit.name, .disconnected)))
    }
    let job = signal.values.indices.contains(3) ? signal.values[3].text ?? "" : ""
    if let failure = unit.failure(ofJob: job, workingDirectory: launch.request.entry.workingDirectory) {
      return fail(id, unit, failure)
    }
    launches[id]?.units[index]?.isExecuted = true
    if let activation = launch.activation {
      guard unit.hasEnded else { return call(id, launch.request, activation, startsService: true) }
      let reason = "it ended without taking its name on the bus"
      return fail(id, unit, .notStarted(unit: unit.name, result: reason))
    }
    if unit.hasEnded {
      if let failure = unit.failure { return fail(id, unit, failure) }
      return started(id, index, .unit(unit.name))
    }
    executor.queue.asyncAfter(deadline: .now() + settlingTime) {
      self.assumeIsolated { $0.started(id, index, .unit(unit.name)) }
    }
  }
}

// MARK: - Failed units

extension Launcher {
  /// systemd can report the end of a program before the journal has its last line.
  private static var journalDelays: [DispatchTimeInterval] {
    [.seconds(0), .milliseconds(50), .milliseconds(200), .milliseconds(500)]
  }

  /// The failure gets the last line that the unit's processes wrote, if the journal has one in time.
  private func fail(_ id: LaunchID, _ unit: ProgramUnit, _ failure: LaunchFailure) {
    guard failure.isOfExecutedProgram else { return finish(id, .failed(failure)) }
    launches[id]?.isFailing = true
    fail(id, unit, failure, Self.journalDelays[...])
  }

  private func fail(
    _ id: LaunchID,
    _ unit: ProgramUnit,
    _ failure: LaunchFailure,
    _ delays: ArraySlice<DispatchTimeInterval>
  ) {
    guard let launch = launches[id] else { return }
    guard let delay = delays.first else {
      return finish(id, .failed(.ofUnit(unit: unit.name, lastLine: nil, failure)))
    }
    let urls = launch.request.urls
    journalQueue.asyncAfter(deadline: .now() + delay) {
      let line = LastLine(ofUnit: unit.name, since: unit.requested, hiding: urls)
      self.executor.queue.async {
        self.assumeIsolated { launcher in
          guard let line else { return launcher.fail(id, unit, failure, delays.dropFirst()) }
          launcher.finish(id, .failed(.ofUnit(unit: unit.name, lastLine: line.text, failure)))
        }
      }
    }
  }
}

// MARK: - Children

extension Launcher {
  func startChild(
    _ id: LaunchID,
    _ index: Int,
    _ request: LaunchRequest,
    _ path: String,
    _ arguments: [[UInt8]],
    _ variables: LaunchVariables.Changes,
    _ environment: LaunchEnvironment
  ) {
    let child = ChildProcess.start(
      path,
      arguments,
      environment: environment.changed(set: variables.set, unset: variables.unset),
      directory: request.entry.workingDirectory
    )
    switch child {
    case .failure(let failure): finish(id, .failed(failure))
    case .success(let (process, descriptor)):
      let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: executor.queue)
      source.setEventHandler { self.assumeIsolated { $0.childEnded(id, index, process, path) } }
      source.setCancelHandler { close(descriptor) }
      children[process] = source
      source.activate()
      executor.queue.asyncAfter(deadline: .now() + settlingTime) {
        self.assumeIsolated { $0.started(id, index, .process(process)) }
      }
    }
  }

  private func childEnded(_ id: LaunchID, _ index: Int, _ process: pid_t, _ path: String) {
    guard let ending = ChildProcess.ending(of: process) else { return }
    children.removeValue(forKey: process)?.cancel()
    if let failure = ending.failure(of: path) {
      if launches[id]?.started[index] == nil { finish(id, .failed(.ofChild(failure))) }
    } else {
      started(id, index, .process(process))
    }
  }
}
