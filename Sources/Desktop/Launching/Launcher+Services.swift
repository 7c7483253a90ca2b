import DesktopEntries
import Installed
import SessionBus

// MARK: - Services of the bus

extension Launcher {
  /// Calls an application over the bus, and starts the application if it does not run.
  ///
  /// If the application does not run, and systemd has a unit for it, scened itself starts the unit. The bus could start
  /// the unit too. But if the unit failed, dbus-daemon would not notice the failure, and would go on waiting for the
  /// application's name. A later call would then start nothing.
  func activate(_ id: LaunchID, _ request: LaunchRequest) {
    guard let activation = ApplicationCall(request, token: request.validToken) else {
      if request.exec != nil { return execute(id, request) }
      return finish(id, .failed(.noBusName(id: request.entry.id)))
    }
    launches[id]?.activation = activation
    call(id, request, activation, startsService: false)
  }

  /// Sends the call that activates the application.
  ///
  /// If `startsService` is true, the bus starts an application that does not run. It then holds the call until the
  /// application has its name on the bus.
  func call(_ id: LaunchID, _ request: LaunchRequest, _ activation: ApplicationCall, startsService: Bool) {
    guard launches[id] != nil else { return }
    var call = activation.call
    call.startsService = startsService
    bus.call(call, timeLimit: request.timeLimit) { reply in
      self.assumeIsolated { launcher in
        if case .failure(let error) = reply, !startsService, error.isWithoutOwner {
          launcher.start(id, request, activation)
        } else {
          launcher.answered(id, request, activation.name, reply)
        }
      }
    }
  }

  /// Starts the unit of an application; if the application has no unit, lets the bus start the application.
  private func start(_ id: LaunchID, _ request: LaunchRequest, _ activation: ApplicationCall) {
    findEnvironment(timeLimit: request.timeLimit) { environment in
      self.assumeIsolated { launcher in
        guard case .success(let environment) = environment, environment.isOfManager,
          let unit = DesktopPlaces(
            environment: DesktopPlaces.processEnvironment,
            manager: { environment[$0] }
          )
          .unit(ofService: activation.name)
        else { return launcher.call(id, request, activation, startsService: true) }
        launcher.start(id, request, unit)
      }
    }
  }

  private func start(_ id: LaunchID, _ request: LaunchRequest, _ unit: String) {
    // `unit` may be an alias. Signals carry the primary name, so the manager is asked for the primary name.
    manager.call(UserManager.call("ListUnitsByNames", [.strings([unit])]), timeLimit: request.timeLimit) {
      reply in
      let found = (try? reply.get())?.first?.elements?.first
      let fields = if case .structure(let fields)? = found { fields.compactMap(\.text) } else { [String]() }
      let isAtRest = fields.count > 3 && ["inactive", "failed"].contains(fields[3])
      self.assumeIsolated {
        let watched = ProgramUnit(name: fields.first ?? unit, isAtRest: isAtRest)
        $0.start(id, 0, watched, UserManager.startCall(unit), request.timeLimit)
      }
    }
  }

  private func answered(
    _ id: LaunchID,
    _ request: LaunchRequest,
    _ name: String,
    _ reply: BusConnection.Reply
  ) {
    switch reply {
    case .success: finish(id, .started([.service(name)]))
    case .failure(let error) where request.exec != nil && error.isWithoutService:
      launches[id]?.activation = nil
      execute(id, request)
    case .failure(.timedOut): finish(id, .failed(.noAnswer(name: name)))
    case .failure(let error): finish(id, .failed(.refused(name: name, error)))
    }
  }
}

extension BusError {
  /// Whether the call failed because there is no bus, or the bus has no such service.
  fileprivate var isWithoutService: Bool {
    if case .unavailable = self { true } else { isWithoutOwner }
  }

  /// Whether the call failed because no program has the called name on the bus.
  fileprivate var isWithoutOwner: Bool {
    guard case .refused(let name, _) = self else { return false }
    return name == "org.freedesktop.DBus.Error.NameHasNoOwner"
      || name == "org.freedesktop.DBus.Error.ServiceUnknown"
  }
}

extension DesktopPlaces {
  /// Returns the unit in which systemd runs a service of the session bus; nil if the bus starts the service itself.
  ///
  /// The service file of an application is named `NAME.service`.
  fileprivate func unit(ofService name: String) -> String? {
    for directory in services {
      switch FileContents.read("\(directory)/\(name).service") {
      case .file(let bytes, _): return ServiceFile.unit(in: bytes)
      case .missing: continue
      case .nullDevice, .unreadable: return nil
      }
    }
    return nil
  }
}
