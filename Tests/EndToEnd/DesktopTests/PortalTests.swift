import Foundation
import TestSupport
import Testing

/// Debian's xdg-desktop-portal, with the test's `chooser.py` as the dialog that chooses an application.
///
/// Sandboxed applications open links through the portal.
@Suite(.blocking, .serialized) struct PortalTests {
  private let session: DesktopSession
  private let chooser: SpawnedProgram

  init() throws {
    session = try DesktopSession(
      services: [
        "org.freedesktop.portal.Desktop": "/usr/libexec/xdg-desktop-portal",
        "org.freedesktop.impl.portal.PermissionStore": "/usr/libexec/xdg-permission-store",
      ],
      placing: ["XDG_DESKTOP_PORTAL_DIR": "portals"]
    )
    try session.write(
      "portals/test.portal",
      """
      [portal]
      DBusName=org.freedesktop.impl.portal.desktop.test
      Interfaces=org.freedesktop.impl.portal.AppChooser;
      UseIn=test

      """
    )
    chooser = try session.startPython("chooser.py")
    try chooser.outputLine(containing: "ready")
  }

  private func openThroughPortal(_ url: String) throws {
    try session.run(
      ["gdbus", "call", "--session", "--dest=org.freedesktop.portal.Desktop"]
        + ["--object-path=/org/freedesktop/portal/desktop"]
        + ["--method=org.freedesktop.portal.OpenURI.OpenURI", "", url, "{}"]
    )
  }

  @Test func webLinkReachesTheOpenSceneThatPrefersIt() throws {
    for name in ["a", "b"] {
      try session.install(
        "org.example.\(name).desktop",
        exec: "xmessage -title %u -buttons Leave:0 \(name)",
        "MimeType=x-scheme-handler/https;x-scheme-handler/x-test;"
      )
    }
    // GIO finds the types of entries only in the cache that this command writes.
    try session.run("update-desktop-database", session.path(".local/share/applications"))
    try session.write(
      ".config/mimeapps.list",
      "[Default Applications]\nx-scheme-handler/https=org.example.a.desktop\n"
    )
    try session.startRouter(opening: "https", "http")
    let scene = try session.openScene(of: "org.example.b", "--prefer", "example.org/album/4711")
    let limit = Deadline()

    try openThroughPortal("https://example.org/album/4711")
    try scene.outputLine(containing: #""https://example.org/album/4711""#, by: limit)
    // A link that no scene prefers goes to the application that was the default before scened.
    try openThroughPortal("https://example.org/other")
    try session.waitForWindow("https://example.org/other")

    // The portal asks which application opens a link with the scheme `x-test`. It did not ask about the https links.
    try openThroughPortal("x-test:1")
    let asked = try chooser.outputLine(containing: "asked", by: limit)
    #expect(asked == "asked for x-test:1 among ['org.example.a', 'org.example.b']")
    try session.waitForWindow("x-test:1")
    #expect(try session.windows.count { $0.contains("://") } == 1)
  }
}
