import ArgumentParser
import Glibc
import SceneClient
import UnixSocket
import VarlinkClient

/// The command-line tool.
@main
struct Scenectl: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "scenectl",
    abstract: "Send events to open scenes (windows), and see where they go and why.",
    discussion: """
      The router is found at --socket, or with --system at /run/scened/io.scened.Router, else at $SCENED_SOCKET, else \
      at $XDG_RUNTIME_DIR/scened/io.scened.Router. These options and --json may come before the subcommand or after it.

      An identifier matches an event that contains it anywhere, case and accents aside: 'album/4' also matches \
      'photos://album/42'. '*' matches every event. Compared is the URL; of an activity the target content \
      identifier, or else the web page's URL.

      The first of these takes an event: an open scene that prefers it (between applications, '*' comes after every \
      other preference), an open scene that allows it, a new scene of a declaration that matches it, a new scene of a \
      declaration without condition. Of several scenes the one that was active last comes first, then those that never \
      were, in the order in which they were opened; of several declarations the first. Active is the scene whose program \
      says that its user works in it; an event does not make it so.

      An application should claim the URL schemes it stands for: its links then go to no other, whatever others prefer, \
      and it gets no others. Without claims a short identifier also takes links of other programs. Of web links it can \
      claim hosts: these come to the closest claim before they come to a browser, unless a scene prefers them whose \
      application claims them too, by the scheme or the host. An event that is sent to one application knows no claims.

      Exit status: 0 taken, 1 error, 2 findings, 3 not routed, 4 declined, 5 timed out, 6 launch failed, 7 outcome unknown, \
      64 usage. Of several events the first that was not taken decides. A scene, declare or monitor that the router \
      ends has status 1.
      """,
    version: "scenectl 1.0.0",
    subcommands: [
      OpenCommand.self, SendCommand.self, ExplainCommand.self, SceneCommand.self, DeclareCommand.self,
      ScenesCommand.self, ApplicationsCommand.self, ActivitiesCommand.self, ContinueCommand.self,
      HandoffCommand.self,
      HandlerCommand.self, MonitorCommand.self, HistoryCommand.self, WhyCommand.self, StatusCommand.self,
      ReloadCommand.self, CheckCommand.self, BridgeCommand.self, DemoCommand.self,
    ]
  )

  @OptionGroup var router: RouterOptions

  /// Runs the tool on the main thread, which waits for the router as well, because starting other threads would take
  /// longer than opening a link.
  static func main() {
    EventProgram.becomeIfAsked()
    Host.prepareStandardStreams()
    Task { @MainActor in
      await withTaskExecutorPreference(MainThread.executor) { await run() }
      Glibc.exit(EXIT_SUCCESS)
    }
    do throws(SocketError) {
      try MainThread.run()
    } catch {
      end(with: error)
    }
  }

  private static func run() async {
    do {
      var command = try await CommandArguments.parse()
      if var command = command as? any AsyncParsableCommand {
        try await command.run()
      } else {
        try command.run()
      }
    } catch {
      end(with: error)
    }
  }

  private static func end(with error: any Error) -> Never {
    var status = exitCode(for: error)
    switch error {
    case is ExitCode: break
    case let error as OutputError where error.isEndOfInterest: break
    case let error as RouterError: Terminal.showError(error.sentence.printable)
    case _ where status == .success:
      do throws(OutputError) {
        try Terminal.show(fullMessage(for: error))
      } catch {
        status = .failure
      }
    default: Terminal.showError(String(fullMessage(for: error).trimmingPrefix("Error: ")))
    }
    Glibc.exit(status.rawValue)
  }
}
