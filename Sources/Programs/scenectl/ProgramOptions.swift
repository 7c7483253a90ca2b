import ArgumentParser

struct ProgramOptions: ParsableArguments {
  @Option(help: ArgumentHelp("Run this command for each event, without a shell.", valueName: "command"))
  var exec: String?

  @Argument(
    parsing: .postTerminator,
    help: ArgumentHelp("Arguments of the command, after all options and '--'.", valueName: "argument")
  )
  var arguments: [String] = []

  func validate() throws {
    if exec == "" { throw ValidationError("The command of --exec is empty.") }
    if exec == nil, !arguments.isEmpty {
      throw ValidationError("The arguments after '--' belong to a command, but --exec is missing.")
    }
  }

  func program() async throws(EventProgramError) -> EventProgram? {
    guard let exec else { return nil }
    return try await EventProgram(exec, arguments)
  }
}
