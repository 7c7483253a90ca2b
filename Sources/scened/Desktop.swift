import Dispatch
import Glibc
import Launching
import Logging
import SceneRouting
import SceneServer

/// The installed applications, for a user's own instance.
struct Desktop {
  /// How many complaints are logged each time: more than anybody reads, and few enough for a journal that limits them.
  private static let mostComplaints = 200

  /// Files are read here, never on the queue of the server.
  private let queue = DispatchQueue(label: "scened.desktop")
  private let log: Logger

  init(log: Logger) { self.log = log }

  /// Reads all files, logs what is wrong with them, and puts what they say in place in one exchange.
  func load(into server: SceneServer) {
    let files = queue.sync {
      let places = DesktopPlaces(environment: Self.environment)
      let installed = InstalledApplications(reading: places)
      report(installed.complaints)
      return installed.fileDeclarations
    }
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
}
