import DesktopEntries
import SceneRouting

extension Linter {
  func missingPrograms(of application: LintedApplication) -> [Finding] {
    guard let entry = application.entry else { return [] }
    var commands = entry.tryExec.map { [(key: "TryExec", program: $0, line: entry.lineOfTryExec)] } ?? []
    commands += application.commandLines.map { ("Exec", $0.exec.program, $0.line) }
    var missing: Set<String> = []
    return commands.compactMap { command in
      guard !hasProgram(command.program), missing.insert(command.program).inserted else { return nil }
      return Finding(
        .missingProgram,
        at: application.place(ofLine: command.line),
        "There is no program '\(command.program)', which '\(command.key)' names.",
        advice: "Install it, or correct '\(command.key)'."
      )
    }
  }

  func missingService(of application: LintedApplication) -> [Finding] {
    guard let entry = application.entry, entry.isDBusActivatable else { return [] }
    if let name = entry.busName, hasService(name) { return [] }
    let problem =
      entry.busName.map { "there is no service '\($0)'" } ?? "the file's name is no name on the bus"
    let advice = entry.busName == nil ? "Rename it as in 'org.example.App.desktop'" : "Install the service"
    return [
      Finding(
        .noService,
        at: application.place(ofLine: entry.lineOfDBusActivatable),
        "'DBusActivatable' has no effect, because \(problem).",
        advice: "\(advice), or remove 'DBusActivatable'."
      )
    ]
  }

  func scripts(of application: LintedApplication) -> [Finding] {
    application.commandLines.compactMap { command in
      guard let code = command.exec.codeInScript else { return nil }
      return Finding(
        .shellScript,
        at: application.place(ofLine: command.line),
        "'%\(code.rawValue)' is inside a script of a shell, so quotes and '$(…)' in a link are executed.",
        advice: #"Write '\"\$1\"' for it in the script, and after the script: sh %\#(code.rawValue)."#
      )
    }
  }

  func missingApplications() -> [Finding] {
    choices.flatMap { choice in
      choice.ids.filter { !isInstalled($0) }.map { id in
        let entry = id + ".desktop"
        return Finding(
          .notInstalled,
          at: choice.place,
          "'\(id)', which is chosen for '\(choice.key)', is not installed.",
          advice: isInstalled(entry) ? "Write '\(entry)'." : "Install it, or remove it from this line."
        )
      }
    }
  }

  /// The user had chosen the router for these types.
  func replacedRouter() -> [Finding] {
    otherDefaults.compactMap { line in
      guard let id = line.ids.first(where: isInstalled) else { return nil }
      return Finding(
        .otherDefault,
        at: line.place,
        "'\(id)' is the default for '\(line.key)', in place of scened, which you had chosen.",
        advice: "Run 'scenectl handler set \(line.key)'; if this is right, run 'scenectl handler unset'."
      )
    }
  }
}

extension LintedApplication {
  /// Of the entry and of its actions, each with its line in the file.
  fileprivate var commandLines: [(exec: ExecLine, line: Int?)] {
    guard let entry else { return [] }
    let main = entry.exec.map { [($0, entry.scenes[0].lineOfExec)] } ?? []
    return main + entry.scenes.compactMap { scene in scene.actionExec.map { ($0, scene.lineOfExec) } }
  }
}
