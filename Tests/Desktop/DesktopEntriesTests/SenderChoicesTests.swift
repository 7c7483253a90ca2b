import DesktopEntries
import Testing

/// The applications that the user chose for the events of a sender.
struct SenderChoicesTests {
  private func read(_ text: String) -> (groups: [SenderChoices.Group], complaints: [String]) {
    let (choices, complaints) = SenderChoices.read(Array(text.utf8))
    return (choices.groups, complaints.map(\.description))
  }

  @Test func groupIsAboutASender() {
    let (groups, complaints) = read(
      """
      # mine
      [From org.telegram.desktop]
      x-scheme-handler/https=firefox-esr.desktop;chromium.desktop
      text/html=a.desktop

      [From thunderbird.desktop.desktop]
      x-scheme-handler/https=b.desktop
      """
    )
    #expect(complaints == [])
    #expect(groups.map(\.sender) == ["org.telegram", "thunderbird"])
    #expect(groups[0].choices.map(\.key) == ["x-scheme-handler/https", "text/html"])
    #expect(groups[0].choices.map(\.ids) == [["firefox-esr.desktop", "chromium.desktop"], ["a.desktop"]])
    #expect(groups.map { $0.choices.map(\.line) } == [[3, 4], [7]])
  }

  @Test(arguments: [
    ("https=a.desktop", "2: warning: 'https' is ignored; write 'x-scheme-handler/SCHEME' or 'TYPE/SUBTYPE'."),
    (
      "x-scheme-handler/=a.desktop",
      "2: warning: 'x-scheme-handler/' is ignored; write 'x-scheme-handler/SCHEME' or 'TYPE/SUBTYPE'."
    ),
    (
      "[Default Applications]",
      "2: warning: Group 'Default Applications' is ignored; write '[From APPLICATION]'."
    ),
    ("[From ]", "2: warning: Group 'From ' is ignored; write '[From APPLICATION]'."),
    ("[From a b]", "2: warning: Group 'From a b' is ignored; write '[From APPLICATION]'."),
    ("[From .desktop]", "2: warning: Group 'From .desktop' is ignored; write '[From APPLICATION]'."),
    (
      "[From a",
      "2: warning: The group header is not '[NAME]' with an ASCII name; it and the lines below it are ignored. Correct it."
    ),
    (
      "nonsense",
      "2: warning: The line is neither 'KEY=VALUE' nor '[GROUP]'; correct it, or put '#' before it."
    ),
    (
      "text/html=b.desktop\ntext/html=c.desktop",
      "2: warning: 'text/html' is ignored, because it is repeated below; remove one of the two lines."
    ),
  ])
  func complaintNamesTheLine(_ line: String, _ complaint: String) {
    let (groups, complaints) = read("[From a]\n\(line)\n")
    #expect(groups.map(\.sender) == ["a"])
    #expect(complaints == [complaint])
  }

  @Test func largeFileIsRefusedAndManyGroupsAreRead() {
    #expect(
      read(String(repeating: "#", count: 1 << 20 + 1)).complaints
        == ["1: error: The file is larger than 1048576 bytes; make it smaller."]
    )
    let text = (0..<10_000).map { "[From a\($0)]\na/b=c.desktop\n" }.joined()
    #expect(read(text).groups.count == 10_000)
  }
}
