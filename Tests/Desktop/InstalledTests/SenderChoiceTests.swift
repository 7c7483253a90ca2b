import DesktopEntries
import Foundation
import SceneRouting
import TestSupport
import Testing

@testable import Installed

/// The file in which the user chooses applications for the events of a sender, and the line of each choice.
struct SenderChoiceTests {
  private let desktop: TemporaryDesktop
  private let choices = "config/scened/choices"

  init() throws {
    desktop = try TemporaryDesktop()
    for name in ["a", "b"] {
      try desktop.install("share/applications/\(name).desktop", "MimeType=text/plain;x-scheme-handler/x;")
    }
  }

  private func senders(_ read: InstalledApplications) -> [String] { read.senderChoices.groups.map(\.sender) }

  @Test func choicesAreRead() throws {
    #expect(senders(desktop.read()) == [])
    try desktop.write(choices, "[From s]\nx-scheme-handler/x=a.desktop\nnonsense\n")
    let read = desktop.read()
    #expect(senders(read) == ["s"])
    #expect(
      read.complaintTexts == [
        "choices:3: warning: The line is neither 'KEY=VALUE' nor '[GROUP]'; correct it, or put '#' before it."
      ]
    )
    #expect(desktop.places.watchedDirectories[desktop.path("config/scened")]?.contains("choices") == true)
  }

  @Test func linkIsFollowedLikeThoseOfOtherLists() throws {
    try desktop.write("dotfiles/choices", "[From s]\nx-scheme-handler/x=a.desktop\n")
    try desktop.link(choices, to: desktop.path("dotfiles/choices"))
    #expect(senders(desktop.read()) == ["s"])
  }

  enum Fault: CaseIterable { case writable, foreign, huge, pipe }

  @Test(arguments: Fault.allCases)
  func fileThatDoesNotCountKeepsItsLastGoodState(_ fault: Fault) throws {
    let path = try desktop.write(choices, "[From s]\nx-scheme-handler/x=a.desktop\n")
    let before = desktop.read()
    try desktop.write(choices, "[From other]\nx-scheme-handler/x=b.desktop\n")
    let reason: String
    switch fault {
    case .writable:
      try #require(chmod(path, 0o646) == 0)
      reason = "another user can change it; make it yours and let nobody else write to it"
    case .foreign:
      guard geteuid() == 0 else { try Test.cancel("It needs root to give a file to another user.") }
      desktop.owners = FileOwners([0])
      try #require(chown(path, 1, 1) == 0)
      reason = "another user can change it; make it yours and let nobody else write to it"
    case .huge:
      try #require(truncate(path, 1 << 20 + 1) == 0)
      reason = "it is larger than a megabyte"
    case .pipe:
      try #require(unlink(path) == 0 && mkfifo(path, 0o600) == 0)
      reason = "it is not a regular file"
    }
    let read = InstalledApplications(reading: desktop.places, after: before, owners: desktop.owners)
    #expect(senders(read) == ["s"])
    #expect(read.complaintTexts == ["choices:1: error: The file cannot be read: \(reason)."])
    #expect(senders(desktop.read()) == [])
    try #require(unlink(path) == 0)
    #expect(senders(InstalledApplications(reading: desktop.places, after: read)) == [])
  }

  @Test(arguments: [0o600, 0o644, 0o664])
  func groupMayWrite(mode: Int) throws {
    try desktop.write(choices, "[From s]\nx-scheme-handler/x=a.desktop\n", mode: mode)
    #expect(senders(desktop.read()) == ["s"])
  }

  @Test func firstChoiceThatIsInstalledGoesToTheRouter() throws {
    try desktop.install("share/applications/argumentless.desktop", exec: "app")
    let path = try desktop.write(
      choices,
      """
      [From s.desktop]
      x-scheme-handler/X=missing.desktop;argumentless.desktop;b.desktop;a.desktop
      text/plain=missing.desktop
      [From s]
      text/html=a.desktop
      """
    )
    #expect(
      desktop.read().fileDeclarations.senderChoices == [
        "s": [
          .scheme("x"): UserChoice("b", source: "\(path):2"),
          .mimeType("text/html"): UserChoice("a", source: "\(path):5"),
        ]
      ]
    )
  }

  // MARK: Lines

  @Test func defaultStandsInTheLineThatChoseIt() throws {
    let list = try desktop.write(
      "config/mimeapps.list",
      "[Default Applications]\ntext/plain=missing.desktop;b.desktop\nx-scheme-handler/x=scened-open.desktop\n"
    )
    try desktop.write("xdg/mimeapps.list", "[Default Applications]\ntext/plain=b.desktop\n")
    let replaced = try desktop.write(
      "state/scened/replaced-defaults.list",
      "[Default Applications]\n\nx-scheme-handler/x=a.desktop\n"
    )
    let preferences = desktop.read().fileDeclarations.preferences
    #expect(preferences[.mimeType("text/plain")]?.defaultSource == "\(list):2")
    #expect(preferences[.scheme("x")]?.defaultSource == "\(replaced):3")
  }

  @Test func hostChoiceHasItsLine() throws {
    try desktop.write("config/intentapps.list", "[org.freedesktop.UriHandler]\ne.org=missing.desktop\n")
    try desktop.write("xdg/intentapps.list", "\n[org.freedesktop.UriHandler]\ne.org=a.desktop\n")
    let choice = try #require(desktop.read().hostChoices.choices["e.org"]?.last)
    #expect(choice.id == "a.desktop" && choice.file == 1 && choice.line == 3)
  }
}
