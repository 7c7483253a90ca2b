import Foundation
import Testing

@testable import Installed

/// Whether an entry is trusted.
///
/// Trust depends on the users who can change the entry's file and directory.
struct TrustTests {
  private let desktop: TemporaryDesktop

  init() throws { desktop = try TemporaryDesktop() }

  private func isTrusted(_ id: String = "a.desktop") -> Bool? { desktop.read().applications[id]?.isTrusted }

  private func setMode(_ name: String, _ mode: mode_t) { #expect(chmod(desktop.path(name), mode) == 0) }

  @Test func filesOfTheirOwnersAreTrusted() throws {
    try desktop.install("share/applications/a.desktop")
    try desktop.install("share/applications/sub/b.desktop")
    #expect(isTrusted() == true)
    #expect(isTrusted("sub-b.desktop") == true)
    desktop.owners = FileOwners([geteuid() + 1])
    #expect(isTrusted() == false)
  }

  @Test(arguments: [0o664, 0o646, 0o666])
  func filesThatOthersCanChangeAreNot(_ mode: Int) throws {
    try desktop.install("share/applications/a.desktop", mode: mode)
    #expect(isTrusted() == false)
  }

  @Test(arguments: [0o775, 0o757], ["share/applications", "share/applications/sub"])
  func directoriesThatOthersCanChangeMakeThemUntrusted(_ mode: Int, _ directory: String) throws {
    try desktop.install("share/applications/sub/a.desktop")
    #expect(isTrusted("sub-a.desktop") == true)
    setMode(directory, mode_t(mode))
    #expect(isTrusted("sub-a.desktop") == false)
  }

  /// An entry that is a symbolic link is untrusted if others can change the directory of the link.
  ///
  /// The directory of the link's target does not matter.
  @Test func aTrustedFileInAnUntrustedDirectoryIsNot() throws {
    try desktop.install("elsewhere/a.desktop")
    try desktop.link("share/applications/a.desktop", to: desktop.path("elsewhere/a.desktop"))
    #expect(isTrusted() == true)
    setMode("share/applications", 0o777)
    #expect(isTrusted() == false)
  }

  @Test(arguments: [
    ("         0          0 4294967295\n", FileOwners([0])), ("1000 1000 1\n", FileOwners([65534])),
    ("1000 1000 1\n0 1 1\n", FileOwners([0])), ("", FileOwners([0])),
  ])
  func rootIsWhoeverItSeemsToBe(_ map: String, _ owners: FileOwners) {
    #expect(FileOwners(seenThrough: map, overflow: 65534) == owners)
  }

  @Test func withoutAnOverflowUserNobodyIsTrusted() {
    #expect(FileOwners(seenThrough: "1000 1000 1\n", overflow: nil) == FileOwners([]))
  }
}
