import Foundation
import TestSupport
import Testing

/// The script that installs the programs and the units.
@Suite(.blocking) struct InstallTests {
  private static let script = PackageDirectory.appending("systemd/install")
  private static let modules = [
    "Sources/Clients/Python/scened", "Sources/Programs/scened-desktop/scened_desktop",
  ].flatMap { directory in
    let path = PackageDirectory.appending(directory)
    let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    return names.filter { $0.hasSuffix(".py") }.map {
      "lib/scened/\((directory as NSString).lastPathComponent)/\($0) 644"
    }
  }

  @Test(arguments: [
    (["--system"], "usr/local", "lib/systemd/system", []),
    (
      ["--user", "--prefix", "/home/person/.local"], "home/person/.local", "share/systemd/user",
      [
        "bin/scened-desktop 777", "lib/scened/scened-desktop 755",
        "share/applications/io.scened.Desktop.desktop 644", "share/applications/scened-open.desktop 644",
        "share/dbus-1/services/io.scened.Desktop.service 644",
        "share/icons/hicolor/scalable/apps/io.scened.Desktop.svg 644",
        "share/locale/de/LC_MESSAGES/scened-desktop.mo 644", "share/man/man1/scened-desktop.1 644",
        "share/systemd/user/scened-links.socket 644", "share/systemd/user/scened-links@.service 644",
        "share/systemd/user/scened-programs.service 644",
      ] + modules
    ),
  ])
  func installingTwiceAndRemovingLeavesNothing(
    options: [String],
    prefix: String,
    units: String,
    entries: [String]
  ) throws {
    try TestEnvironment.run("get-command", ["msgfmt", "gettext"])
    let root = try TemporaryDirectory()
    // A directory that existed before the installation stays after the removal, even if the directory is empty.
    try FileManager.default.createDirectory(
      atPath: root.appending("\(prefix)/bin"),
      withIntermediateDirectories: true
    )
    let before = try Self.paths(below: root.path)
    let programs = SpawnedProgram.buildDirectory
    for _ in 1...2 {
      try Self.install(options + ["--bindir", programs], below: root.path)
      #expect(
        try Self.paths(below: root.path, "-not", "-type", "d", "-printf", "%P %m\n")
          == ([
            "bin/scenectl 755", "bin/scened 755", "lib/scened/ContactList 755", "lib/scened/MyPhotos 755",
            "share/bash-completion/completions/scenectl 644",
            "share/doc/scened/README.md 644", "share/fish/vendor_completions.d/scenectl.fish 644",
            "share/man/man1/scenectl.1 644", "share/man/man5/scened-desktop.5 644",
            "share/man/man7/scened.interface.7 644", "share/man/man7/scened.recipes.7 644",
            "share/man/man8/scened.8 644",
            "share/zsh/site-functions/_scenectl 644",
            "share/doc/scened/directories 644", "\(units)/scened.service 644", "\(units)/scened.socket 644",
          ] + entries).map { "\(prefix)/\($0)" }.sorted()
      )
    }
    for program in ["scened", "scenectl"] {
      let installed = root.appending("\(prefix)/bin/\(program)")
      #expect(FileManager.default.contentsEqual(atPath: installed, andPath: "\(programs)/\(program)"))
    }
    let unit = try String(
      contentsOfFile: root.appending("\(prefix)/\(units)/scened.service"),
      encoding: .utf8
    )
    #expect(unit.contains("\nExecStart=/\(prefix)/bin/scened"))
    #expect(!unit.contains("@PREFIX@"))

    try Self.install(options + ["--uninstall"], below: root.path)
    #expect(try Self.paths(below: root.path) == before)
    try Self.install(options + ["--uninstall"], below: root.path)
  }

  @Test func linksComeThroughAnEntryThatIsNobodysDefault() throws {
    let root = try TemporaryDirectory()
    try Self.install(
      ["--user", "--prefix", "/opt/p", "--bindir", SpawnedProgram.buildDirectory],
      below: root.path
    )
    let entry = root.appending("opt/p/share/applications/scened-open.desktop")
    let lines = try String(contentsOfFile: entry, encoding: .utf8).split(separator: "\n")
    #expect(lines.contains("Exec=/opt/p/bin/scenectl open --as-handler %U"))
    #expect(!lines.contains { $0.hasPrefix("MimeType=") })
    #expect(lines.contains("NoDisplay=true"))
    let (ending, output, error) = try SpawnedProgram.run(
      TestEnvironment.run("get-command", ["desktop-file-validate", "desktop-file-utils"]),
      [entry]
    )
    #expect(ending == .exit(0), "\(output)\(error)")
  }

  @Test func removalGivesEveryHandlerBack() throws {
    let home = try TemporaryDirectory()
    let environment = [
      "HOME": home.path, "XDG_CONFIG_HOME": "", "XDG_DATA_HOME": "", "XDG_STATE_HOME": "",
    ]
    func run(_ program: String, _ arguments: String...) throws {
      let (ending, _, error) = try SpawnedProgram.run(program, arguments, environment: environment)
      try #require(ending == .exit(0), "\(error)")
    }
    let list = home.appending(".config/mimeapps.list")
    let before = "[Default Applications]\nx-scheme-handler/https=other.desktop\n"
    try FileManager.default.createDirectory(
      atPath: home.appending(".config"),
      withIntermediateDirectories: false
    )
    try before.write(toFile: list, atomically: false, encoding: .utf8)
    try run(Self.script, "--user", "--bindir", SpawnedProgram.buildDirectory)
    try run(home.appending(".local/bin/scenectl"), "handler", "set", "https")
    #expect(
      try String(contentsOfFile: list, encoding: .utf8).contains("https=scened-open.desktop;other.desktop\n")
    )
    try run(Self.script, "--user", "--uninstall")
    #expect(try String(contentsOfFile: list, encoding: .utf8) == before)
    #expect(!FileManager.default.fileExists(atPath: home.appending(".local/bin")))
  }

  @Test func nothingIsRemovedIfTheHandlersCannotBeGivenBack() throws {
    let home = try TemporaryDirectory()
    let environment = [
      "HOME": home.path, "XDG_CONFIG_HOME": "", "XDG_DATA_HOME": "", "XDG_STATE_HOME": "",
    ]
    try FileManager.default.createDirectory(
      atPath: home.appending(".config/mimeapps.list"),
      withIntermediateDirectories: true
    )
    let programs = ["--user", "--bindir", SpawnedProgram.buildDirectory]
    #expect(try SpawnedProgram.run(Self.script, programs, environment: environment).ending == .exit(0))
    let (ending, _, error) = try SpawnedProgram.run(
      Self.script,
      ["--user", "--uninstall"],
      environment: environment
    )
    #expect(ending == .exit(1))
    #expect(error.contains("mimeapps.list:1: "))
    #expect(error.hasSuffix("install: what opens links and files cannot be given back; nothing is removed\n"))
    #expect(FileManager.default.fileExists(atPath: home.appending(".local/bin/scened")))
  }

  @Test func removalStopsTheService() throws {
    let box = try SystemBox([
      SystemBox.installation(): "/opt/installation",
      PackageDirectory.appending("systemd"): "/opt/package/systemd",
    ])
    try box.run("cp", "--recursive", "/opt/installation/usr", "/")
    try box.run("systemctl", "daemon-reload")
    try box.run("systemctl", "enable", "--now", "scened.socket")
    try box.run("systemctl", "start", "scened.service")
    #expect(try box.property("ActiveState") == "active")

    try box.run("/opt/package/systemd/install", "--system", "--uninstall")
    #expect(try box.property("LoadState") == "not-found")
    #expect(try box.attempt("pgrep", "-x", "scened").ending == .exit(1))
    #expect(
      try box.run("find", "/usr/local", "/etc", "/run", "-name", "*scened*", "-not", "-type", "d") == ""
    )
  }

  /// The script runs in a box, which has neither Swift nor `strip`.
  @Test func whatIsMissingIsSaidBeforeAnythingIsDone() throws {
    let box = try SystemBox([PackageDirectory.appending("systemd"): "/opt/package/systemd"])
    let install = "/opt/package/systemd/install"
    func refuses(_ command: String..., message: String) throws {
      let program = try box.start(command)
      #expect(try program.waitForEnd() == .exit(1))
      #expect(program.errorText == "install: \(message)\n")
    }
    try refuses(
      install,
      "--system",
      message: "swift is missing; build elsewhere with systemd/build, and pass --bindir"
    )
    try box.run("ln", "--symbolic", "/usr/bin/true", "/usr/local/bin/swift")
    try refuses(install, "--system", message: "strip is missing; install binutils")
    try refuses(install, "--system", "--bindir", "/opt", message: "there is no program '/opt/scened'")
    try refuses(install, "--prefix", "/dev/null/here", message: "'/dev/null' is not a directory")
    try refuses(
      "runuser",
      "-u",
      "stranger",
      "--",
      install,
      "--system",
      message: "no right to write to '/usr/local/bin'"
    )
    #expect(try box.run("find", "/usr/local", "-name", "*scened*") == "")
  }

  @Test(arguments: [
    (["--prefix"], "--prefix needs a directory"),
    (["--bindir"], "--bindir needs a directory"),
    (["--prefix", ""], "--prefix needs a directory"),
    (["--bindir", ""], "--bindir needs a directory"),
    (["--bindir="], "--bindir needs a directory"),
    (
      ["--prefix", "/two words"], "the prefix '/two words' has a character that units take for something else"
    ),
    (["--prefix", "/a&b"], "the prefix '/a&b' has a character that units take for something else"),
    (["--prefix", "here"], "the prefix 'here' is not an absolute path"),
    (["--everywhere"], "unknown option '--everywhere'; see --help"),
  ])
  func mistakesAreUsageErrors(options: [String], message: String) throws {
    let (ending, _, error) = try SpawnedProgram.run(Self.script, options)
    #expect(ending == .exit(64))
    #expect(error == "install: \(message)\n")
  }

  private static func install(_ options: [String], below root: String) throws {
    let (ending, _, error) = try SpawnedProgram.run(script, options, environment: ["DESTDIR": root])
    try #require(ending == .exit(0), "\(error)")
  }

  /// Returns the output of find(1) below `root`, by default the relative paths.
  private static func paths(below root: String, _ expression: String...) throws -> [String] {
    let (ending, output, error) = try SpawnedProgram.run(
      "/usr/bin/find",
      [root] + (expression.isEmpty ? ["-printf", "%P\n"] : expression)
    )
    try #require(ending == .exit(0), "\(error)")
    return output.split(separator: "\n").map(String.init).sorted()
  }
}
