import CProcess
import Dispatch
import Glibc
import Logging
import SceneServer

/// The daemon.
@main
enum Main {
  /// The exit status for a wrong command line (`EX_USAGE` of sysexits.h).
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
    // The history and the sockets are for this user alone.
    umask(0o077)
    // Dispatch asks for a higher priority for its thread of timers and signals. Without privileges the request fails,
    // and Dispatch would log the failure. So the log of Dispatch is turned off. The argument 0 keeps a value of the
    // variable that the user has set.
    unsafe setenv("LIBDISPATCH_LOG", "NO", 0)
    // By default SIGPIPE would end the program when the program logs to a pipe without a reader.
    signal(SIGPIPE, SIG_IGN)
    // By default SIGHUP would end the program. A blocked SIGHUP stays pending until a dispatch source takes it.
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

  /// Opens /dev/null for each closed standard stream, so that no other file gets the stream's number.
  private static func openStandardStreams() {
    // open(2) takes the lowest free number. A number above 2 means that all three standard streams are open.
    while true {
      let descriptor = unsafe open("/dev/null", O_RDWR | O_CLOEXEC)
      guard (0...STDERR_FILENO).contains(descriptor) else {
        if descriptor > STDERR_FILENO { close(descriptor) }
        return
      }
    }
  }

  /// Leaves all work to Dispatch.
  ///
  /// `dispatchMain` is not used, because it ends the main thread. To end a thread, the runtime has to load one more
  /// library, the unwinder.
  private static func leaveToDispatch() -> Never {
    // The main thread blocks the stop signals too. A signal source gets a signal only if every thread blocks it.
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
