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
