import DesktopEntries
import SceneRouting
import Testing

@testable import Installed

/// The effect of `mimeapps.list` and `intentapps.list` on applications.
struct AssociationTests {
  private let desktop: TemporaryDesktop

  init() throws {
    desktop = try TemporaryDesktop()
    for name in ["a", "b", "c", "d"] {
      try desktop.install("share/applications/\(name).desktop", "MimeType=text/plain;x-scheme-handler/x;")
    }
  }

  private func claims(_ name: String) -> Claims? {
    desktop.read().fileDeclarations.applications.first { $0.applicationID == name }?.claims
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

  /// An application that is the default for a type also claims the type.
  ///
  /// The reason is that the portal and `xdg-mime default` write only the default, and no added association.
  @Test func aDefaultClaimsTheType() throws {
    try desktop.write("config/mimeapps.list", "[Default Applications]\nimage/png=b.desktop;a.desktop;\n")
    #expect(claims("a")?.mimeTypes == ["image/png", "text/plain"])
    #expect(desktop.read().userDefaults == [.mimeType("image/png"): "b"])
  }

  @Test func whatWasTheDefaultBeforeTheRouterIsTheDefault() throws {
    try desktop.write(
      "config/mimeapps.list",
      "[Default Applications]\nx-scheme-handler/x=scened-open.desktop;b.desktop\n"
    )
    #expect(desktop.read().userDefaults == [.scheme("x"): "b"])
    try desktop.write(
      "state/scened/replaced-defaults.list",
      "[Default Applications]\nx-scheme-handler/x=c.desktop\nx-scheme-handler/y=c.desktop\n"
    )
    #expect(desktop.read().userDefaults == [.scheme("x"): "c"])
    try desktop.write(
      "config/mimeapps.list",
      "[Default Applications]\nx-scheme-handler/x=d.desktop;scened-open.desktop\n"
    )
    #expect(desktop.read().userDefaults == [.scheme("x"): "d"])
    try desktop.write("config/mimeapps.list", "")
    #expect(desktop.read().userDefaults == [:])
  }

  private static let lists = [
    "config/sway-mimeapps.list", "config/mimeapps.list", "xdg/sway-mimeapps.list", "xdg/mimeapps.list",
    "data/applications/sway-mimeapps.list", "data/applications/mimeapps.list",
    "local/applications/sway-mimeapps.list", "local/applications/mimeapps.list",
    "share/applications/mimeapps.list",
  ]

  @Test(arguments: lists.indices)
  func theFirstListWithADefaultCounts(_ first: Int) throws {
    desktop.environment["XDG_CURRENT_DESKTOP"] = "Sway"
    for (index, list) in Self.lists.enumerated().dropFirst(first) {
      let name = index == first ? "c" : "a"
      try desktop.write(list, "[Default Applications]\nx-scheme-handler/x=\(name).desktop\n")
    }
    #expect(desktop.read().userDefaults == [.scheme("x"): "c"])
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
    #expect(desktop.read().userDefaults == [.mimeType("text/plain"): "d"])
  }

  @Test func theRoutersOwnEntryIsNoDefault() throws {
    try desktop.install("data/applications/scened-open.desktop", "MimeType=x-scheme-handler/x;")
    try desktop.write(
      "config/mimeapps.list",
      "[Default Applications]\nx-scheme-handler/x=scened-open.desktop\n"
    )
    #expect(desktop.read().userDefaults == [:])
  }

  /// An entry in a directory that only the router reads hides other entries with the same id.
  ///
  /// `mimeapps.list` still changes the types of the entry in this directory.
  @Test func listsOfTheUserConcernEntriesForTheRouterToo() throws {
    try desktop.install("config/scened/a.desktop", "MimeType=text/plain;")
    try desktop.write("xdg/mimeapps.list", "[Added Associations]\nimage/png=a.desktop;\n")
    #expect(claims("a") == Claims(mimeTypes: ["image/png", "text/plain"]))
  }

  @Test func listsHaveAnOrderOfSoManyOnly() throws {
    var ids: [String] = []
    for number in 0..<70 {
      ids.append("n\(number)")
      try desktop.install("share/applications/n\(number).desktop")
    }
    try desktop.write(
      "config/mimeapps.list",
      "[Added Associations]\ntext/plain=\(ids.map { $0 + ".desktop" }.joined(separator: ";"))\n"
    )
    #expect(desktop.read().preferences[.mimeType("text/plain")]?.order == Array(ids.prefix(64)))
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
    let choice = UserChoice("c", source: desktop.path("config/intentapps.list:2"))
    #expect(desktop.read().fileDeclarations.hostChoices == [claim: choice])
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
