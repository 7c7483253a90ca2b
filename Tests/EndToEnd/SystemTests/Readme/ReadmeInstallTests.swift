import TestSupport
import Testing

/// Runs the README's commands that install scened for one user and uninstall it, exactly as printed.
///
/// `PackageTests` tests the commands that make and install the Debian package, because they need a release build.
@Suite(.blocking) struct ReadmeInstallTests {
  @Test func commandsWithoutRootInstallAndUninstall() throws {
    let readme = try Readme()
    let libraries = try SystemBox.libraries()
    let box = try SystemBox([
      libraries: libraries, SpawnedProgram.buildDirectory: "/opt/built",
      PackageDirectory.appending("systemd"): "/opt/systemd",
      PackageDirectory.appending("Sources/Clients/Python"): "/opt/python",
      PackageDirectory.appending("Sources/Programs/scened-desktop"): "/opt/desktop",
    ])
    // This clone uses programs that are already built, because the box has no Swift and a release build takes minutes.
    let clone = """
      set -e
      mkdir -p /home/person/clone/Sources/{Clients,Programs}
      cp --recursive /opt/systemd /home/person/clone
      cp --recursive /opt/python /home/person/clone/Sources/Clients/Python
      cp --recursive /opt/desktop /home/person/clone/Sources/Programs/scened-desktop
      touch /home/person/clone/README.md
      printf '#!/bin/sh\\n[ "$1" != --show-bin-path ] || echo /opt/built\\n' > /home/person/clone/systemd/build
      for program in swift strip; do ln --symbolic /usr/bin/true /usr/local/bin/$program; done
      chown --recursive person: /home/person
      """
    try box.run("bash", "-c", clone)
    try box.run("systemctl", "start", "user@1000.service")
    @discardableResult func person(_ command: String) throws -> String {
      let environment = [
        "--chdir=/home/person/clone", "HOME=/home/person", "XDG_RUNTIME_DIR=/run/user/1000",
        "PATH=/home/person/.local/bin:/usr/local/bin:/usr/bin:/bin",
      ]
      return try box.run(["runuser", "-u", "person", "--", "env"] + environment + ["bash", "-c", command])
    }
    let before = try person("find ~ | sort")

    let told = try person("(\(readme.inlineCommand("systemd/install", "enable"))) 2>&1")
    #expect(told.contains("scened-desktop needs libadwaita: apt install gir1.2-adw-1"), "\(told)")
    #expect(try person("scenectl status").contains("scened 1."))
    let lines = try readme.block("sh", below: "Install it").split(separator: "\n")
    try person(String(lines[1]))
    #expect(try person("scenectl handler list").contains(#/\nhttps +scened /#))

    try person(readme.inlineCommand("scenectl handler unset"))
    #expect(try person("scenectl handler list") == "No application is installed or chosen for it.")
    try person(readme.inlineCommand("systemd/install", "--uninstall"))
    #expect(try person("systemctl --user is-active scened.socket || true") == "inactive")
    let left = Set(try person("find ~ | sort").split(separator: "\n"))
      .subtracting(before.split(separator: "\n"))
    #expect(!left.contains { $0.contains("scene") }, "\(left)")
  }
}
