import DesktopEntries
import Foundation
import Installed
import SceneRouting
import TestSupport
import Testing

/// The entries of the programs in Debian's desktops, read by scened and by the programs that others read them with.
@Suite(.blocking) struct DebianEntriesTests {
  private let desktop: DebianDesktop

  init() throws { desktop = try DebianDesktop() }

  /// Errors of `desktop-file-validate` in what scened does not read, or reads all the same.
  private static let otherErrors = [
    // Menus alone read it; "true;" is in three entries of Peony.
    #"for boolean key "NoDisplay""#,
    // Nobody but the desktops that made them up reads these keys and categories.
    "but keys extending the format should start with", "contains an unregistered value",
    // The validator of Debian 12 is older than version 1.5 of the specification.
    "is not a known version",
    // Icons are found with an extension too.
    "is an icon name with an extension",
    // What is no application is left out.
    "but the type is",
    // Other groups may stand before and after those that are read.
    "first group is not", "but groups extending the format should start with",
  ]

  @Test func entriesAreReadWithoutComplaintsWhereDesktopFileValidateHasNone() throws {
    #expect(desktop.entries.count >= 400)
    let paths = desktop.entries.map { "\(desktop.share)/applications/\($0.id)" }
    let validated = try SpawnedProgram.run(
      "/usr/bin/desktop-file-validate",
      ["--no-hints", "--no-warn-deprecated"] + paths
    )
    let errors = validated.output.split(separator: "\n").filter { line in
      line.contains(": error: ") && !Self.otherErrors.contains { line.contains($0) }
    }
    #expect(errors == [])
    try #require(validated.output.contains("peony-home.desktop: error: "))
    for entry in desktop.entries {
      if case .broken = entry.file { Issue.record("\(entry.id) is not read.") }
      #expect(entry.complaints == [], "\(entry.id)")
    }
  }

  /// The types of which scened says something else than GIO, and why.
  private static let otherTypes = [
    // Types are compared without case (RFC 2045, 5.1); GIO compares bytes.
    "audio/AMR-WB", "audio/amr-wb",
    // All text is text/plain (Shared MIME-info Database 0.21, 2.11); in GIO only what the database knows.
    "text/feathernotes-fnx", "text/pdf", "text/x-pdf", "text/xml-svg",
  ]

  @Test(arguments: ["", "mimeapps.list", "gnome-mimeapps.list"])
  func typesAreOpenedByThoseThatGIOSays(list: String) throws {
    let environment = desktop.environment
    if !list.isEmpty { try desktop.writeList(list) }
    let (installed, associations) = InstalledApplications.withAssociations(
      reading: DesktopPlaces(environment: environment)
    )
    let known = Dictionary(uniqueKeysWithValues: associations.knownTypes.map { ($0.name, $0) })
    let database = installed.fileTypes
    var others: [String] = []
    for answer in try desktop.answersOfGIO() {
      let type = known[database.unaliased(answer.type)]
      let own = GIOAnswer(
        type: answer.type,
        recommended: desktop.present(type?.applications ?? []),
        all: desktop.present(associations.applications(for: answer.type)),
        default: associations.defaultApplication(for: answer.type) { desktop.isPresent($0) }
      )
      // Entries that no list orders are in alphabetical order, and in GIO those for each name of a type.
      let names = database.lineage(of: answer.type).flatMap { database.names(of: $0).dropFirst() }
      let isOrdered = desktop.types.isDisjoint(with: names)
      if isOrdered ? own != answer : !own.isReordered(answer) { others.append(answer.type) }
    }
    #expect(others == Self.otherTypes.sorted())
  }

  /// What contradicts itself from type to type included.
  @Test(arguments: [false, true])
  func routerAsksThemInTheOrderThatGIOSays(hasLists: Bool) throws {
    if hasLists { try desktop.writeList("mimeapps.list", withDefaults: false) }
    let installed = InstalledApplications(reading: DesktopPlaces(environment: desktop.environment))
    let read = installed.fileDeclarations
    var router = Router()
    // None of them takes anything, so that all are asked; and GIO knows no families, such as the `image/*` of one.
    let applications = read.applications.map { declaration in
      var declaration = declaration
      declaration.scenes = [SceneDeclaration(id: "main", matching: [])]
      declaration.claims.mimeTypes.removeAll { $0.hasSuffix("/*") }
      return declaration
    }
    let files = FileDeclarations(
      applications: applications,
      preferences: read.preferences,
      fileTypes: read.fileTypes
    )
    _ = router.replaceFiles(with: files, now: 0)
    func takesEvents(_ id: String) -> Bool { installed.applications[id]?.entry.takesEvents == true }
    var others: [String] = []
    for answer in try desktop.answersOfGIO() {
      let scheme = DesktopEntry.scheme(ofType: answer.type)
      let event = scheme.map { Event(.url("\($0):x")) } ?? Event(.url("file:///x"), contentType: answer.type)
      let (_, trace) = try router.explain(event, RouteConstraints(), maximumSteps: 1000).get()
      let asked = trace.steps.filter { $0.rule == .matching }.compactMap(\.applicationID)
      let expected = answer.all.filter(takesEvents)
      let names = installed.fileTypes.lineage(of: answer.type).flatMap {
        installed.fileTypes.names(of: $0).dropFirst()
      }
      let isOrdered = desktop.types.isDisjoint(with: names)
      let own = desktop.present(asked)
      if isOrdered ? own != expected : own.sorted() != expected.sorted() { others.append(answer.type) }
    }
    #expect(others == (Self.otherTypes + ["image/*"]).sorted())
  }
}
