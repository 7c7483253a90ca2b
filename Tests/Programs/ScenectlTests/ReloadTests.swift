import Foundation
import TestSupport
import Testing

@Suite(.blocking) final class ReloadTests {
  private let home: TemporaryDirectory
  private let router: Router

  init() throws {
    home = try TemporaryDirectory()
    router = try Router(environment: ["HOME": home.path, "XDG_CONFIG_HOME": "", "XDG_STATE_HOME": ""])
  }

  private func write(_ name: String, _ lines: String) throws -> String {
    let directory = home.appending(".local/share/applications")
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    try lines.write(toFile: "\(directory)/\(name)", atomically: true, encoding: .utf8)
    return "\(directory)/\(name)"
  }

  @Test func whatIsLoadedAndWhatIsWrongIsPrinted() throws {
    let entry = "[Desktop Entry]\nType=Application\nName=a\nExec=a\n"
    _ = try write("a.desktop", entry)
    let good = try router.scenectl("reload")
    #expect(good.status == 0 && good.lines == ["1 application is loaded."])
    let path = try write("b.desktop", entry + "X-Scened-Kind=Window\n")
    let broken = try router.scenectl("reload")
    #expect(broken.status == 2)
    #expect(broken.lines.count == 2 && broken.lines[0] == "1 application is loaded.")
    #expect(broken.lines[1].hasPrefix("\(path):5: error: 'X-Scened-Kind' has to be "))
    let run = try router.scenectl("reload", "--json")
    #expect(run.status == 2)
    let object = try #require(run.objects().first)
    #expect(object["loaded"] == "1" && object["problems.0.path"] == path)
    #expect(object["problems.0.line"] == "5")
  }
}
