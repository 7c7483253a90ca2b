import CProcess
import Dispatch
import Glibc
import Logging
import SceneServer

@main
enum Scened {
  /// `EX_USAGE` of sysexits.h.
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
    // Without privileges, Dispatch would log that its thread of timers and signals gets no higher priority. The
    // argument 0 keeps a value that the user has set.
    unsafe setenv("LIBDISPATCH_LOG", "NO", 0)
    // A pipe to which the program logs may lose its reader.
    signal(SIGPIPE, SIG_IGN)
    // A blocked SIGHUP stays pending until a dispatch source takes it.
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

  /// So no other file gets the stream's number.
  private static func openStandardStreams() {
    // open(2) takes the lowest free number, so above 2 all three standard streams are open.
    while true {
      let descriptor = unsafe open("/dev/null", O_RDWR | O_CLOEXEC)
      guard (0...STDERR_FILENO).contains(descriptor) else {
        if descriptor > STDERR_FILENO { close(descriptor) }
        return
      }
    }
  }

  /// `dispatchMain` would end the main thread, for which the runtime has to load the unwinder.
  private static func leaveToDispatch() -> Never {
    // A signal source gets a signal only if every thread blocks it.
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
