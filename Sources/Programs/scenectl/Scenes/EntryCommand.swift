import ArgumentParser
import DesktopEntries
import Glibc
import Installed
import SceneClient
import SystemPackage

struct EntryCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "entry",
    abstract: "Print the desktop entry of a declared application.",
    discussion: """
      The entry declares the scenes and claims that the running program has declared, so that nobody writes them twice. \
      Save it under the name in its first line, in ~/.local/share/applications for example; links then start the \
      program. If a desktop entry declares the application, the command prints that file.

      'Exec' is the command line of the running program, unless --exec gives another one. Standard error names the parts \
      of the declaration that an entry cannot have. With --json the output is an object with 'fileName', 'entry' and \
      'differences'.
      """
  )

  @OptionGroup var router: RouterOptions
  @OptionGroup var answer: AnswerOptions

  @Option(
    help: ArgumentHelp(
      "The command line that starts the program, as in the key 'Exec' of desktop entries.",
      valueName: "command"
    )
  )
  var exec: String?

  @Option(
    help: ArgumentHelp(
      "The name of the application for people; by default the title of the scene 'main', else a part of the id.",
      valueName: "name"
    )
  )
  var name: String?

  @Argument(
    help: ArgumentHelp("The application, with or without '.desktop'.", valueName: "application"),
    completion: .applications
  )
  var application: String

  func validate() throws {
    if exec == "" { throw ValidationError("The command line of --exec is empty.") }
    if name == "" { throw ValidationError("The name of --name is empty.") }
  }

  func run() async throws {
    let connection = try await router.connect(timeout: answer.timeout)
    guard let found = try await connection.applications(id: application).first else {
      throw EntryError("The application '\(application)' is not declared.")
    }
    if found.source == .file {
      return try show(found.desktopID ?? Self.name(of: found.id), file(of: found), [])
    }
    let entry = try DesktopEntryText(found, name: name, exec: try await execLine(of: found, over: connection))
    try show(entry.fileName, entry.text, entry.differences)
  }

  private func show(_ fileName: String, _ text: String, _ differences: [String]) throws(OutputError) {
    if router.json {
      let list = differences.map(\.quoted).joined(separator: ",")
      return try Terminal.showJSON(
        JSONLine(["fileName": fileName.quoted, "entry": text.quoted, "differences": "[\(list)]"]).text
      )
    }
    for difference in differences { Terminal.showError(difference.printable) }
    try Terminal.showContents(text)
  }

  static func name(of id: String) -> String { id + ".desktop" }

  private func file(of application: ApplicationDescription) throws(EntryError) -> String {
    let path = application.path ?? ""
    if exec != nil || name != nil {
      throw EntryError(
        "'\(path)' declares the application already; --exec and --name are for running programs."
      )
    }
    if router.host != nil {
      throw EntryError("The entry is the file '\(path)' of the other machine; print it there.")
    }
    switch FileContents.read(path) {
    case .file(let bytes, _): return String(decoding: bytes, as: UTF8.self)
    case .missing, .nullDevice: throw EntryError("There is no file '\(path)' any more.")
    case .unreadable(let reason): throw EntryError("The file '\(path)' cannot be read: \(reason).")
    }
  }

  private func execLine(
    of application: ApplicationDescription,
    over connection: RouterConnection
  ) async throws -> String {
    let isOption = exec != nil
    let process = isOption || router.host != nil ? nil : try await connection.process(declaring: application)
    guard let line = exec ?? process.flatMap(ProcessCommandLine.execLine) else {
      throw EntryError(
        "The command line of '\(application.id)' cannot be found; give the one that starts it with --exec."
      )
    }
    do throws(ExecError) {
      _ = try ExecLine(parsing: line)
      return line
    } catch {
      throw EntryError(
        isOption
          ? "--exec, \(error)." : "The command line of the program cannot be used: \(error); give --exec."
      )
    }
  }
}

extension RouterConnection {
  /// Declares the application a second time, because the router then refuses and names the process in the error.
  ///
  /// Nil if the process has ended, or if the router cannot name it.
  fileprivate func process(
    declaring application: ApplicationDescription
  ) async throws(RouterError) -> Int64? {
    do throws(RouterError) {
      let accepted = try await declareApplication(
        application.id,
        scenes: application.scenes,
        claims: application.claims,
        isSingleScene: application.isSingleScene
      )
      accepted.close()
      return nil
    } catch {
      guard case .applicationAlreadyDeclared(_, let process) = error.code else { throw error }
      return process
    }
  }
}

struct EntryError: Error, CustomStringConvertible {
  let description: String

  init(_ sentence: String) { description = sentence.printable }
}

private enum ProcessCommandLine {
  /// The value of the key `Exec`, without the escapes of a desktop entry.
  ///
  /// The program and the arguments that are files get absolute paths, because a desktop starts programs in another
  /// directory. Nil for an ended process, another user's, and arguments that are not UTF-8.
  static func execLine(ofProcess id: Int64) -> String? {
    guard case .file(let bytes, _) = FileContents.read("/proc/\(id)/cmdline"), bytes.last == 0,
      let directory = Host.canonicalPath(FilePath("/proc/\(id)/cwd"))
    else { return nil }
    let words = bytes.dropLast().split(separator: 0, omittingEmptySubsequences: false)
      .compactMap { String(validating: $0, as: UTF8.self) }
    guard words.count == bytes.count(where: { $0 == 0 }),
      let program = program(words[0], ofProcess: id, in: directory)
    else { return nil }
    let arguments = words.dropFirst().map { word in
      let path = directory.pushing(FilePath(word))
      return !word.hasPrefix("-") && Host.isRegularFile(path) ? path.lexicallyNormalized().string : word
    }
    return ([program] + arguments).map(ExecLine.quoted).joined(separator: " ")
  }

  /// `word` itself if it is the name of a program in `$PATH`.
  private static func program(_ word: String, ofProcess id: Int64, in directory: FilePath) -> String? {
    if word.contains("/") {
      let path = directory.pushing(FilePath(word))
      if Host.refusal(of: X_OK, path) == nil { return path.lexicallyNormalized().string }
    } else if DesktopPlaces(environment: DesktopPlaces.processEnvironment).hasProgram(word) {
      return word
    }
    return Host.canonicalPath(FilePath("/proc/\(id)/exe"))?.string
  }
}
