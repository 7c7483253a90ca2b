import Foundation
import Testing

@testable import Installed

/// Which directories are watched, and when changed files are read.
struct WatchingTests {
  private let desktop: TemporaryDesktop

  init() throws { desktop = try TemporaryDesktop() }

  @Test(arguments: [
    ("data/applications", "a.desktop", true), ("data/applications", "mimeinfo.cache", true),
    ("config", "mimeapps.list", true), ("xdg", "gnome-mimeapps.list", true),
    ("config", "intentapps.list", true),
    ("config", "intentapp.list", true), ("config", "kde-mimeapps.list", false),
    ("config", "other.conf", false),
    ("config/scened", "a.desktop", true), ("etc", "a.desktop", true),
    ("state/scened", "replaced-defaults.list", true), ("state/scened", "other", false),
    ("share/mime", "globs2", true), ("share/mime", "aliases", true), ("share/mime", "subclasses", true),
    ("share/mime", "packages", false),
    // The names of directories that may appear or disappear.
    ("config", "scened", true), ("share", "applications", true), ("share", "mime", true),
    ("share", "doc", false),
    ("", "state", true), ("", "other", false),
  ])
  func namesThatAreReadCount(_ directory: String, _ name: String, _ counts: Bool) throws {
    desktop.environment["XDG_CURRENT_DESKTOP"] = "GNOME"
    let directory = directory.isEmpty ? String(desktop.path("x").dropLast(2)) : desktop.path(directory)
    #expect((desktop.places.watchedDirectories[directory]?.contains(name) ?? false) == counts)
  }

  @Test func everyDirectoryAboveIsWatchedForTheNextOne() {
    let places = DesktopPlaces(environment: ["HOME": "/h/user", "XDG_DATA_DIRS": "/d"])
    let watched = places.watchedDirectories
    #expect(watched["/"] == .some(["h", "d", "etc", "usr"]))
    #expect(watched["/h"] == .some(["user"]))
    #expect(watched["/h/user"] == .some([".config", ".local"]))
    #expect(watched["/h/user/.local/share"] == .some(["applications", "mime"]))
  }

  /// Each argument has links, each with its target, the path of the last link, and the steps below the desktop's
  /// directory that follow those to the link itself.
  @Test(arguments: [
    ([("aa/list", "../bb/list")], "aa/list", ["bb", "bb/list"]),
    ([("aa/list", "next"), ("aa/next", "../bb/c/list")], "aa/list", ["aa/next", "bb", "bb/c", "bb/c/list"]),
    // The parent of a link's target, not of the link.
    (
      [("aa/link", "../bb/c"), ("aa/list", "link/../list")], "aa/list", ["aa/link", "bb", "bb/c", "bb/list"]
    ),
    ([("aa", "bb/aa"), ("bb/aa/list", "list2")], "aa/list", ["bb", "bb/aa", "bb/aa/list", "bb/aa/list2"]),
    ([("aa/list", "../missing/../bb/./list")], "aa/list", ["missing", "bb", "bb/list"]),
  ])
  func stepsBehindALinkAreFound(_ links: [(String, String)], _ path: String, _ steps: [String]) throws {
    try desktop.makeDirectory("bb/c")
    for (link, target) in links { try desktop.link(link, to: target) }
    let found = LinkStep.steps(ofLink: desktop.path(path)).map { "\($0.directory)/\($0.name)" }
    #expect(found.suffix(steps.count) == steps.map { desktop.path($0) }[...], "\(found)")
    #expect(found.contains(desktop.path("aa")))
  }

  @Test func absoluteLinkBeginsAtTheRoot() throws {
    try desktop.link("list", to: "/no/such/./list")
    let steps = LinkStep.steps(ofLink: desktop.path("list")).map { "\($0.directory)|\($0.name)" }
    #expect(steps.suffix(3) == ["/|no", "/no|such", "/no/such|list"])
  }

  @Test func linksInACircleEnd() throws {
    try desktop.link("one", to: "two")
    try desktop.link("two", to: "one")
    try desktop.link("deep", to: "deep/deep/deep")
    let above = desktop.path("one").split(separator: "/").count
    for name in ["one", "deep"] {
      #expect(LinkStep.steps(ofLink: desktop.path(name)).count <= above + 41)
    }
  }

  @Test func fortyLinksAreFollowed() throws {
    for number in 1...40 {
      try desktop.link("in/\(number)", to: number == 40 ? "../end/list" : "\(number + 1)")
    }
    let steps = LinkStep.steps(ofLink: desktop.path("in/1"))
    #expect(steps.last == LinkStep(directory: desktop.path("end"), name: "list"))
  }

  @Test func otherFilesHaveNoSteps() throws {
    try desktop.write("list", "")
    for name in ["list", "missing", "list/below"] {
      #expect(LinkStep.steps(ofLink: desktop.path(name)) == [])
    }
  }

  /// Each argument has the times at which files change, and the time at which they are read, in milliseconds.
  @Test(arguments: [
    ([], nil), ([0], 50), ([0, 10], 60), ([0, 49, 98], 148),
    (Array(stride(from: 0, through: 960, by: 10)), 1000),
    (Array(stride(from: 0, through: 940, by: 10)), 990),
  ])
  func changesAreTakenInWhenTheyHaveSettledOrAfterASecond(_ changes: [Int], _ deadline: Int?) {
    let start = ContinuousClock.now
    var settling = Settling()
    for change in changes {
      #expect(settling.note(at: start + .milliseconds(change)) == (change == 0))
    }
    #expect(settling.deadline == deadline.map { start + .milliseconds($0) })
  }
}
