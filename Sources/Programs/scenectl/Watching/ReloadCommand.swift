import ArgumentParser
import SceneClient

struct ReloadCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "reload",
    abstract: "Make the router read the desktop entries again, and show the mistakes in them.",
    discussion: """
      The router also reads changed entries by itself. This command ends when the router uses the current entries. If \
      an entry has an error, its last correct contents stay in use. A router of the whole system reads no entries.

      Exit status: 0 all entries are in use, perhaps with warnings, 2 some entries have errors.
      """
  )

  @OptionGroup var router: RouterOptions
  @OptionGroup var answer: AnswerOptions

  func run() async throws {
    let reload = try await router.connect(timeout: answer.timeout).reload()
    if router.json {
      try Terminal.showJSON(reload.json)
    } else {
      let count = reload.loaded
      try Terminal.show(count == 1 ? "1 application is loaded." : "\(count) applications are loaded.")
      for problem in reload.problems {
        let line = problem.line.map { ":\($0)" } ?? ""
        let severity = problem.isWarning ? "warning" : "error"
        try Terminal.show("\(problem.path)\(line): \(severity): \(problem.message)".printable)
      }
    }
    if reload.problems.contains(where: { !$0.isWarning }) { throw CommandStatus.findings.exitCode }
  }
}
