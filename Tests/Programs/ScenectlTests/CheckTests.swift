import Foundation
import TestSupport
import Testing

@Suite(.blocking) final class CheckTests {
  private let home: TemporaryDirectory

  init() throws { home = try TemporaryDirectory() }

  private var environment: [String: String] {
    [
      "HOME": home.path, "XDG_CONFIG_HOME": "", "XDG_STATE_HOME": "", "XDG_DATA_HOME": "",
      "XDG_DATA_DIRS": home.path, "PATH": "/usr/bin:/bin",
    ]
  }

  private func write(_ name: String, _ lines: String...) throws -> String {
    let path = home.appending(name)
    let directory = (path as NSString).deletingLastPathComponent
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    let text = (["[Desktop Entry]", "Type=Application", "Name=a"] + lines).joined(separator: "\n") + "\n"
    try text.write(toFile: path, atomically: true, encoding: .utf8)
    return path
  }

  /// Runs `scenectl check` where there is no router.
  private func check(_ arguments: String...) throws -> Router.Run {
    let socket = ["SCENED_SOCKET": home.appending("none")]
    return try Router.scenectl(["check"] + arguments, environment: environment.merging(socket) { $1 })
  }

  @Test func filesAreCheckedWithoutARouter() throws {
    let faulty = try write("faulty.desktop", "Exec=true", "MimeType=x-scheme-handler/photos;")
    let clean = try write("clean.desktop", "Exec=true %u", "MimeType=x-scheme-handler/photos;")
    let good = try check(clean)
    #expect(good.status == 0 && good.lines == ["No mistake was found."])
    let found = try check(clean, faulty)
    #expect(found.status == 2)
    #expect(
      found.lines == [
        "\(faulty):4: 'Exec' takes no URL and no file, so the application gets only events that name it. "
          + "Add '%u' to 'Exec', or 'X-Scened-Aware=true' if the program speaks to scened."
      ]
    )
    let object = try #require(try check("--json", faulty).objects().first)
    #expect(object["rule"] == "neverMatches" && object["place"] == "\(faulty):4")
    #expect(object["sentence"]?.hasSuffix(".") == true && object["advice"]?.hasSuffix(".") == true)
    #expect(try check("--json", clean).output == "")
  }

  /// `scenectl check` reports mistakes in the lines of an entry, and declarations that exceed a limit of the router.
  @Test(arguments: [
    ("Exec=true %q", ":4: 'Exec', character 6: there is no field code"),
    ("X-Scened-Whatever=a", ":5: 'X-Scened-Whatever' is not known"),
    ("X-Scened-ActivityTypes=" + String(repeating: "a", count: 1025), ":1: The limit 'stringLength' is "),
  ])
  func complaintsAboutFilesAreFindings(_ line: String, _ complaint: String) throws {
    let lines = line.hasPrefix("Exec") ? [line] : ["Exec=true %u", line]
    let path = try write("a.desktop", lines.joined(separator: "\n"))
    let run = try check(path)
    #expect(run.status == 2)
    #expect(run.lines.first?.hasPrefix(path + complaint) == true, "\(run.output)")
  }

  @Test func fileThatCannotBeCheckedIsAnErrorAfterAllOthers() throws {
    let faulty = try write("faulty.desktop", "Exec=/nonexistent %u")
    let run = try check(home.appending("none.desktop"), faulty)
    #expect(run.status == 1)
    #expect(run.lines.count == 1 && run.lines[0].hasPrefix("\(faulty):4: There is no program '/nonexistent'"))
    #expect(run.error == "scenectl: \(home.appending("none.desktop")): There is no such file.\n")
  }

  @Test func emptyFileIsFoundUnlessItHidesAnEntry() throws {
    let path = home.appending("config/a.desktop")
    try FileManager.default.createDirectory(
      atPath: home.appending("config"),
      withIntermediateDirectories: true
    )
    _ = FileManager.default.createFile(atPath: path, contents: nil)
    let run = try check(path)
    #expect(run.status == 2)
    #expect(run.lines.count == 1 && run.lines[0].hasPrefix("\(path):1: The file is empty"))
    _ = try write("applications/a.desktop", "Exec=true %u")
    #expect(try check(path).status == 0)
  }

  @Test func nameThatIsNoEntrysIsFound() throws {
    let run = try check(try write("entry.txt", "Exec=true %u"))
    #expect(run.status == 2 && run.output.contains("rename the file"))
  }

  /// If files are named, `scenectl check` takes installed entries into account but does not report their mistakes.
  @Test func filesAreCheckedBesideWhatIsInstalled() throws {
    let hosts = [
      "Exec=true %u", "Implements=org.freedesktop.UriHandler;", "[org.freedesktop.UriHandler]",
      "Supports=meet.weber.de;",
    ]
    let path = try write("meet.desktop", hosts.joined(separator: "\n"))
    #expect(try check(path).output.contains("No application claims 'https:'"))
    _ = try write("applications/browser.desktop", "Exec=/nonexistent %u", "MimeType=x-scheme-handler/https;")
    #expect(try check(path).status == 0)
  }

  @Test func withoutFilesWhatIsInstalledDeclaredAndOpenIsChecked() throws {
    let router = try Router(environment: environment)
    func lines() throws -> [String] { try router.scenectl("check", environment: environment).lines }
    #expect(try lines() == ["No mistake was found."])
    let path = try write("applications/a.desktop", "Exec=/nonexistent %u", "X-Scened-Whatever=a")
    #expect(try lines().map { String($0.prefix(path.count + 3)) } == ["\(path):5:", "\(path):4:"])
    try FileManager.default.removeItem(atPath: path)

    let declared = try router.declare(
      "--application",
      "de.weber.Photos",
      "--claim-scheme",
      "photos",
      "--scene",
      "browser",
      "--scene",
      "detail=photoIdentifier="
    )
    #expect(try lines() == ["No mistake was found."])
    let (id, scene) = try router.scene("--application", "de.weber.Photos", "--allow", "*")
    let found = try router.scenectl("check", environment: environment)
    #expect(found.status == 2)
    #expect(found.lines.count == 1)
    #expect(
      found.lines[0]
        .hasPrefix("scene '\(id)' of application 'de.weber.Photos': While the scene is open, its '*' takes")
    )
    withExtendedLifetime((declared, scene)) {}
  }

  @Test func listsOfTheUserThatNameWhatIsNotInstalledAreFound() throws {
    _ = try write("applications/a.desktop", "Exec=true %u")
    let lists = [
      "config/mimeapps.list":
        "[Default Applications]\ntext/html=a.desktop;none.desktop\n[Default Application]\n",
      "config/intentapps.list": "[org.freedesktop.UriHandler]\nmeet.weber.de=a;scened-open.desktop;\n",
      "config/scened/choices": "[From a]\n\nx-scheme-handler/https=other.desktop\n",
      // This is the list of a distribution. It may name applications that are not installed, so there is no finding.
      "applications/mimeapps.list": "[Default Applications]\ntext/html=many.desktop;\n",
    ]
    for (name, text) in lists {
      let path = home.appending(name)
      let directory = (path as NSString).deletingLastPathComponent
      try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
      try text.write(toFile: path, atomically: true, encoding: .utf8)
    }
    let environment = environment.merging(["XDG_CONFIG_HOME": home.appending("config")]) { $1 }
    let router = try Router(environment: environment)
    let run = try router.scenectl("check", environment: environment)
    #expect(run.status == 2)
    let config = home.appending("config")
    for place in ["mimeapps.list:2", "mimeapps.list:3", "intentapps.list:2", "scened/choices:3"] {
      #expect(run.lines.contains { $0.hasPrefix("\(config)/\(place): ") }, "\(run.output)")
    }
    #expect(run.lines.count == 4, "\(run.output)")
    #expect(run.output.contains("Write 'a.desktop'."))
  }

  /// Browsers make themselves the default application by running `gio` or `xdg-mime`.
  @Test(arguments: [("gio", "libglib2.0-bin"), ("xdg-mime", "xdg-utils")])
  func programThatMakesItselfTheDefaultIsFound(_ name: String, of package: String) throws {
    let program = try TestEnvironment.run("get-command", [name, package])
    let home = try HandlerHome()
    try home.install("browser", "MimeType=x-scheme-handler/https;")
    let router = try Router(environment: home.environment)
    /// Returns only the findings about files in `.config`.
    ///
    /// Other findings can depend on the environment and the browsers of the user who runs the test.
    func lines() throws -> [String] {
      try router.scenectl("check", environment: home.environment).lines
        .filter { $0.hasPrefix(home.path(".config")) }
    }
    func takeOver() throws {
      let type = "x-scheme-handler/https"
      let id = "browser.desktop"
      _ = try home.output(of: program, name == "gio" ? ["mime", type, id] : ["default", id, type])
    }
    try takeOver()
    #expect(try lines() == [], "The user never chose scened.")
    #expect(try home.scenectl("set", "https").status == 0)
    #expect(try lines() == [])
    try takeOver()
    let list = home.text(".config/mimeapps.list").split(separator: "\n", omittingEmptySubsequences: false)
    let line = try 1 + #require(list.firstIndex { $0.hasPrefix("x-scheme-handler/https=browser.desktop") })
    #expect(
      try lines() == [
        home.path(".config/mimeapps.list:\(line)")
          + ": 'browser.desktop' is the default for 'https', in place of scened, which you had chosen. "
          + "Run 'scenectl handler set https'; if this is right, run 'scenectl handler unset'."
      ]
    )
    #expect(try home.scenectl("set", "https").status == 0)
    #expect(try lines() == [])
    #expect(try home.scenectl("set", "https", "b").status == 0)
    #expect(try lines() == [], "The user chose the other application with scenectl.")
    try takeOver()
    #expect(try lines().count == 1)
    #expect(try home.scenectl("unset").lines == ["https: opened by browser, ~/.config/mimeapps.list:\(line)"])
    #expect(try lines() == [])
    #expect(!home.text(".config/mimeapps.list").contains("scened"))
    #expect(home.text(HandlerHome.state) == "")
  }

  @Test func withoutARouterFilesAreCheckedAllTheSame() throws {
    _ = try write("applications/a.desktop", "Exec=/nonexistent %u")
    let run = try check()
    #expect(run.status == 1)
    #expect(run.lines.count == 1)
    #expect(run.error.contains(" To start scened: scened --socket /"))
  }

  /// `scenectl check` reports a mistake in the manifest with which a browser finds scened's native messaging host.
  ///
  /// The manifest has to name a program that exists, and has to allow the id of scened's browser extension. For
  /// Chromium, this id follows from the key in the extension's own manifest.
  @Test(arguments: [
    ("chromium", "config/chromium/NativeMessagingHosts"), ("firefox", ".mozilla/native-messaging-hosts"),
  ])
  func manifestsOfBrowsersHostsAreChecked(browser: String, directory: String) throws {
    let environment = environment.merging(["XDG_CONFIG_HOME": home.appending("config")]) { $1 }
    let router = try Router(environment: environment)
    let adapter = PackageDirectory.appending("Sources/Adapters/browser")
    let manifest = try String(contentsOfFile: "\(adapter)/\(browser).json", encoding: .utf8)
    let good = manifest.replacing("/usr/lib/scened/", with: "\(adapter)/")
    let path = home.appending("\(directory)/io.scened.browser.json")
    try FileManager.default.createDirectory(
      atPath: home.appending(directory),
      withIntermediateDirectories: true
    )
    /// The findings about the manifest. Findings about browsers that run on this machine are left out.
    func findings(_ text: String) throws -> [String] {
      try text.write(toFile: path, atomically: true, encoding: .utf8)
      return try router.scenectl("check", environment: environment).lines.filter { $0.hasPrefix(path) }
    }
    #expect(try findings(good) == [])
    let missing = try findings(manifest.replacing("/usr/lib/scened/", with: "/nonexistent/"))
    #expect(missing.count == 1 && missing[0].contains("'/nonexistent/scened-browser-host'"), "\(missing)")
    let other = try findings(good.replacing("okeb", with: "abcd").replacing("windows@", with: "other@"))
    #expect(other.count == 1 && other[0].contains("does not allow the extension of scened"), "\(other)")
    #expect(try findings("[]").count == 1)
  }

  @Test(arguments: [
    ("code", ".vscode"), ("code-oss", ".vscode-oss"), ("codium", ".vscode-oss"), ("cursor", ".cursor"),
  ])
  func editorWithoutTheExtensionIsFound(editor: String, directory: String) throws {
    let router = try Router(environment: environment)
    let entry = try write("applications/\(editor).desktop", "Exec=true %F", "MimeType=text/plain;")
    func findings() throws -> [String] {
      try router.scenectl("check", environment: environment).lines.filter { $0.hasPrefix(entry) }
    }
    #expect(try findings() == [], "Without the package scened-editors there is nothing to install.")
    let package = try write(".config/scened/scened.vsix")
    let found = try findings()
    #expect(
      found == [
        "\(entry):1: The editor has no extension of scened, so that links do not come to its open windows. "
          + "Run '\(editor) --install-extension \(package)'."
      ]
    )
    _ = try write("\(directory)/extensions/other.scened-1.0.0/package.json")
    #expect(try findings() == found)
    _ = try write("\(directory)/extensions/scened.scened-1.0.0/package.json")
    #expect(try findings() == [])
  }
}
