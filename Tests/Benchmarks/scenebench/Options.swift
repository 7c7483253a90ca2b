import TestSupport

/// The command line.
struct Options {
  /// A part of the benchmark that can be run on its own.
  enum Section: String, CaseIterable {
    case wire
    case lateness
    case route
    case scale
    case footprint
    case desktop
    case tool
    case application
    case counts
  }

  static let help = """
    usage: scenebench [SECTION...] [OPTION...]

    Measures the router: wire, lateness, route, scale, footprint, desktop, tool, application, counts;
    all if none is named.

      --scened PATH          the daemon (the one beside this program)
      --json                 print JSON instead of tables
      --repetitions N        how often each figure is taken (5)
      --events N             events of one run, one at a time (20000); of the others five times as many
      --identifiers N,N,...  sizes of the sections route and counts (10,1000,100000,1000000)
      --scenes N,N,...       sizes of the section scale (1,100,1000,10000)
      --foreign-load PERCENT drop repetitions beside which the machine had more else to do (15)
      --help                 print this

    """

  var sections: [Section] = []
  var showsHelp = false
  var printsJSON = false
  /// The path of the daemon; by default next to this program.
  var routerPath = SpawnedProgram.buildDirectory + "/scened"
  var repetitions = 5
  var events = 20_000
  var identifierCounts = [10, 1000, 100_000, 1_000_000]
  var sceneCounts = [1, 100, 1000, 10_000]
  /// The share of the machine's processor time, from 0 to 1, that other processes may use during a quiet repetition.
  var foreignLoad = 0.15

  init(_ arguments: [String]) throws(BenchmarkError) {
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      switch argument {
      case "--json": printsJSON = true
      case "--help": showsHelp = true
      case "--scened":
        guard let path = rest.popFirst() else { throw BenchmarkError("--scened needs a path.") }
        routerPath = path
      case "--repetitions": repetitions = try Self.number(after: argument, &rest)
      case "--events": events = try Self.number(after: argument, &rest)
      case "--foreign-load": foreignLoad = Double(try Self.number(after: argument, &rest)) / 100
      case "--identifiers": identifierCounts = try Self.numbers(after: argument, &rest)
      case "--scenes": sceneCounts = try Self.numbers(after: argument, &rest)
      default:
        guard let section = Section(rawValue: argument) else {
          throw BenchmarkError("There is no section or option '\(argument)'; see scenebench --help.")
        }
        sections.append(section)
      }
    }
    if sections.isEmpty { sections = Section.allCases }
  }

  private static func number(after name: String, _ rest: inout ArraySlice<String>) throws(BenchmarkError)
    -> Int
  {
    guard let number = try numbers(after: name, &rest).first else {
      throw BenchmarkError("\(name) needs a number.")
    }
    return number
  }

  private static func numbers(after name: String, _ rest: inout ArraySlice<String>) throws(BenchmarkError)
    -> [Int]
  {
    let numbers = (rest.popFirst() ?? "").split(separator: ",").map { Int($0) ?? 0 }
    guard !numbers.isEmpty, numbers.allSatisfy({ $0 > 0 }) else {
      throw BenchmarkError("\(name) needs positive numbers.")
    }
    return numbers
  }
}

/// The reason why no measurement was possible, as a sentence.
struct BenchmarkError: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}
