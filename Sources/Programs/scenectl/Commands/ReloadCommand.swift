import ArgumentParser
import SceneClient

/// `scenectl reload`.
struct ReloadCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "reload",
    abstract: "Have the router read the desktop entries again, and show what is wrong with them.",
    discussion: """
      It does so by itself when they change; this returns when what they say now is in place. Of a file that cannot be \
      taken, what it said before stays in force. A router for the whole system reads none.

      Exit status: 0 all were taken, 2 some were not.
      """
  )

  @OptionGroup var router: RouterOptions
  @OptionGroup var answer: AnswerOptions

  func run() async throws {
    let reload = try await router.connect(timeout: answer.timeout).reload()
    if router.json {
      try Terminal.showJSON(reload.json)
    } else {
      try Terminal.show("\(reload.loaded) applications are loaded.")
      for problem in reload.problems {
        let line = problem.line.map { ":\($0)" } ?? ""
        try Terminal.show("\(problem.path)\(line): \(problem.message)".printable)
      }
    }
    if !reload.problems.isEmpty { throw CommandStatus.findings.exitCode }
  }
}
