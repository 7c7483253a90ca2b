import ArgumentParser

extension Scenectl {
  /// The answer to a command line without a command, in at most 25 lines of 80 columns.
  static var overview: String {
    let groups: KeyValuePairs<String, [any ParsableCommand.Type]> = [
      "Links and files": [OpenCommand.self, SendCommand.self, HandlerCommand.self],
      "What happens, and why": [
        WhyCommand.self, ExplainCommand.self, HistoryCommand.self, MonitorCommand.self, ScenesCommand.self,
        ApplicationsCommand.self, StatusCommand.self,
      ],
      "Windows and programs": [
        SceneCommand.self, DeclareCommand.self, AdapterCommand.self, RaiseCommand.self, EntryCommand.self,
        CheckCommand.self, ReloadCommand.self, DemoCommand.self,
      ],
      "Activities and other machines": [
        ActivitiesCommand.self, ContinueCommand.self, HandoffCommand.self, SSHCommand.self,
        BridgeCommand.self,
      ],
    ]
    let commands = groups.map { title, commands in
      "  \((title + ":").padded(to: 31)) \(commands.prefix(4).map(name).joined(separator: ", "))"
        + (commands.count > 4
          ? ",\n\(String(repeating: " ", count: 34))\(commands.dropFirst(4).map(name).joined(separator: ", "))"
          : "")
    }
    return """
      scenectl opens links in the right windows, and says where they go and why.

      Commands:
      \(commands.joined(separator: "\n"))

      Examples:
        scenectl open https://example.org             open a link in the right window
        scenectl why last                             why did the last link go there?
        scenectl handler set example.org firefox-esr  choose who opens links of a host

      'scenectl help COMMAND' describes a command, 'scenectl --help' the rules.
      """
  }

  private static func name(of command: any ParsableCommand.Type) -> String {
    command.configuration.commandName ?? ""
  }
}
