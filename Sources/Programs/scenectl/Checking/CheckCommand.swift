import ArgumentParser
import Installed
import SceneClient
import SceneLint

struct CheckCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Find probable mistakes in desktop entries, declarations and open scenes.",
    discussion: """
      Without files, the command checks the installed desktop entries, the declarations made over connections, the open \
      scenes, whether browsers that run and VS Code have their adapter, and whether another program has made itself the \
      default in place of scened. With files, it checks these desktop entries, which \
      need not be installed, and needs no router.

      Each line has a place, the mistake, and advice. With --json each line is an object with 'rule', 'place', \
      'sentence' and 'advice'.

      Exit status: 0 no mistake was found, 1 a file or the router could not be read, 2 a mistake was found.
      """
  )

  @OptionGroup var router: RouterOptions
  @OptionGroup var answer: AnswerOptions

  @Argument(
    help: ArgumentHelp("Desktop entries to check.", valueName: "file"),
    completion: .file(extensions: ["desktop"])
  )
  var files: [String] = []

  func validate() throws {
    if router.host != nil, !files.isEmpty {
      throw ValidationError(
        "The files are on this machine; --host checks the declarations and scenes of another machine."
      )
    }
  }

  func run() async throws {
    var subject = Subject()
    var failure: (any Error)?
    if files.isEmpty, router.system || router.host != nil {
      try await read(&subject)
    } else {
      let manager = await UserBus.managerEnvironment()
      subject.environment = manager
      subject.read(
        DesktopPlaces(environment: DesktopPlaces.processEnvironment, manager: { manager?[$0] })
      )
      do {
        if files.isEmpty { try await read(&subject) } else { try subject.select(files) }
      } catch {
        failure = error
      }
    }
    let findings = subject.findings
    for finding in findings { try show(finding) }
    if let failure { throw failure }
    if !findings.isEmpty { throw CommandStatus.findings.exitCode }
    if !router.json { try Terminal.show("No mistake was found.") }
  }

  private func read(_ subject: inout Subject) async throws {
    let connection = try await router.connect(timeout: answer.timeout)
    subject.add(try await connection.applications(), try await connection.scenes())
  }

  private func show(_ finding: Finding) throws {
    guard router.json else {
      let advice = finding.advice.isEmpty ? "" : " " + finding.advice
      return try Terminal.show("\(finding.place): \(finding.sentence)\(advice)".printable)
    }
    try Terminal.showJSON(
      JSONLine([
        "rule": finding.rule.rawValue.quoted,
        "place": finding.place.quoted,
        "sentence": finding.sentence.quoted,
        "advice": finding.advice.quoted,
      ]).text
    )
  }
}
