import DesktopEntries
import Dispatch
import Foundation
import Launching
import QueueExecution
import SessionBus

/// Launches a desktop entry and prints the outcome, for tests that need a separate process.
///
/// - `LaunchDesktopEntry FILE [--token TOKEN] [--event ID] [--limit SECONDS] [URL…]` launches the entry FILE.
/// - `LaunchDesktopEntry --environment NAME` launches nothing. It prints whether launched programs would get the
///   environment of the user's manager or of this process, and the value of the variable NAME in that environment. If
///   the environment cannot be read, it prints `process` and no value.
/// - `--raised` before FILE raises the limit of open descriptors and changes the mask of new files first, as scened does.
@main
struct Main {
  static func main() throws {
    var arguments = CommandLine.arguments.dropFirst()
    let bus = BusConnection(on: QueueExecutor(label: "bus"))
    let launcher = Launcher(bus: bus, manager: .ofUserManager(on: bus.executor), completionQueue: .main)
    var file = arguments.removeFirst()
    if file == "--raised" {
      var limit = rlimit()
      getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
      limit.rlim_cur = limit.rlim_max
      setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
      umask(0o077)
      file = arguments.removeFirst()
    }
    if file == "--environment" {
      let name = arguments.removeFirst()
      launcher.readEnvironment { environment in
        let value = try? environment.get()
        print(value?.isOfManager == true ? "manager" : "process", value?[name] ?? "")
        exit(0)
      }
      dispatchMain()
    }
    let name = URL(filePath: file).lastPathComponent
    let bytes = try Array(Data(contentsOf: URL(filePath: file)))
    let (read, complaints) = DesktopEntryFile.read(bytes, id: name, locale: LocaleName("C"))
    guard case .application(let entry) = read else { fatalError("\(complaints)") }
    var request = LaunchRequest(entry, location: file)
    while let argument = arguments.popFirst() {
      switch argument {
      case "--token": request.activationToken = ActivationToken(arguments.removeFirst())
      case "--event": request.variables.eventID = arguments.removeFirst()
      case "--limit": request.timeLimit = .seconds(Int(arguments.removeFirst()) ?? 0)
      default: request.targets.append(LaunchRequest.Target(argument))
      }
    }
    launcher.start(request) { outcome in
      switch outcome {
      case .started(let programs): for program in programs { print("started", program) }
      case .failed(let failure): print("failed", failure)
      }
      exit(0)
    }
    dispatchMain()
  }
}
