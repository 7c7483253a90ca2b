import TestSupport
import Testing

/// Reloads of a user's installed unit by the user's own systemd.
@Suite(.blocking) struct ReloadedServiceTests {
  private static let bin = "/home/person/.local/bin"

  private let box: SystemBox

  init() throws {
    box = try SystemBox([
      SystemBox.installation(): "/opt/installation",
      PackageDirectory.appending("Sources"): "/opt/package/Sources",
      PackageDirectory.appending("systemd"): "/opt/package/systemd",
    ])
    try box.run("systemctl", "start", "user@1000.service")
    try box.run("touch", "/opt/package/README.md")
    try box.run("mkdir", "--parents", Self.bin)
    try box.run("sh", "-c", "cp /opt/installation\(Self.bin)/*.so \(Self.bin)")
    try box.run("chown", "--recursive", "person:", "/home/person")
  }

  /// The installer chooses the type of the service by the version of systemd.
  ///
  /// systemd in the box is newer than 252. For the type `notify`, a script pretends that the version is 252.
  @Test(arguments: [("", "notify-reload"), ("echo systemd 252", "notify")])
  func reloadReturnsWhenWhatTheEntriesSayIsInPlace(_ systemctl: String, _ type: String) throws {
    if systemctl != "" {
      let script =
        #"mkdir /tmp/old; printf '#!/bin/sh\n%s\n' "$0" >/tmp/old/systemctl; chmod 755 /tmp/old/systemctl"#
      try box.run("sh", "-c", script, systemctl)
    }
    let path = "PATH=/tmp/old:/usr/local/bin:/usr/bin:/bin"
    let programs = "/opt/installation\(Self.bin)"
    try asPerson("env", path, "/opt/package/systemd/install", "--user", "--bindir", programs)
    try asPerson("systemctl", "--user", "daemon-reload")
    try asPerson("systemctl", "--user", "set-environment", "XDG_DATA_DIRS=/home/person/desktop")
    // The entry is a link to a file that scened does not watch. Changes of this file need a reload.
    try asPerson("mkdir", "--parents", "/home/person/desktop/applications")
    try asPerson("ln", "--symbolic", "/tmp/entry", "/home/person/desktop/applications/a.desktop")
    try install("x")
    try asPerson("systemctl", "--user", "start", "scened.service")
    #expect(try property("Type") == type)
    #expect(try takes("x"))
    // A reload also reads the manager's environment anew.
    try asPerson("mv", "/home/person/desktop", "/home/person/other")
    try asPerson("systemctl", "--user", "set-environment", "XDG_DATA_DIRS=/home/person/other")
    for scheme in ["y", "z"] {
      try install(scheme)
      try asPerson("systemctl", "--user", "reload", "scened.service")
      #expect(try takes(scheme))
    }
    // The service sees these changes without a reload.
    try asPerson("cp", "/tmp/entry", "/home/person/other/applications/b.desktop")
    try asPerson("rm", "/home/person/other/applications/a.desktop")
    try waitUntil { try takes("z", "b") }
    try asPerson("ln", "--symbolic", "/tmp/entry", "/home/person/other/applications/a.desktop")
    try asPerson("rm", "/home/person/other/applications/b.desktop")
    try waitUntil { try takes("z") }
    // Without a display, `scenectl check` reports `noDisplay`. With a display, `scenectl check` reports only that the
    // entry's program is missing.
    let check = ["\(Self.bin)/scenectl", "check", "--json"]
    #expect(try box.attempt(command(check)).output.contains(#""rule":"noDisplay""#))
    try asPerson("systemctl", "--user", "set-environment", "DISPLAY=:0")
    let found = try box.attempt(command(check))
    #expect(found.ending == .exit(2))
    #expect(found.output.split(separator: "\n").count == 1 && found.output.contains("missingProgram"))
    // A broken entry is no failure of the reload.
    try asPerson("sh", "-c", "echo [ >/tmp/entry")
    try asPerson("systemctl", "--user", "reload", "scened.service")
    #expect(try takes("z"))
    #expect(try property("ActiveState") == "active")
  }

  private func install(_ scheme: String) throws {
    let entry = #"[Desktop Entry]\nType=Application\nName=a\nExec=a %%u\nMimeType=x-scheme-handler/%s;\n"#
    try asPerson("sh", "-c", #"printf "$0" "$1" >/tmp/entry"#, entry, scheme)
  }

  private func waitUntil(_ condition: () throws -> Bool) throws {
    try Deadline().wait("The change was not taken in.", until: condition)
  }

  private func takes(_ scheme: String, _ application: String = "a") throws -> Bool {
    try asPerson("\(Self.bin)/scenectl", "explain", "--json", "\(scheme):1").contains(
      #""applicationId":"\#(application)""#
    )
  }

  private func command(_ arguments: [String]) -> [String] {
    ["runuser", "-u", "person", "--", "env", "HOME=/home/person", "XDG_RUNTIME_DIR=/run/user/1000"]
      + arguments
  }

  @discardableResult
  private func asPerson(_ arguments: String...) throws -> String { try box.run(command(arguments)) }

  private func property(_ name: String) throws -> String {
    try asPerson("systemctl", "--user", "show", "scened.service", "--property=\(name)", "--value")
  }
}
