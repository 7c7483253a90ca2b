import Foundation
import TestSupport

/// The time of the command-line tool from its start to its end.
struct ToolSection {
  /// The number of runs whose average is one figure.
  ///
  /// A single run is too short, because a disturbance can take as long as the run itself.
  private static let runs = 20

  private let options: Options

  init(_ options: Options) { self.options = options }

  func tables() throws -> [Table] { try [opening(), asking()] }

  private var programs: String { (options.routerPath as NSString).deletingLastPathComponent }

  private func opening() throws -> Table {
    var table = Table(title: "tool: a link", columns: ["exec to exit ms"], comparedColumns: [0])
    let router = try RouterServer(options)
    let environment = ["SCENED_SOCKET": router.socket]
    let scenectl = programs + "/scenectl"
    let scene = try SpawnedProgram(scenectl, ["scene", "--allow", "x:"], environment: environment)
    try scene.outputLine(containing: "open")
    func running(_ label: String, _ target: String? = nil, _ command: String...) -> Contender {
      Contender(label, target: target) {
        let start = ContinuousClock.now
        for _ in 0..<Self.runs {
          _ = try SpawnedProgram.run(command[0], Array(command.dropFirst()), environment: environment)
        }
        return [(ContinuousClock.now - start) / .milliseconds(Self.runs)]
      }
    }
    table.rows = try Comparison(options: options).rows(
      [
        running("scenectl open", nil, scenectl, "open", "x:1"),
        running("gio open --help", "≤ 2", "/usr/bin/gio", "open", "--help"),
      ],
      comparing: table.comparedColumns
    )
    return table
  }

  private func asking() throws -> Table {
    var table = Table(
      title: "tool: another machine over ssh with a master connection",
      columns: ["exec to exit ms"],
      comparedColumns: [0]
    )
    let box = try UnitBox(
      programs: programs,
      scheme: "scenebench",
      release: "trixie+openssh-server+xdg-utils"
    )
    try box.makeMasterConnection(to: "box")
    table.rows = try Comparison(options: options).rows(
      [
        Contender("scenectl --host") {
          [try box.timeToEnd(of: ["scenectl", "--host", "box", "scenes"], runs: Self.runs)]
        },
        Contender("ssh true", target: "≤ 1.3") {
          [try box.timeToEnd(of: ["ssh", "box", "true"], runs: Self.runs)]
        },
      ],
      comparing: table.comparedColumns
    )
    return table
  }
}
