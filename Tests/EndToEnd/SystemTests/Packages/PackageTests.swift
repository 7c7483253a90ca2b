import Foundation
import Glibc
import TestSupport
import Testing

/// The Debian package with the programs that systemd/build has built.
@Suite(.blocking) struct PackageTests {
  private static let directory = PackageDirectory.appending(".build/package")
  private static let built = Result {
    try? FileManager.default.removeItem(atPath: directory)
    let (ending, output, error) = try SpawnedProgram.run(
      PackageDirectory.appending("systemd/package"),
      ["--bindir", PackageDirectory.appending(".build/installed/release"), "--output", directory]
    )
    try #require(ending == .exit(0), "\(error)")
    return output.trimmingCharacters(in: .newlines)
  }

  private let package: String
  /// Debian 12 with what the packages need, and what systemd/package needs to make them.
  private static let bookworm = "bookworm+dpkg-dev+binutils+gettext+python3-gi+gir1.2-gtk-4.0+gir1.2-adw-1"
  /// The package of the windows for people, which is made together with scened's package.
  private let desktop = directory + "/scened-desktop_1.0.0_all.deb"
  /// The package of the Python library, which is made together with scened's package.
  private let library = directory + "/python3-scened_1.0.0_all.deb"
  /// The package of the adapters of editors, which is made together with scened's package.
  private let editors = directory + "/scened-editors_1.0.0_all.deb"
  /// The package of the adapter of browsers, which is made together with scened's package.
  private let browser = directory + "/scened-browser_1.0.0_all.deb"
  /// The package of the extension of GNOME Shell, which is made together with scened's package.
  private let gnome = directory + "/scened-gnome_1.0.0_all.deb"
  /// The package of the examples, which is made together with scened's package and for its architecture.
  private var examples: String { package.replacing("/scened_", with: "/scened-examples_") }

  init() throws {
    for (command, package) in [
      ("dpkg-shlibdeps", "dpkg-dev"), ("strip", "binutils"), ("msgfmt", "gettext"), ("python3", "python3"),
    ] {
      try TestEnvironment.run("get-command", [command, package])
    }
    package = try Self.built.get()
  }

  private func files(of package: String) throws -> [Substring] {
    let list = #"dpkg-deb --fsys-tarfile "$0" | tar --list | grep --invert-match '/$'"#
    let (_, files, _) = try SpawnedProgram.run("/bin/sh", ["-c", list, package])
    return files.split(separator: "\n").map { $0.dropFirst("./usr/".count) }
  }

  @Test func filesAreInTheirPlaces() throws {
    let modules = [
      "__init__.py", "_files.py", "_wire.py", "declarations.py", "errors.py", "events.py", "gtk.py",
      "py.typed", "router.py", "windows.py",
    ].map { "lib/python3/dist-packages/scened/\($0)" }
    let documents = ["changelog.gz", "copyright"].map { "share/doc/python3-scened/\($0)" }
    #expect(try files(of: library).map(String.init) == modules + documents)
    #expect(
      try Set(files(of: editors).map(String.init)) == [
        "share/nvim/site/plugin/scened.lua", "share/vim/vimfiles/plugin/scened.vim",
        "share/emacs/site-lisp/scened.el", "share/scened/emacs.desktop", "share/scened/nvim.desktop",
        "share/scened/vim.desktop", "share/scened/scened.vsix",
        "share/doc/scened-editors/changelog.gz", "share/doc/scened-editors/copyright",
        // This file is in /etc. `files(of:)` has cut `./etc/` off the path.
        "emacs/site-start.d/50scened.el",
      ]
    )
    let directory = PackageDirectory.appending("Sources/Programs/scened-desktop/scened_desktop")
    let faces = try FileManager.default.contentsOfDirectory(atPath: directory).filter { $0.hasSuffix(".py") }
    #expect(
      try Set(files(of: desktop).map(String.init))
        == Set(
          faces.map { "lib/python3/dist-packages/scened_desktop/\($0)" } + [
            "bin/scened-desktop", "share/applications/io.scened.Desktop.desktop",
            "share/dbus-1/services/io.scened.Desktop.service",
            "share/icons/hicolor/scalable/apps/io.scened.Desktop.svg",
            "share/locale/de/LC_MESSAGES/scened-desktop.mo",
            "share/metainfo/io.scened.Desktop.metainfo.xml", "share/man/man1/scened-desktop.1.gz",
            "share/doc/scened-desktop/changelog.gz", "share/doc/scened-desktop/copyright",
          ]
        )
    )
    let firefox = "share/mozilla/extensions/{ec8030f7-c20a-464f-9b0e-13a3a9e97384}/windows@scened.io"
    let extensions = ["share/chromium/extensions/scened", firefox].flatMap { directory in
      ["manifest.json", "options.html", "options.js", "scened.js"].map { "\(directory)/\($0)" }
    }
    #expect(
      try Set(files(of: browser).map(String.init))
        == Set(
          extensions + [
            "lib/scened/scened-browser-host", "lib/mozilla/native-messaging-hosts/io.scened.browser.json",
            "share/doc/scened-browser/changelog.gz", "share/doc/scened-browser/copyright",
            // This file is in /etc. `files(of:)` has cut `./etc/` off the path.
            "chromium/native-messaging-hosts/io.scened.browser.json",
          ]
        )
    )
    #expect(
      try Set(files(of: gnome).map(String.init))
        == Set(
          ["raise", "raise-44"].flatMap { name in
            ["extension.js", "metadata.json", "windows.js"].map {
              "share/gnome-shell/extensions/\(name)@scened.io/\($0)"
            }
          } + ["share/doc/scened-gnome/changelog.gz", "share/doc/scened-gnome/copyright"]
        )
    )
    #expect(
      try files(of: examples) == [
        "lib/scened/ContactList", "lib/scened/MyPhotos", "share/doc/scened-examples/changelog.gz",
        "share/doc/scened-examples/copyright",
      ]
    )
    #expect(
      try files(of: package) == [
        "bin/scenectl", "bin/scened", "lib/systemd/system/scened.service", "lib/systemd/system/scened.socket",
        "lib/systemd/user/scened-links.socket", "lib/systemd/user/scened-links@.service",
        "lib/systemd/user/scened-programs.service", "lib/systemd/user/scened.service",
        "lib/systemd/user/scened.socket",
        "share/applications/scened-open.desktop",
        "share/bash-completion/completions/scenectl",
        "share/doc/scened/README.md", "share/doc/scened/changelog.gz", "share/doc/scened/copyright",
        "share/fish/vendor_completions.d/scenectl.fish",
        "share/man/man1/scenectl.1.gz", "share/man/man5/scened-desktop.5.gz",
        "share/man/man7/scened.interface.7.gz", "share/man/man7/scened.recipes.7.gz",
        "share/man/man8/scened.8.gz",
        "share/zsh/vendor-completions/_scenectl",
      ]
    )
  }

  @Test func extensionOfVSCodeHasItsManifests() throws {
    let directory = try TemporaryDirectory()
    let unpack = #"cd "$1" && dpkg-deb -x "$0" . && python3 -m zipfile -e usr/share/scened/scened.vsix vsix"#
    #expect(try SpawnedProgram.run("/bin/sh", ["-c", unpack, editors, directory.path]).ending == .exit(0))
    for (name, source) in [
      ("[Content_Types].xml", "[Content_Types].xml"), ("extension.vsixmanifest", "extension.vsixmanifest"),
      ("extension/package.json", "package.json"), ("extension/extension.js", "extension.js"),
    ] {
      let packed = try String(contentsOfFile: directory.appending("vsix/\(name)"), encoding: .utf8)
      let written = PackageDirectory.appending("Sources/Adapters/vscode/\(source)")
      #expect(try packed == String(contentsOfFile: written, encoding: .utf8))
    }
  }

  @Test func lintianFindsNothingAboveInfo() throws {
    let lintian = try TestEnvironment.run("get-command", ["lintian", "lintian"])
    let (ending, output, error) = try SpawnedProgram.run(
      lintian,
      [
        "--allow-root", "--fail-on", "error,warning", package, desktop, library, editors, browser, gnome,
        examples,
      ]
    )
    #expect(ending == .exit(0) && output == "", "\(output)\(error)")
  }

  @Test(arguments: [
    ("desktop-file-validate", "desktop-file-utils", ["io.scened.Desktop.desktop"]),
    ("appstreamcli", "appstream", ["validate", "--no-net", "io.scened.Desktop.metainfo.xml"]),
  ])
  func desktopFindsTheWindowsForPeople(checker: String, package: String, arguments: [String]) throws {
    let program = try TestEnvironment.run("get-command", [checker, package])
    let data = PackageDirectory.appending("Sources/Programs/scened-desktop/data")
    let words = arguments.map { $0.hasPrefix("io.") ? "\(data)/\($0)" : $0 }
    let (ending, output, error) = try SpawnedProgram.run(program, words)
    #expect(ending == .exit(0), "\(output)\(error)")
  }

  @Test func eachTextForPeopleIsInGerman() throws {
    let update = PackageDirectory.appending("Sources/Programs/scened-desktop/po/update")
    let (ending, output, error) = try SpawnedProgram.run(update, ["--check"])
    #expect(ending == .exit(0), "\(output)\(error)")
  }

  @Test func versionIsThatOfThePrograms() throws {
    let (_, version, _) = try SpawnedProgram.run("/usr/bin/dpkg-deb", ["--field", package, "Version"])
    for program in ["scened", "scenectl"] {
      #expect(try SpawnedProgram.run(program, ["--version"]).output == "\(program) \(version)")
    }
  }

  @Test(arguments: [
    (["--output"], 64, "--output needs a directory"), (["--all"], 64, "unknown option '--all'; see --help"),
    (["--bindir", "/opt"], 1, "there is no program '/opt/scened'"),
  ])
  func mistakesAreSaid(options: [String], status: CInt, message: String) throws {
    let script = PackageDirectory.appending("systemd/package")
    let (ending, _, error) = try SpawnedProgram.run(script, options)
    #expect(ending == .exit(status) && error == "package: \(message)\n")
  }

  @Test(arguments: ["bookworm", "trixie"])
  func packageIsInstalledUpgradedRemovedAndPurged(release: String) throws {
    let box = try SystemBox([Self.directory: "/opt/package"], release: release)
    func asPerson(_ command: String...) -> [String] {
      ["runuser", "-u", "person", "--", "env", "XDG_RUNTIME_DIR=/run/user/1000"] + command
    }
    func state(_ unit: String) throws -> String {
      try box.run(asPerson("systemctl", "--user", "show", unit, "--property=ActiveState", "--value"))
    }
    func restartSession() throws {
      try box.run("systemctl", "restart", "user@1000.service")
    }
    func files() throws -> String {
      try box.run("sh", "-c", "find /etc /usr /home /var/lib/systemd")
    }
    // Without these settings, dpkg installs the man pages and documents of packages, as on a real machine.
    try box.run("sh", "-c", "rm /etc/dpkg/dpkg.cfg.d/*")
    try box.run("systemctl", "start", "user@1000.service")
    let before = try files()

    try box.run("sh", "-c", "apt-get install --yes --no-install-recommends /opt/package/scened_*.deb")
    let tour = try box.run(asPerson("scenectl", "demo"))
    #expect(tour.hasSuffix("The package scened-examples has a program that opens windows for its links."))
    try box.run("sh", "-c", "apt-get install --yes /opt/package/scened-examples_*.deb")
    #expect(try box.run(asPerson("scenectl", "demo")).contains("new window 'Photo sunset'"))
    try box.run("dpkg", "--purge", "scened-examples")
    #expect(try box.run("dpkg", "--verify", "scened") == "")
    try #require(
      try state("scened.socket") == "inactive",
      "a session that runs has it only when it is asked for"
    )
    try restartSession()
    #expect(try state("scened.socket") == "active")
    #expect(try state("scened-programs.service") == "inactive")
    #expect(try box.attempt("systemctl", "is-enabled", "scened.socket").output == "disabled\n")
    let list = try box.run(asPerson("scenectl", "handler", "list"))
    #expect(list == "No application is installed or chosen for it.")
    try box.run("sh", "-c", "gzip --test /usr/share/man/man*/scene*.gz")

    // The package is upgraded while a window is open. The next router has the window again.
    let window = try box.start(asPerson("scenectl", "scene", "--prefer", "album/1"))
    try window.outputLine(containing: ": open")
    func router() throws -> String {
      try box.run(asPerson("systemctl", "--user", "show", "scened.service", "--property=MainPID", "--value"))
    }
    let process = try router()
    try box.run(
      "sh",
      "-c",
      """
      dpkg-deb --raw-extract /opt/package/scened_*.deb /tmp/next && sed -i 's/^Version: .*/Version: 99.0/' /tmp/next/DEBIAN/control
      dpkg-deb -Znone --build /tmp/next /tmp/next.deb && dpkg --install /tmp/next.deb
      """
    )
    #expect(try box.run("dpkg-query", "--show", "scened") == "scened\t99.0")
    #expect(try router() != process)
    try box.run(asPerson("scenectl", "open", "x:album/1"))
    try window.outputLine(containing: "acknowledged x:album/1")
    #expect(try box.run(asPerson("scenectl", "scenes")).contains("album/1"))
    // A window that is still open would start the service again.
    try box.run("pkill", "--exact", "scenectl")
    _ = try window.waitForEnd()
    try box.run(asPerson("systemctl", "--user", "stop", "scened.service"))
    try #require(try state("scened.service") == "inactive")
    try box.run("sh", "-c", "dpkg --install /tmp/next.deb")
    #expect(try state("scened.service") == "inactive")

    // A socket that the administrator has disabled stays disabled.
    try box.run("systemctl", "--global", "disable", "scened.socket")
    try box.run("sh", "-c", "dpkg --install /tmp/next.deb")
    #expect(try box.attempt("systemctl", "--global", "is-enabled", "scened.socket").output == "disabled\n")
    try box.run("systemctl", "--global", "enable", "scened.socket")
    try box.run("systemctl", "enable", "--now", "scened.socket")
    try box.run("systemctl", "start", "scened.service")

    #expect(try box.run("dpkg", "--remove", "scened").contains("'scenectl handler unset --all'"))
    #expect(try state("scened.socket") == "inactive")
    #expect(try box.attempt("pgrep", "-x", "scened").ending == .exit(1))
    #expect(
      try box.run("sh", "-c", "ls -d /usr/bin/scene* /usr/lib/systemd/*/scened* 2>/dev/null || true") == ""
    )
    try box.run("dpkg", "--purge", "scened")
    #expect(try files() == before)
    try restartSession()
    #expect(try box.run(asPerson("systemctl", "--user", "is-system-running")) == "running")
  }

  /// The commands of the README, as they are printed.
  @Test func commandsOfTheReadmeInstallAndUninstall() throws {
    let readme = try Readme()
    let box = try SystemBox(
      [
        PackageDirectory.appending(".build/installed/release"): "/opt/built",
        PackageDirectory.appending("systemd"): "/opt/systemd",
        PackageDirectory.appending("Sources/Clients/Python"): "/opt/python",
        PackageDirectory.appending("Sources/Adapters"): "/opt/Adapters",
        PackageDirectory.appending("Sources/Programs/scened-desktop"): "/opt/desktop",
      ],
      release: Self.bookworm
    )
    // A clone in which the programs are built already, because a box has no Swift.
    let clone = """
      set -e
      mkdir -p /root/clone/Sources/{Clients,Programs}
      cp --recursive /opt/systemd /root/clone
      cp --recursive /opt/python /root/clone/Sources/Clients/Python
      cp --recursive /opt/Adapters /root/clone/Sources
      cp --recursive /opt/desktop /root/clone/Sources/Programs/scened-desktop
      touch /root/clone/README.md
      printf '#!/bin/sh\\n[ "$1" != --show-bin-path ] || echo /opt/built\\n' > /root/clone/systemd/build
      """
    try box.run("bash", "-c", clone)
    try box.run("systemctl", "start", "user@0.service")
    // `yes` agrees to every question of apt, as a reader of the README would.
    @discardableResult func root(_ command: String) throws -> String {
      try box.run([
        "env", "--chdir=/root/clone", "HOME=/root", "XDG_RUNTIME_DIR=/run/user/0", "bash", "-c",
        "(\(command)) < <(yes)",
      ])
    }
    try root(readme.block("sh", below: "Install it"))
    #expect(try root("scenectl handler list").contains(#/\nhttps +scened /#))
    #expect(try root("scenectl status").contains("scened 1."))
    try root(readme.inlineCommand("scenectl handler unset"))
    try root(readme.inlineCommand("apt purge"))
    #expect(try box.run("sh", "-c", "ls -d /usr/bin/scene* 2>/dev/null || true") == "")
  }

  /// The example of the README, and the windows for people, run with the Python of each Debian release.
  @Test(arguments: [bookworm, SystemBox.trixieDesktop])
  func windowInPythonGetsItsLinks(release: String) throws {
    let example = try Readme().block("python", below: "A window of your own")
    let box = try SystemBox([Self.directory: "/opt/package"], release: release)
    func asPerson(_ command: String...) -> [String] {
      ["runuser", "-u", "person", "--", "env", "XDG_RUNTIME_DIR=/run/user/1000", "PYTHONUNBUFFERED=1"]
        + command
    }
    func waitForWiki() throws {
      try Deadline().wait("The wiki did not come.") {
        try box.run(asPerson("scenectl", "scenes")).contains("wiki ")
      }
    }
    let modules = ["find", "/usr/lib/python3/dist-packages", "-path", "*scened*"]
    // Without these settings, dpkg installs the documents of packages, as on a real machine.
    try box.run("sh", "-c", "rm /etc/dpkg/dpkg.cfg.d/*")
    try box.run("sh", "-c", "apt-get install --yes --no-install-recommends /opt/package/*.deb")
    #expect(try box.run("dpkg", "--verify", "python3-scened", "scened-desktop") == "")
    let face = try box.attempt(asPerson("scened-desktop"))
    #expect(face.ending == .exit(1))
    #expect(
      face.error == "scened-desktop: there is no display; 'scenectl' shows the same in a terminal.\n"
    )
    #expect(try box.run(modules).contains(".pyc"))
    try box.run("systemctl", "start", "user@1000.service")
    let window = try box.start(asPerson("python3", "-W", "error", "-c", example))
    try waitForWiki()
    try box.run(asPerson("scenectl", "open", "https://wiki.example.org/Start"))
    try window.outputLine(containing: "show https://wiki.example.org/Start")
    try box.run(asPerson("systemctl", "--user", "kill", "--signal=KILL", "scened.service"))
    try waitForWiki()
    try box.run(asPerson("scenectl", "open", "https://wiki.example.org/Other"))
    try window.outputLine(containing: "show https://wiki.example.org/Other")
    window.send(signal: SIGTERM)
    _ = try window.waitForEnd()
    try box.run("dpkg", "--remove", "scened-desktop", "python3-scened")
    #expect(try box.run(modules) == "")
  }
}
