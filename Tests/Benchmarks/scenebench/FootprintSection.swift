import Foundation
import TestSupport

/// The start time, the memory and the size of the daemon before it has any work.
struct FootprintSection {
  private let options: Options

  init(_ options: Options) { self.options = options }

  func tables() throws -> [Table] {
    var table = Table(
      title: "footprint",
      columns: ["exec to answer ms", "RSS MB", "PSS MB", "program MB", "libraries"],
      comparedColumns: [0]
    )
    let routerPath = options.routerPath
    var contenders = [
      Contender("scened") {
        let router = try RouterServer(options)
        return try [startup(routerPath)] + memory(of: router.processID, routerPath)
      }
    ]
    if let path = BusServer.Implementation.daemon.program {
      contenders.append(
        Contender("dbus-daemon") {
          guard let bus = try BusServer(.daemon) else { throw BenchmarkError("dbus-daemon does not run.") }
          return try [busStartup(path)] + memory(of: bus.processID, path)
        }
      )
    }
    table.rows = try Comparison(options: options).rows(contenders, comparing: table.comparedColumns)
    table.rows[0].target = "≤ 7.9 MB RSS"
    table.notes = ["scened's libraries: \(try libraryNames().joined(separator: ", "))"]
    return [table]
  }

  private func startup(_ program: String) throws -> Double {
    let directory = try TemporaryDirectory()
    let socket = directory.appending("router")
    let arguments = ["startup", "--socket", socket, program, "--socket", socket]
    return try LoadProgram.figures(["milliseconds"], arguments)[0]
  }

  private func busStartup(_ program: String) throws -> Double {
    let directory = try TemporaryDirectory()
    let socket = directory.appending("bus")
    let configuration = directory.appending("bus.conf")
    try BusServer.configuration(socket).write(toFile: configuration, atomically: true, encoding: .utf8)
    let arguments = ["startup", "--socket", socket, "--bus", program] + BusServer.arguments(configuration)
    return try LoadProgram.figures(["milliseconds"], arguments)[0]
  }

  /// Returns the resident and the proportional set size, the size of the program, and the number of loaded libraries.
  private func memory(of process: CInt, _ program: String) throws -> [Double] {
    let size = try FileManager.default.attributesOfItem(atPath: program)[.size] as? Int ?? 0
    let resident = Machine.kilobytes("Rss", in: "smaps_rollup", of: process) ?? 0
    let proportional = Machine.kilobytes("Pss", in: "smaps_rollup", of: process) ?? 0
    return [
      resident / 1000, proportional / 1000, Double(size) / 1e6, Double(Self.libraries(of: process).count),
    ]
  }

  private func libraryNames() throws -> [String] {
    let router = try RouterServer(options)
    return Self.libraries(of: router.processID).sorted()
  }

  private static func libraries(of process: CInt) -> Set<String> {
    Set(
      Machine.lines(of: "/proc/\(process)/maps").compactMap { line in
        line.split(separator: "/").last.map { String($0) }.flatMap { $0.contains(".so") ? $0 : nil }
      }
    )
  }
}
