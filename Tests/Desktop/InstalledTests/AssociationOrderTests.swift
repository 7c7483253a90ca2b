import DesktopEntries
import SceneRouting
import Testing

@testable import Installed

/// The order in which the router asks applications whether they take an event.
///
/// The user can put the applications of a type into an order, and can remove an application from a type.
struct AssociationOrderTests {
  private let desktop: TemporaryDesktop

  init() throws {
    desktop = try TemporaryDesktop()
    try desktop.write(
      "share/mime/globs2",
      "50:text/x-py:*.py\n50:text/x-script:*.script\n50:text/plain:*.txt\n"
    )
    try desktop.write("share/mime/subclasses", "text/x-py text/x-script\ntext/x-script text/plain\n")
    try desktop.write("share/mime/aliases", "text/x-old-py text/x-py\n")
    for name in ["a", "b", "c", "d"] { try install(name, "text/plain;x-scheme-handler/x;") }
    try install("s", "text/x-script;")
  }

  /// Installs an application that takes no event of these tests, so that the router also asks the next application.
  private func install(_ name: String, _ types: String) throws {
    try desktop.install(
      "share/applications/\(name).desktop",
      "MimeType=\(types)",
      "X-Scened-Matching=no",
      "Implements=org.freedesktop.UriHandler;",
      "[org.freedesktop.UriHandler]",
      "Supports=example.org;"
    )
  }

  private func list(_ groups: (String, [String])...) throws {
    let lines = groups.flatMap { group, lines in
      let name = group == "Default" ? "Default Applications" : "\(group) Associations"
      return ["[\(name)]"] + lines
    }
    try desktop.write("config/mimeapps.list", lines.joined(separator: "\n") + "\n")
  }

  /// Returns the names of the applications that the router asks about a link, in the order in which it asks them.
  ///
  /// A name is one letter, and is in the result only once.
  private func asked(_ url: String, connected: [String] = []) throws -> String {
    var router = Router()
    _ = router.replaceFiles(with: desktop.read().fileDeclarations, now: 0)
    for id in connected {
      let declaration = ApplicationDeclaration(
        applicationID: id,
        scenes: [SceneDeclaration(id: "main", matching: ["no"])],
        claims: Claims(schemes: ["x"], mimeTypes: ["text/plain"])
      )
      _ = try router.declare(declaration, by: Client(user: UserID(rawValue: 1)), now: 0).get()
    }
    let (_, trace) = try router.explain(Event(.url(url)), RouteConstraints(), maximumSteps: 100).get()
    var asked: [Substring] = []
    for step in trace.steps where step.rule == .matching {
      let name = step.applicationID?.split(separator: ".").first ?? "?"
      if !asked.contains(name) { asked.append(name) }
    }
    return asked.joined()
  }

  @Test func withoutListsTheIDsAreTheOrder() throws {
    #expect(try asked("x:1") == "abcd")
    #expect(try asked("file:///f.txt") == "abcd")
  }

  @Test func eachTypeHasAnOrderOfItsOwn() throws {
    try list(
      ("Added", ["text/plain=d.desktop;c.desktop;", "x-scheme-handler/x=b.desktop;c.desktop;d.desktop;"])
    )
    #expect(try asked("file:///f.txt") == "dcab")
    #expect(try asked("x:1") == "bcda")
  }

  @Test func defaultsComeBeforeOthersThatAreAdded() throws {
    try list(
      ("Default", ["x-scheme-handler/x=c.desktop;d.desktop;"]),
      ("Added", ["x-scheme-handler/x=b.desktop;"])
    )
    #expect(try asked("x:1") == "cdba")
    #expect(try asked("file:///f.txt") == "abcd")
  }

  @Test func whatDeclaresItselfComesBeforeWhatIsListed() throws {
    try list(("Added", ["x-scheme-handler/x=c.desktop;b.desktop;"]))
    #expect(try asked("x:1", connected: ["z", "b.desktop"]) == "zbcad")
  }

  @Test func ofOtherNamesOfATypeTheOrderIsThatOfTheType() throws {
    for name in ["a", "b", "c"] { try install(name, "text/x-old-py;") }
    try list(("Added", ["text/x-py=c.desktop;b.desktop;"]))
    #expect(try asked("file:///f.py") == "cbasd")
  }

  /// The router first asks the applications that open the file's own type, in the user's order for this type.
  ///
  /// Applications that open only a more general type come later, in the user's order for the more general type. GIO has
  /// the same rule.
  @Test func thoseWithTheTypeItselfAreInItsOrderAndOthersInThatOfTheirs() throws {
    for name in ["a", "b"] { try install(name, "text/x-py;text/plain;") }
    try list(("Added", ["text/x-py=b.desktop;", "text/plain=d.desktop;a.desktop;"]))
    #expect(try asked("file:///f.py") == "basdc")
    #expect(try asked("file:///f.txt") == "dabc")
  }

  @Test func ofEquallyCloseHostsTheOrderIsThatOfTheScheme() throws {
    #expect(try asked("https://example.org/") == "abcds")
    try list(("Added", ["x-scheme-handler/https=c.desktop;b.desktop;"]))
    #expect(try asked("https://example.org/") == "cbads")
  }

  /// If the user removes an application from a type, the router does not ask the application about files of the type.
  ///
  /// The removal also counts for all subtypes of the type, even if the application opens a more general type. GIO has
  /// the same rule.
  @Test func whatIsRemovedFromATypeDoesNotGetItAsAMoreGeneralOne() throws {
    try list(("Removed", ["text/x-script=a.desktop;s.desktop;", "text/x-py=b.desktop;"]))
    #expect(try asked("file:///f.txt") == "abcd")
    #expect(try asked("file:///f.script") == "bcd")
    #expect(try asked("file:///f.py") == "cd")
  }

  /// If the user adds an application to a type, the router asks the application about files of the type.
  ///
  /// A removal of the application from a more general type does not change this. GIO has the same rule.
  @Test func whatIsAddedToATypeIsNotRemovedByAMoreSpecificOneThatHasItToo() throws {
    try list(("Added", ["text/x-py=a.desktop;"]), ("Removed", ["text/x-script=a.desktop;"]))
    #expect(try asked("file:///f.py") == "asbcd")
  }

  @Test func whatIsRemovedFromATypeHasItsFamilyForOthers() throws {
    try install("f", "text/*;")
    #expect(try asked("file:///f.txt") == "abcdf")
    try list(("Removed", ["text/plain=f.desktop;"]))
    #expect(try asked("file:///f.txt") == "abcd")
    #expect(try asked("file:///f.py") == "fsabcd")
  }

  /// The user removes application `c` from Python files, but makes `c` the default for `text/plain`.
  ///
  /// The router asks `c` about a Python file only if no other application is left for a type of the file that is more
  /// specific than `text/plain`. GIO has the same rule.
  @Test func whatIsTheDefaultForAMoreGeneralTypeCountsAlthoughItIsRemoved() throws {
    try list(("Default", ["text/plain=c.desktop;"]), ("Removed", ["text/x-py=c.desktop;"]))
    #expect(try asked("file:///f.py") == "sabd")
    try list(
      ("Default", ["text/plain=c.desktop;"]),
      ("Removed", ["text/x-py=c.desktop;s.desktop;"])
    )
    #expect(try asked("file:///f.py") == "cabd")
  }
}
