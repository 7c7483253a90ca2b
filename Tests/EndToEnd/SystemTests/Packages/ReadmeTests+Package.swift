import Foundation
import TestSupport
import Testing

extension ReadmeTests {
  @Test func windowInSwiftTakesItsLinks() throws {
    let program = try buildWindow()
    try expectLinks(withWindow: true) { environment in
      try SpawnedProgram("/usr/bin/stdbuf", ["--output=L", program], environment: environment)
    }
  }

  /// Builds the README's Swift program as a package of its own, and returns the path of the program.
  ///
  /// The program's package expects a clone of scened beside it. A symbolic link to this package takes its place. The
  /// build stays in `.build/readme`, so that the next run of the test takes seconds.
  private func buildWindow() throws -> String {
    let directory = PackageDirectory.appending(".build/readme")
    let package = directory + "/Wiki"
    let files = FileManager.default
    try files.createDirectory(atPath: package + "/Sources/Wiki", withIntermediateDirectories: true)
    if !files.fileExists(atPath: directory + "/scened") {
      try files.createSymbolicLink(atPath: directory + "/scened", withDestinationPath: "../..")
    }
    // The README's package gets scened's `Package.resolved`, so it uses the same versions of the dependencies.
    let versions = PackageDirectory.appending("Package.resolved")
    if files.fileExists(atPath: versions), !files.fileExists(atPath: package + "/Package.resolved") {
      try files.copyItem(atPath: versions, toPath: package + "/Package.resolved")
    }
    let manifest = try examples.block("swift", below: "A window in Swift")
    try manifest.write(toFile: package + "/Package.swift", atomically: false, encoding: .utf8)
    let program = try readme.block("swift", below: "A window of your own")
    try program.write(toFile: package + "/Sources/Wiki/main.swift", atomically: false, encoding: .utf8)
    let (ending, output, error) = try SpawnedProgram.run(
      "/usr/bin/env",
      ["swift", "build", "--package-path", package],
      // The build gets all environment variables of this test, because some can affect the download of dependencies.
      environment: ProcessInfo.processInfo.environment,
      by: Deadline(in: .seconds(1800))
    )
    try #require(ending == .exit(0), "\(output)\(error)")
    return package + "/.build/debug/Wiki"
  }
}
