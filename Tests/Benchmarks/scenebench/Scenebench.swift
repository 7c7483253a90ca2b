import Foundation
import Glibc

/// The benchmark; `README.md` in this directory describes each figure.
@main
enum Scenebench {
  static func main() {
    do {
      let arguments = Array(CommandLine.arguments.dropFirst())
      if arguments.first == "counted" {
        return try CountedRuns.runAll(identifierCount: arguments.last.flatMap { Int($0) } ?? 0)
      }
      let options = try Options(arguments)
      if options.showsHelp { return print(Options.help, terminator: "") }
      let report = try Report(
        machine: Machine.description,
        sections: options.sections.flatMap { try $0.run(options) }
      )
      print(options.printsJSON ? try report.json : report.text)
    } catch {
      FileHandle.standardError.write(Data("scenebench: \(error)\n".utf8))
      exit(1)
    }
  }
}

extension Options.Section {
  /// Prints the section's name on standard error, then measures the section.
  fileprivate func run(_ options: Options) throws -> [Table] {
    FileHandle.standardError.write(Data("scenebench: \(rawValue)\n".utf8))
    return switch self {
    case .wire: try WireSection(options).tables()
    case .lateness: try LatenessSection(options).tables()
    case .route: try RouteSection(options).tables()
    case .scale: try ScaleSection(options).tables()
    case .footprint: try FootprintSection(options).tables()
    case .desktop: try DesktopSection(options).tables()
    case .tool: try ToolSection(options).tables()
    case .application: try ApplicationSection(options).tables()
    case .counts: try CountsSection(options).tables()
    }
  }
}
