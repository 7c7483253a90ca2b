import DesktopEntries
import Foundation
import Installed
import SceneRouting
import TestSupport
import Testing

/// The entries of the programs in Debian's desktops, as read by scened, GIO and `desktop-file-validate`.
@Suite(.blocking) struct DebianEntriesTests {
  private let desktop: DebianDesktop

  init() throws { desktop = try DebianDesktop() }

  /// Errors of `desktop-file-validate` about parts of entries that scened accepts or does not read.
  private static let otherErrors = [
    // Only menus read this key; three entries of Peony have the value "true;".
    #"for boolean key "NoDisplay""#,
    // Some desktops define keys and categories of their own. scened reads none of them.
    "but keys extending the format should start with", "contains an unregistered value",
    // The validator of Debian 12 is older than version 1.5 of the specification.
    "is not a known version",
    // scened does not look for the file of an icon.
    "is an icon name with an extension",
    // scened leaves out entries whose type is not `Application`.
    "but the type is",
    // scened accepts unknown groups before and after the groups that it reads.
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

  /// The types for which scened differs from GIO, and why.
  private static let otherTypes = [
    // scened treats these two names as one type, because case does not matter (RFC 2045, 5.1). GIO treats them as two.
    "audio/AMR-WB", "audio/amr-wb",
    // scened treats each text type as a kind of text/plain (Shared MIME-info Database 0.21, 2.11). GIO does so only for
    // the types for which the database says so.
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
      // The order is not compared if an entry uses an alias of the type or of a supertype. With an alias, GIO sorts the
      // entries of each name separately, but scened sorts them together.
      let names = database.lineage(of: answer.type).flatMap { database.names(of: $0).dropFirst() }
      let isOrdered = desktop.types.isDisjoint(with: names)
      if isOrdered ? own != answer : !own.isReordered(answer) { others.append(answer.type) }
    }
    #expect(others == Self.otherTypes.sorted())
  }

  /// If `hasLists` is true, the user has a `mimeapps.list` that adds and removes applications for many types.
  @Test(arguments: [false, true])
  func routerAsksThemInTheOrderThatGIOSays(hasLists: Bool) throws {
    if hasLists { try desktop.writeList("mimeapps.list", withDefaults: false) }
    let installed = InstalledApplications(reading: DesktopPlaces(environment: desktop.environment))
    let read = installed.fileDeclarations
    var router = Router()
    // Each application declares only a scene that matches nothing. No application can therefore open a scene for the
    // event, so the router tries each application that claims the event.
    //
    // Families of types such as `image/*` are left out, because GIO does not know them.
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
      // GIO answers with names of entries. The name of an entry is the application's id with `.desktop` at the end.
      let asked = trace.steps.filter { $0.rule == .matching }.compactMap(\.applicationID).map {
        "\($0).desktop"
      }
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
