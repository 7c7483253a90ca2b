import DesktopEntries
import SceneRouting
import Testing

@testable import Launching

/// What `mimeapps.list` and `intentapps.list` say of applications.
struct AssociationTests {
  private let desktop: TemporaryDesktop

  init() throws {
    desktop = try TemporaryDesktop()
    for name in ["a", "b", "c", "d"] {
      try desktop.install("share/applications/\(name).desktop", "MimeType=text/plain;x-scheme-handler/x;")
    }
  }

  private func claims(_ name: String) -> Claims? {
    desktop.read().fileDeclarations.applications.first { $0.applicationID == "\(name).desktop" }?.claims
  }

  @Test func claimsAreTypesAndSchemes() {
    #expect(claims("a") == Claims(schemes: ["x"], mimeTypes: ["text/plain"]))
  }

  @Test func listsAddAndRemoveClaims() throws {
    try desktop.write(
      "config/mimeapps.list",
      """
      [Added Associations]
      image/png=a.desktop;missing.desktop;
      x-scheme-handler/y=a.desktop;
      [Removed Associations]
      text/plain=a.desktop;
      x-scheme-handler/x=a.desktop;
      """
    )
    #expect(claims("a") == Claims(schemes: ["y"], mimeTypes: ["image/png"]))
    #expect(claims("b") == Claims(schemes: ["x"], mimeTypes: ["text/plain"]))
  }

  /// The portal and `xdg-mime default` do not add an association.
  @Test func aDefaultClaimsTheType() throws {
    try desktop.write("config/mimeapps.list", "[Default Applications]\nimage/png=b.desktop;a.desktop;\n")
    #expect(claims("a")?.mimeTypes == ["image/png", "text/plain"])
    #expect(desktop.read().userDefaults == ["b.desktop": Claims(mimeTypes: ["image/png"])])
  }

  @Test func whatWasTheDefaultBeforeTheRouterIsTheDefault() throws {
    try desktop.write(
      "config/mimeapps.list",
      "[Default Applications]\nx-scheme-handler/x=scened-open.desktop;b.desktop\n"
    )
    #expect(desktop.read().userDefaults == ["b.desktop": Claims(schemes: ["x"])])
    try desktop.write(
      "state/scened/replaced-defaults.list",
      "[Default Applications]\nx-scheme-handler/x=c.desktop\nx-scheme-handler/y=c.desktop\n"
    )
    #expect(desktop.read().userDefaults == ["c.desktop": Claims(schemes: ["x"])])
    try desktop.write(
      "config/mimeapps.list",
      "[Default Applications]\nx-scheme-handler/x=d.desktop;scened-open.desktop\n"
    )
    #expect(desktop.read().userDefaults == ["d.desktop": Claims(schemes: ["x"])])
    try desktop.write("config/mimeapps.list", "")
    #expect(desktop.read().userDefaults == [:])
  }

  private static let lists = [
    "config/sway-mimeapps.list", "config/mimeapps.list", "xdg/sway-mimeapps.list", "xdg/mimeapps.list",
    "data/applications/sway-mimeapps.list", "data/applications/mimeapps.list",
    "local/applications/sway-mimeapps.list", "local/applications/mimeapps.list",
    "share/applications/mimeapps.list",
  ]

  /// Each place alone, with all that come after it.
  @Test(arguments: lists.indices)
  func theFirstListWithADefaultCounts(_ first: Int) throws {
    desktop.environment["XDG_CURRENT_DESKTOP"] = "Sway"
    for (index, list) in Self.lists.enumerated().dropFirst(first) {
      let name = index == first ? "c" : "a"
      try desktop.write(list, "[Default Applications]\nx-scheme-handler/x=\(name).desktop\n")
    }
    #expect(desktop.read().userDefaults == ["c.desktop": Claims(schemes: ["x"])])
  }

  @Test func theFirstDefaultThatIsThereCounts() throws {
    try desktop.install("share/applications/argumentless.desktop", exec: "app", "MimeType=text/plain;")
    try desktop.install("share/applications/hidden.desktop", "Hidden=true")
    try desktop.install("share/applications/scened-open.desktop")
    let ids = ["missing", "hidden", "argumentless", "scened-open", "d", "a"].map { $0 + ".desktop" }
    try desktop.write(
      "config/mimeapps.list",
      "[Default Applications]\ntext/plain=\(ids.joined(separator: ";"));\n"
    )
    #expect(desktop.read().userDefaults == ["d.desktop": Claims(mimeTypes: ["text/plain"])])
  }

  @Test func theRoutersOwnEntryIsNoDefault() throws {
    try desktop.install("data/applications/scened-open.desktop", "MimeType=x-scheme-handler/x;")
    try desktop.write(
      "config/mimeapps.list",
      "[Default Applications]\nx-scheme-handler/x=scened-open.desktop\n"
    )
    #expect(desktop.read().userDefaults == [:])
  }

  @Test func withoutListsApplicationsAreInTheOrderOfTheirIDs() {
    #expect(desktop.read().order == ["a.desktop", "b.desktop", "c.desktop", "d.desktop"])
    #expect(desktop.read().userDefaults == [:])
  }

  @Test func listsSayTheOrder() throws {
    try desktop.write(
      "config/mimeapps.list",
      """
      [Added Associations]
      text/plain=d.desktop;missing.desktop;b.desktop;
      [Default Applications]
      x-scheme-handler/x=c.desktop;d.desktop;
      """
    )
    #expect(desktop.read().order == ["c.desktop", "d.desktop", "b.desktop", "a.desktop"])
  }

  /// A file for the router alone comes before all applications, and not before the user's lists.
  @Test func listsOfTheUserConcernEntriesForTheRouterToo() throws {
    try desktop.install("config/scened/a.desktop", "MimeType=text/plain;")
    try desktop.write("xdg/mimeapps.list", "[Added Associations]\nimage/png=a.desktop;\n")
    #expect(claims("a") == Claims(mimeTypes: ["image/png", "text/plain"]))
  }

  @Test(arguments: [
    ([], []), ([["a"]], ["a"]), ([["a", "b"], ["c", "a"]], ["c", "a", "b"]),
    ([["a", "b"], ["b", "c"], ["c", "d"]], ["a", "b", "c", "d"]),
    ([["c", "d"], ["b", "c"], ["a", "b"]], ["a", "b", "c", "d"]),
    ([["a", "d"], ["b", "c", "d"]], ["a", "b", "c", "d"]), ([["a", "b"], ["b", "a"]], ["a", "b"]),
    ([["b", "a"], ["a", "b"], ["b", "a"]], ["b", "a"]),
    ([["a", "b", "c"], ["c", "a"], ["d", "a"]], ["d", "a", "b", "c"]),
    ([["b"], ["c"], ["a"]], ["b", "c", "a"]),
  ])
  func oneOrderKeepsThoseOfTheTypes(_ types: [[String]], _ order: [String]) {
    #expect(AssociationOrder(of: types).sorted == order)
  }

  @Test func theFirstChoiceThatIsThereCounts() throws {
    try desktop.install("share/applications/argumentless.desktop", exec: "app", "MimeType=text/plain;")
    try desktop.write(
      "config/intentapps.list",
      """
      [org.freedesktop.UriHandler]
      example.org=missing.desktop;argumentless.desktop;c.desktop;a.desktop;
      example.org/x=missing.desktop;
      """
    )
    let claim = try #require(HostClaim("example.org"))
    #expect(desktop.read().fileDeclarations.hostChoices == [claim: "c.desktop"])
  }

  @Test func applicationsChosenForHostsAreRead() throws {
    try desktop.write("config/intentapps.list", "[org.freedesktop.UriHandler]\nmeet.example.org=a.desktop;\n")
    try desktop.write("config/intentapp.list", "[org.freedesktop.UriHandler]\nmeet.example.org=b.desktop;\n")
    try desktop.write("xdg/intentapps.list", "[org.freedesktop.UriHandler]\nexample.org/x=c.desktop;\n")
    #expect(
      desktop.read().hostChoices.applications == [
        "meet.example.org": ["a.desktop", "b.desktop"], "example.org/x": ["c.desktop"],
      ]
    )
  }
}
