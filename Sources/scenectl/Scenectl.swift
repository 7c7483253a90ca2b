import ArgumentParser
import Glibc
import SceneClient

/// The command-line tool.
@main
struct Scenectl: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "scenectl",
    abstract: "Send events to open scenes (windows), and see where they go and why.",
    discussion: """
      The router is found at --socket, or with --system at /run/scened/io.scened.Router, else at $SCENED_SOCKET, else \
      at $XDG_RUNTIME_DIR/scened/io.scened.Router.

      Exit status: 0 taken, 1 error, 3 not routed, 4 declined, 5 timed out, 6 launch failed, 7 outcome unknown, \
      64 usage. Of several events the first that was not taken decides.
      """,
    version: "scenectl 1.0.0",
    subcommands: [
      OpenCommand.self, SendCommand.self, ExplainCommand.self, SceneCommand.self, DeclareCommand.self,
      ScenesCommand.self, ApplicationsCommand.self, MonitorCommand.self, StatusCommand.self, DemoCommand.self,
    ]
  )

  static func main() async {
    Host.prepareStandardStreams()
    do {
      var command = try parseAsRoot()
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
