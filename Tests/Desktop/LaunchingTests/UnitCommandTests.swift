import Foundation
import TestSupport
import Testing

@testable import Launching

/// Units in the form that D-Bus and systemd can carry.
struct UnitCommandTests {
  @Test func argumentsInUTF8StayAsTheyAre() {
    let command = UnitCommand("/bin/app", [Array("app".utf8), Array("ü $(id)\n".utf8)])
    #expect(command.path == "/bin/app" && command.arguments == ["app", "ü $(id)\n"])
  }

  @Test(
    arguments: [
      [0xFF], [0x66, 0xFC, 0x72], [0xC3], [0xED, 0xA0, 0x80, 0x0A],
      Array("'\"$(id)`id`\\n%s ;&|\n\t".utf8) + [0x80],
      Array("-n ".utf8) + [0xE9, 0x0A, 0x0A], Array(0x01...0xFF), Array("ü".utf8) + [0xFC],
    ] as [[UInt8]]
  )
  func argumentThatIsNotUTF8ArrivesExactly(_ bytes: [UInt8]) throws {
    let command = UnitCommand("/usr/bin/printf", [Array("printf".utf8), Array("%s|%s".utf8), bytes, []])
    let process = Process()
    process.executableURL = URL(filePath: command.path)
    process.arguments = Array(command.arguments.dropFirst())
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    #expect(Array(output.fileHandleForReading.readDataToEndOfFile()) == bytes + Array("|".utf8))
    #expect(command.arguments.allSatisfy { $0.utf8.allSatisfy { $0 < 0x80 } })
  }

  @Test(arguments: [
    "org.example.App.desktop", String(repeating: "a-", count: 120) + ".desktop",
    String(repeating: "ü", count: 100) + ".desktop", "-.desktop",
  ])
  func nameOfAUnitIsOneThatSystemdTakes(_ id: String) throws {
    let name = ProgramUnit(desktopID: id, path: "/bin/true").name
    #expect(name.utf8.count <= 255)
    #expect(name.wholeMatch(of: /app-[A-Za-z0-9:_.\\]+@[0-9a-f]+\.service/) != nil, "\(name)")
  }
}
