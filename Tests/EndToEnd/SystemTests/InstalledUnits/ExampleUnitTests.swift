import Foundation
import TestSupport
import Testing

/// The installed service starts an example in a real user's manager, or says why the example does not start.
@Suite(.blocking) struct ExampleUnitTests {
  private static let id = "org.example.MyPhotos"

  private let box: SystemBox
  private let entry: String

  init() throws {
    let installation = try SystemBox.installation()
    let libraries = try SystemBox.libraries()
    box = try SystemBox([
      "\(installation)/home/person/.local": "/home/person/.local",
      SpawnedProgram.buildDirectory: "/opt/programs", libraries: libraries,
    ])
    let file = PackageDirectory.appending("Sources/Examples/MyPhotos/\(Self.id).desktop")
    entry = try String(contentsOfFile: file, encoding: .utf8)
      .replacing("Exec=MyPhotos", with: "Exec=/opt/programs/MyPhotos")
    let script = """
      set -e
      chown person: /home/person
      mkdir -p /etc/environment.d
      echo XDG_DATA_DIRS=/home/person/desktop:/usr/share > /etc/environment.d/desktop.conf
      systemctl start user@1000.service
      """
    try box.run("sh", "-c", script)
    try asPerson("mkdir -p ~/desktop/applications ~/desktop/dbus-1/services ~/.config/systemd/user")
    try asPerson("systemctl --user start scened.socket")
  }

  @Test func maskedUnitIsReportedAndTheNextEventStartsIt() throws {
    try install(entry)
    try asPerson("ln -s /dev/null ~/.config/systemd/user/app-$0@.service; systemctl --user daemon-reload")
    #expect(try open().contains(".service' is masked."))
    try asPerson("rm ~/.config/systemd/user/app-$0@.service; systemctl --user daemon-reload")
    #expect(try open().contains(#""result":"acknowledged""#))
  }

  @Test func serviceThatDoesNotStartIsReportedAndTheNextEventStartsIt() throws {
    try install(entry.replacing("Exec=", with: "DBusActivatable=true\nExec="))
    try installService("sh -c 'exit 3'", limit: "StartLimitBurst=1\nStartLimitIntervalSec=1h")
    #expect(try open().contains("'photos.service' ended at once with status 3."))
    #expect(try open().contains("'photos.service' was started too often in a short time"))
    // The service never takes its name on the bus.
    try installService("sleep infinity", limit: "StartLimitIntervalSec=0")
    #expect(try open().contains("systemd did not start 'photos.service': timeout."))
    try install(entry)
    #expect(try open().contains(#""result":"acknowledged""#))
  }

  /// Sends an event for the example, and returns the output.
  private func open() throws -> String {
    try box.attempt(person + ["/home/person/.local/bin/scenectl", "open", "--json", "photos:album/1"]).output
  }

  private func install(_ entry: String) throws {
    try asPerson(#"printf %s "$1" > ~/desktop/applications/$0.desktop"#, entry)
    try asPerson("~/.local/bin/scenectl reload")
  }

  /// Installs a D-Bus service, which systemd runs as a unit.
  private func installService(_ exec: String, limit: String) throws {
    let unit = """
      [Unit]
      \(limit)
      [Service]
      Type=dbus
      BusName=\(Self.id)
      ExecStart=\(exec)
      TimeoutStartSec=1
      """
    let file = "[D-BUS Service]\nName=\(Self.id)\nExec=/bin/false\nSystemdService=photos.service\n"
    let script = #"""
      set -e
      printf %s "$1" > ~/.config/systemd/user/photos.service
      printf %s "$2" > ~/desktop/dbus-1/services/$0.service
      systemctl --user daemon-reload
      """#
    try asPerson(script, unit, file)
  }

  private var person: [String] {
    ["runuser", "-u", "person", "--", "env", "HOME=/home/person", "XDG_RUNTIME_DIR=/run/user/1000"]
  }

  private func asPerson(_ script: String, _ arguments: String...) throws {
    try box.run(person + ["sh", "-c", script, Self.id] + arguments)
  }
}
