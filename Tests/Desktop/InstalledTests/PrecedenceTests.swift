import DesktopEntries
import Foundation
import Testing

@testable import Installed

/// Which one of several files with the same desktop id the router uses, and which files make no application.
struct PrecedenceTests {
  private let desktop: TemporaryDesktop

  init() throws { desktop = try TemporaryDesktop() }

  private static let places = [
    "config/scened", "etc", "usr", "data/applications", "local/applications", "share/applications",
  ]

  @Test(arguments: places.indices)
  func theFirstFileOfAnIDCounts(_ first: Int) throws {
    for place in Self.places[first...] { try desktop.install("\(place)/a.desktop", named: place) }
    let application = desktop.read().applications["a.desktop"]
    #expect(application?.entry.name == Self.places[first])
    #expect(application?.path == desktop.path("\(Self.places[first])/a.desktop"))
  }

  @Test(arguments: [
    "", "[Desktop Entry]\nHidden=true\n", "[Desktop Entry]\nType=Link\nName=a\n", "[Desktop Entry\nbroken",
    "[Desktop Entry]\nType=Application\nName=a\nExec=a\nTryExec=missing\n",
  ])
  func aFileWithoutAnApplicationMasksThoseBehindIt(_ text: String) throws {
    try desktop.write("data/applications/a.desktop", text)
    try desktop.install("share/applications/a.desktop")
    try desktop.install("share/applications/b.desktop")
    #expect(desktop.read().ids == ["b.desktop"])
  }

  @Test func aLinkToTheNullDeviceMasks() throws {
    try desktop.link("data/applications/a.desktop", to: "/dev/null")
    try desktop.install("share/applications/a.desktop")
    let read = desktop.read()
    #expect(read.ids == [])
    #expect(read.complaints == [])
  }

  @Test func aLinkToNothingMasksNothing() throws {
    try desktop.link("data/applications/a.desktop", to: "/nonexistent/a.desktop")
    try desktop.install("share/applications/a.desktop")
    let read = desktop.read()
    #expect(read.ids == ["a.desktop"])
    #expect(read.complaints == [])
  }

  @Test func subdirectoriesArePartsOfIDs() throws {
    try desktop.install("share/applications/kde/x/okular.desktop")
    try desktop.install("data/applications/kde-x/okular.desktop", named: "First")
    try desktop.install("config/scened/sub/own.desktop")
    try desktop.write("share/applications/kde/mimeinfo.cache", "")
    let read = desktop.read()
    #expect(read.ids == ["kde-x-okular.desktop", "sub-own.desktop"])
    #expect(read.applications["kde-x-okular.desktop"]?.entry.name == "First")
  }

  @Test func aFileComesBeforeOneInASubdirectory() throws {
    try desktop.install("share/applications/a/b.desktop", named: "Within")
    try desktop.install("share/applications/a-b.desktop", named: "Beside")
    #expect(desktop.read().applications["a-b.desktop"]?.entry.name == "Beside")
  }

  @Test func linksToDirectoriesAreFollowedButNotInCircles() throws {
    try desktop.install("elsewhere/a.desktop")
    try desktop.link("data/applications/linked", to: desktop.path("elsewhere"))
    try desktop.link("data/applications/circle", to: ".")
    try desktop.link("elsewhere/back", to: desktop.path("data/applications"))
    #expect(desktop.read().ids == ["linked-a.desktop"])
  }

  @Test(arguments: [("there", true), ("missing", false), ("data", false), ("", false)])
  func tryExecHasToBeAProgram(_ program: String, _ isInstalled: Bool) throws {
    try desktop.write("bin/there", "#!/bin/sh\n", mode: 0o755)
    try desktop.write("bin/data", "no program")
    try desktop.makeDirectory("bin/directory")
    for (id, name) in [("name", program), ("path", desktop.path("bin/\(program)"))] {
      try desktop.install("share/applications/\(id).desktop", "TryExec=\(name)")
    }
    let expected = isInstalled ? ["name.desktop", "path.desktop"] : []
    #expect(desktop.read().ids == expected)
  }

  @Test func namesAreThoseOfTheLanguage() throws {
    desktop.environment["LANG"] = "de_DE.UTF-8"
    try desktop.install("share/applications/a.desktop", "Name[de]=Anwendung")
    #expect(desktop.read().applications["a.desktop"]?.entry.name == "Anwendung")
  }

  @Test func theRoutersOwnEntryIsNoApplication() throws {
    try desktop.install("data/applications/scened-open.desktop", "MimeType=x-scheme-handler/https;")
    #expect(desktop.read().applications.isEmpty)
  }
}
