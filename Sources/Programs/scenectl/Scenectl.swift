import ArgumentParser
import Glibc
import SceneClient
import VarlinkClient

@main
struct Scenectl: AsyncParsableCommand {
  static let version = "1.0.0"

  static let configuration = CommandConfiguration(
    commandName: "scenectl",
    abstract: "Send events to open scenes (windows), and see where they go and why.",
    discussion: """
      The router's socket is the path given with --socket, or /run/scened/io.scened.Router with --system, else \
      $SCENED_SOCKET, else $XDG_RUNTIME_DIR/scened/io.scened.Router. These options and --json may stand before or after \
      the subcommand.

      A scene shows pages and files, and prefers or allows links that contain one of its identifiers; '*' is in every \
      link. A link goes to the first in this list. If applications claim the link by its scheme or host, 2 to 5 ask \
      only these applications:
        1. an open scene that shows exactly this page or file, whoever claims it
        2. an open scene that prefers it
        3. an open scene that allows it
        4. a new scene of a declaration that is matching it, or its type of file
        5. a new scene of a declaration without a condition
      Of several, the scene with the longest identifier in the link comes first; of equals, one whose identifier is in \
      the link letter by letter, then the scene that was active last. A scene is active when its program reports that \
      the user works in it; an event does not make a scene active.

      Of several applications, a scene that prefers the link by more than '*' comes first. Then these are asked, one \
      after the other, each by 2 to 5:
        1. the application that the user chose for links of this sender
        2. the application that the user chose for the host
        3. the applications that claim the host
        4. the user's default for the scheme or the type of file
      What nobody takes goes to a scene of any other application that prefers or allows it by more than '*'.

      The text of a link is its URL. The text of an activity is its target content identifier, else the URL of its web \
      page. Case and accents do not matter, and 'album/4' is in 'photos://album/42', too. For a page or file that a \
      scene shows, different spellings of a URL do not matter, and fragments only if several scenes show it.

      An application should claim the URL schemes or the hosts of its own links. Without claims, it gets no link that \
      others claim and take, unless a scene shows the page, and it gets links of other programs that happen to contain a \
      short identifier. Claims do not matter for an event that is sent to one application.

      Exit status: 0 taken, 1 error, 2 findings, 3 not routed, 4 declined by a scene, 5 timed out, 6 no program \
      started, or it opened no scene, 7 outcome unknown, 64 usage. If several events are sent, the first event that was not taken decides. The commands scene, \
      declare and monitor end with status 1 when the router ends them.
      """,
    version: "scenectl \(version)",
    subcommands: [
      OpenCommand.self, SendCommand.self, ExplainCommand.self, SceneCommand.self, DeclareCommand.self,
      ScenesCommand.self, ApplicationsCommand.self, ActivitiesCommand.self, ContinueCommand.self,
      HandoffCommand.self, SSHCommand.self,
      HandlerCommand.self, MonitorCommand.self, HistoryCommand.self, WhyCommand.self, StatusCommand.self,
      ReloadCommand.self, CheckCommand.self, EntryCommand.self, BridgeCommand.self, AdapterCommand.self,
      RaiseCommand.self,
      DemoCommand.self,
    ]
  )

  @OptionGroup var router: RouterOptions

  /// Runs the tool on the main queue, where the replies are read, too.
  static func main() {
    EventProgram.becomeIfAsked()
    LinksFromMachine.runIfAsked()
    Host.prepareStandardStreams()
    Task { @MainActor in
      await withTaskExecutorPreference(MainQueue.executor) { await run() }
      Glibc.exit(EXIT_SUCCESS)
    }
    MainQueue.run()
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

  static func end(with error: any Error) -> Never {
    var status = exitCode(for: error)
    switch error {
    case is ExitCode: break
    case let error as OutputError where error.isEndOfInterest: break
    case let error as RouterError: Terminal.showError(error.sentence.printable)
    case let error as ConnectionError: Terminal.showError(error.sentence.printable)
    case _ where status != .success && HandlerCommand.printsErrorsAsJSON:
      // Nobody reads a report that standard output is closed.
      try? Terminal.showJSON(JSONLine(["error": message(for: error).quoted]).text)
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
