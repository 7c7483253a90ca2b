import Dispatch
import Glibc
package import QueueExecution
package import SessionBus

/// Source: org.freedesktop.systemd1(5).
enum UserManager {
  static let name = "org.freedesktop.systemd1"
  private static let path = "/org/freedesktop/systemd1"
  private static let interface = "org.freedesktop.systemd1.Manager"
  private static let properties = "org.freedesktop.DBus.Properties"

  /// Right after its start, the bus holds this call until the manager has its name, because ``BusCall/startsService``
  /// is true.
  static let environmentCall = BusCall(
    "Get",
    of: properties,
    at: path,
    in: name,
    [.string(interface), .string("Environment")]
  )

  /// Without this call, the manager sends no signals.
  static let subscribeCall = call("Subscribe", [])

  static func call(_ member: String, _ arguments: [BusValue]) -> BusCall {
    BusCall(member, of: interface, at: path, in: name, arguments, startsService: false)
  }

  /// systemd uses the same job mode when it starts a service for the bus.
  static func startCall(_ unit: String) -> BusCall { call("StartUnit", [.string(unit), .string("replace")]) }

  static func jobRemoved(of unit: String) -> SignalMatch {
    SignalMatch("JobRemoved", of: interface, at: path, in: name, argument: SignalMatch.Argument(2, unit))
  }

  static func propertiesChanged(of unit: String) -> SignalMatch {
    let path = ObjectPath.path(below: "\(path)/unit", for: unit) ?? path
    return SignalMatch("PropertiesChanged", of: properties, at: path, in: name)
  }

  static func environment(in reply: [BusValue]) -> LaunchEnvironment? {
    guard case .variant(let value)? = reply.first, let assignments = value.elements else { return nil }
    return LaunchEnvironment(assignments.compactMap(\.text), isOfManager: true)
  }

  /// Whether there is no session bus, or no manager on it.
  static func isMissing(_ error: BusError) -> Bool {
    switch error {
    case .unavailable: true
    case .refused(let name, _):
      // If no manager runs, the bus runs the command of its service file, which can be `/bin/false`.
      name == "org.freedesktop.DBus.Error.ServiceUnknown"
        || name.hasPrefix("org.freedesktop.DBus.Error.Spawn.")
    default: false
    }
  }
}

extension BusConnection {
  /// Over the manager's own socket, as systemctl(1) does; nil if its directory is unknown.
  package static func ofUserManager(on executor: QueueExecutor) -> BusConnection? {
    guard let directory = unsafe getenv("XDG_RUNTIME_DIR"), unsafe directory.pointee != 0 else { return nil }
    return BusConnection(
      on: executor,
      address: BusAddress.ofSocket(unsafe String(cString: directory) + "/systemd/private"),
      isPeer: true
    )
  }
}
