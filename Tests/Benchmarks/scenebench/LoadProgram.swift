import TestSupport

/// The C program `scenebench-load`, which plays the clients, and also the stub that answers in the router's place.
enum LoadProgram {
  static let name = "scenebench-load"

  /// Runs a command to its end; returns its measurements by name.
  static func run(_ arguments: [String]) throws -> [String: Double] {
    let (ending, output, error) = try SpawnedProgram.run(name, arguments, by: Deadline(in: .seconds(600)))
    guard ending == .exit(0) else {
      throw BenchmarkError("\(arguments.joined(separator: " ")) failed: \(error)")
    }
    let pairs = output.split(separator: "\n").compactMap { line -> (String, Double)? in
      let words = line.split(separator: " ")
      return words.count == 2 ? Double(words[1]).map { (String(words[0]), $0) } : nil
    }
    return Dictionary(pairs) { first, _ in first }
  }

  /// Runs a command; returns the figures with these names, in the order of the names.
  static func figures(_ names: [String], _ arguments: [String]) throws -> [Double] {
    let figures = try run(arguments)
    return try names.map { name in
      guard let figure = figures[name] else {
        throw BenchmarkError("\(arguments[0]) did not tell its \(name).")
      }
      return figure
    }
  }
}
