import Foundation
import TestSupport
import Testing

/// `scenectl entry`: its output, read by the router, by `scenectl check` and by `desktop-file-validate`.
@Suite(.blocking) final class EntryTests {
  private let router: Router
  private let home: TemporaryDirectory

  init() throws {
    router = try Router()
    home = try TemporaryDirectory()
    try FileManager.default.createDirectory(
      atPath: home.appending("applications"),
      withIntermediateDirectories: false
    )
  }

  /// Declares an application with a call to the router.
  ///
  /// The returned program runs until the router ends.
  private func declare(_ parameters: String) throws -> SpawnedProgram {
    let fifo = home.appending("fifo")
    let call = #"{"method":"io.scened.Router.DeclareApplication","parameters":\#(parameters),"more":true}"#
    // The pipe is open for writing too, so that the bridge never gets an end of file.
    let line = """
      mkfifo \(fifo); exec 3<>\(fifo); printf '%s\\0' "$1" >&3
      "$0" bridge <&3 | sed --null-data --unbuffered 's/$/\\n/'
      """
    let program = try SpawnedProgram(
      "/bin/bash",
      ["-c", line, SpawnedProgram.buildDirectory + "/scenectl", call],
      environment: router.environment
    )
    try program.outputLine(containing: #""declared":"#)
    return program
  }

  /// Saves the entry of an application, checks the entry with other programs, and returns the path of the entry.
  private func save(_ id: String, _ arguments: String...) throws -> String {
    let run = try Router.scenectl(["entry", id] + arguments, environment: router.environment)
    #expect(run.status == 0 && run.error == "", "\(run.error)")
    let name = try #require(run.lines[0].firstMatch(of: /^# The name of this file has to be '(.+)'\.$/)?.1)
    let path = home.appending("applications/\(name)")
    try run.output.write(toFile: path, atomically: false, encoding: .utf8)
    let checked = try Router.scenectl(["check", path], environment: ["HOME": home.path])
    #expect(checked.output == "No mistake was found.\n", "\(checked.output)\(run.output)")
    let validate = try TestEnvironment.run("get-command", ["desktop-file-validate", "desktop-file-utils"])
    let (ending, output, error) = try SpawnedProgram.run(validate, ["--no-hints", path])
    #expect(ending == .exit(0) && output == "", "\(output)\(error)")
    return path
  }

  /// The scenes and the claims of an application at a router, and whether the application has a single scene.
  private func declarations(of id: String, in router: Router) throws -> NSDictionary {
    let lines = try router.scenectl("applications", "--json").lines
    for line in lines {
      let object = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
      guard object["applicationId"] as? String == id else { continue }
      return object.filter { ["scenes", "claims", "isSingleScene"].contains($0.key) } as NSDictionary
    }
    throw Overdue("'\(id)' is not among \(lines).")
  }

  @Test(arguments: [
    #"""
    {"applicationId":"de.weber.Notes","isSingleScene":true,"scenes":[
    {"declarationId":"main","title":" Notes; and \\ more\n","matching":["note/","a;b","c\\d;"," é "],"isSingleton":true},
    {"declarationId":"page","title":"Seite ü","kind":"documentGroup","supportedTypes":["text/plain","image/*","md"]},
    {"declarationId":"none","title":"None","matching":[]},{"declarationId":"rest","title":"Rest"}],
    "claims":{"schemes":["notes","web+notes"],"activityTypes":["de.weber.note;x"],
    "mimeTypes":["image/*","text/plain"]}}
    """#,
    #"{"applicationId":"de.weber.Rest","scenes":[{"declarationId":"main","title":"Rest"}]}"#,
  ])
  func entryDeclaresWhatTheProgramDeclares(parameters: String) throws {
    let id = try #require(try JSONObject(parameters)["applicationId"])
    let program = try declare(parameters.replacing("\n", with: ""))
    let declared = try declarations(of: id, in: router)
    let path = try save(id)
    let next = try Router(environment: ["XDG_DATA_HOME": home.path])
    #expect(try declarations(of: id, in: next) == declared)

    let text = try String(contentsOfFile: path, encoding: .utf8)
    #expect(try next.scenectl("entry", id).output == text, "An entry in a file is printed as it is.")
    #expect(
      try next.scenectl("entry", "--exec", "true", id).error.contains("'\(path)' declares the application")
    )
    withExtendedLifetime(program) {}
  }

  /// `scenectl entry` prints the lines of the entry that the author of MyPhotos wrote.
  ///
  /// An entry always declares a scene 'main', but MyPhotos has no such scene. So an empty `X-Scened-Matching` in the
  /// entry keeps events from opening 'main'.
  @Test func programsEntryIsLikeTheOneWrittenByHand() throws {
    let monitor = try router.start("monitor", "--no-decisions")
    try monitor.outputLine(containing: "watching")
    let program = try SpawnedProgram("MyPhotos", environment: router.environment)
    try monitor.outputLine(containing: "org.example.MyPhotos: declares")
    let run = try router.scenectl(
      "entry",
      "org.example.MyPhotos",
      "--name",
      "My Photos",
      "--exec",
      "MyPhotos"
    )
    #expect(run.error == "")
    let file = PackageDirectory.appending("Sources/Examples/MyPhotos/org.example.MyPhotos.desktop")
    #expect(
      run.output.split(separator: "\n").dropFirst().sorted()
        == (try String(contentsOfFile: file, encoding: .utf8)).split(separator: "\n").sorted()
    )
    withExtendedLifetime(program) {}
  }

  @Test func commandLineOfTheProgramIsQuoted() throws {
    let words = ["--exec", "sh", "--", "-c", #"echo "$SCENED_URL" 100% \ `date`"#, "", "file"]
    let line = words.map { "'\($0)'" }.joined(separator: " ")
    let shell = try SpawnedProgram(
      "/bin/sh",
      ["-c", "cd '\(home.path)'; >file; exec \"$0\" declare --application A --scene main \(line)"]
        + [SpawnedProgram.buildDirectory + "/scenectl"],
      environment: router.environment
    )
    try shell.outputLine(containing: "declared")
    let lines = try router.scenectl("entry", "A").lines
    let exec = try #require(lines.first { $0.hasPrefix("Exec=") })
    #expect(exec.hasPrefix("Exec=/") && exec.contains("/scenectl declare --application A --scene main "))
    #expect(
      exec.hasSuffix(
        #" --exec sh -- -c "echo \\"\\$SCENED_URL\\" 100%% \\\\ \\`date\\`" "" \#(home.path)/file"#
      ),
      "\(exec)"
    )
  }

  @Test func partsThatAnEntryCannotHaveAreNamed() throws {
    let program = try router.declare(
      "--application",
      "Photos",
      "--claim-host",
      "meet.weber.de",
      "--claim-host",
      "forge.weber.de/team",
      "--scene",
      "detail=photo",
      "--scene",
      "album_window",
      "--scene",
      "main=album,"
    )
    let run = try router.scenectl("entry", "Photos")
    #expect(run.status == 0)
    let sentences = [
      "The entry leaves out the scene 'album_window': an action's name consists of ASCII letters, digits and '-'.",
      "The entry gives titles to scenes without a title: 'detail', 'main'.",
      "The entry declares 'main' before all other scenes.",
      "The claims of hosts count only if root owns the file and its directory. desktop-file-validate rejects the group "
        + "'org.freedesktop.UriHandler'.",
    ]
    #expect(run.error.split(separator: "\n").map(String.init) == sentences.map { "scenectl: \($0)" })
    #expect(run.output.contains("\nName=Photos\n") && run.output.contains("\nActions=detail;\n"))
    #expect(
      run.output.hasSuffix(
        "\n[org.freedesktop.UriHandler]\nSupports=meet.weber.de;\nPatterns=https://forge.weber.de/team/*;\n"
      )
    )
    let object = try #require(try router.scenectl("entry", "Photos", "--json").objects().first)
    #expect(object["fileName"] == "Photos.desktop")
    #expect(object["entry"] == run.output)
    #expect(object["differences.0"] == sentences[0])
    withExtendedLifetime(program) {}
  }

  @Test(arguments: [
    (["None"], "The application 'None' is not declared."),
    (["A", "--exec", "a %q"], "--exec, character 3: there is no field code '%q'; write '%%' for '%'."),
  ])
  func entryThatCannotBePrintedIsAnError(arguments: [String], sentence: String) throws {
    let program = try router.declare("--application", "A", "--scene", "main")
    let run = try Router.scenectl(["entry"] + arguments, environment: router.environment)
    #expect(run.status == 1)
    #expect(run.output == "")
    #expect(run.error == "scenectl: \(sentence)\n")
    withExtendedLifetime(program) {}
  }
}
