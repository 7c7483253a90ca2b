import Dispatch
import Glibc
import Logging
import SceneServer

/// The daemon.
@main
enum Main {
  /// The exit status for a command line that makes no sense (`EX_USAGE` of sysexits.h).
  private static let usageStatus: CInt = 64

  static func main() {
    openStandardStreams()
    let options: Options
    do throws(Options.UsageError) {
      options = try Options(Array(CommandLine.arguments.dropFirst()))
    } catch {
      Logger(label: "scened") { _ in StandardErrorLog(level: .error) }.error("\(error)")
      exit(usageStatus)
    }
    switch options.action {
    case .showHelp: print(Options.help, terminator: "")
    case .showVersion: print("scened \(SceneServer.version)")
    case .serve: serve(options)
    }
  }

  private static func serve(_ options: Options) -> Never {
    // Dispatch asks for a higher priority for its thread of timers and signals, and tells the system log whenever it
    // does not get it, which is always the case without privileges. Who wants its messages sets the variable.
    unsafe setenv("LIBDISPATCH_LOG", "NO", 0)
    // Nobody may be left to read the log.
    signal(SIGPIPE, SIG_IGN)
    // It asks a daemon to reload, and there is nothing to reload.
    signal(SIGHUP, SIG_IGN)
    let log = Logger(label: "scened") { _ in StandardErrorLog(level: options.logLevel) }
    do {
      let daemon = try Daemon(options, log: log) { exit($0) }
      withExtendedLifetime(daemon) { leaveToDispatch() }
    } catch {
      log.critical("\(error)")
      exit(1)
    }
  }

  /// Lets the standard streams lead nowhere that are closed: what is opened next would take their place.
  private static func openStandardStreams() {
    // The lowest free number is given.
    while true {
      let descriptor = unsafe open("/dev/null", O_RDWR | O_CLOEXEC)
      guard (0...STDERR_FILENO).contains(descriptor) else {
        if descriptor > STDERR_FILENO { close(descriptor) }
        return
      }
    }
  }

  /// Gives the main thread up, as `dispatchMain` does, which ends it: for that the unwinder is loaded and run.
  private static func leaveToDispatch() -> Never {
    // The sources of signals hear only of those that no thread takes; all others end the process as ever.
    var heard = sigset_t()
    unsafe sigemptyset(&heard)
    for signal in Daemon.stopSignals { unsafe sigaddset(&heard, signal) }
    unsafe pthread_sigmask(SIG_BLOCK, &heard, nil)
    while true { pause() }
  }
}
