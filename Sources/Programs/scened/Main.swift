import CProcess
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
    scened_return_freed_memory()
    // Dispatch asks for a higher priority for its thread of timers and signals, and logs that it did not get it, as no
    // process without privileges does. Whoever wants its messages sets the variable.
    unsafe setenv("LIBDISPATCH_LOG", "NO", 0)
    // The log may be a pipe whose reader has ended.
    signal(SIGPIPE, SIG_IGN)
    // Until somebody listens for it, it waits: by default it would end the program.
    block([SIGHUP])
    let log = Logger(label: "scened") { _ in StandardErrorLog(level: options.logLevel) }
    do {
      let daemon = try Daemon(options, log: log) { exit($0) }
      withExtendedLifetime(daemon) { leaveToDispatch() }
    } catch {
      log.critical("\(error)")
      exit(1)
    }
  }

  /// Opens /dev/null for each standard stream that is closed, as the next descriptors would take their numbers.
  private static func openStandardStreams() {
    // open(2) takes the lowest free number.
    while true {
      let descriptor = unsafe open("/dev/null", O_RDWR | O_CLOEXEC)
      guard (0...STDERR_FILENO).contains(descriptor) else {
        if descriptor > STDERR_FILENO { close(descriptor) }
        return
      }
    }
  }

  /// Leaves everything to Dispatch; `dispatchMain` would end the main thread, for which the unwinder is loaded.
  private static func leaveToDispatch() -> Never {
    // Sources of signals get only what all threads block; other signals keep their default action.
    block(Daemon.stopSignals)
    while true { pause() }
  }

  private static func block(_ signals: [CInt]) {
    var blocked = sigset_t()
    unsafe sigemptyset(&blocked)
    for signal in signals { unsafe sigaddset(&blocked, signal) }
    unsafe pthread_sigmask(SIG_BLOCK, &blocked, nil)
  }
}
