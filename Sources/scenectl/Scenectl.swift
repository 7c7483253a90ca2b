import ArgumentParser

/// The command-line tool.
@main
struct Scenectl: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "scenectl",
    abstract: "Send events to open scenes (windows), and see where they go and why.",
    discussion: """
      The router is found at --socket, else $SCENED_SOCKET, else $XDG_RUNTIME_DIR/scened/io.scened.Router, with \
      --system at /run/scened/io.scened.Router.

      Exit status: 0 taken, 1 error, 3 not routed, 4 declined, 5 timed out, 6 launch failed, 7 outcome unknown, \
      64 usage. Of several events the first that was not taken decides.
      """,
    version: "scenectl 1.0.0",
    subcommands: [
      OpenCommand.self, SendCommand.self, ExplainCommand.self, SceneCommand.self, DeclareCommand.self,
      ScenesCommand.self, ApplicationsCommand.self, MonitorCommand.self, StatusCommand.self, DemoCommand.self,
    ]
  )
}
