import DesktopEntries
import Installed
import SessionBus

extension Launcher {
  /// If the application does not run, and systemd has a unit for it, scened itself starts the unit.
  ///
  /// The bus could do so too, but dbus-daemon would not notice that the unit failed, and would go on waiting for the
  /// name. A later call would then start nothing.
  func activate(_ id: LaunchID, _ request: LaunchRequest) {
    guard let activation = ApplicationCall(request, token: request.validToken) else {
      if request.exec != nil { return execute(id, request) }
      return finish(id, .failed(.noBusName(id: request.entry.id)))
    }
    launches[id]?.activation = activation
    call(id, request, activation, startsService: false)
  }

  /// With `startsService`, the bus starts an application that does not run, and holds the call until it has its name.
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

  /// Without a unit, the bus starts the application.
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
    // `unit` may be an alias; signals carry the primary name.
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
  fileprivate var isWithoutService: Bool {
    if case .unavailable = self { true } else { isWithoutOwner }
  }

  fileprivate var isWithoutOwner: Bool {
    guard case .refused(let name, _) = self else { return false }
    return name == "org.freedesktop.DBus.Error.NameHasNoOwner"
      || name == "org.freedesktop.DBus.Error.ServiceUnknown"
  }
}

extension DesktopPlaces {
  /// Nil if the bus starts the service itself.
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
