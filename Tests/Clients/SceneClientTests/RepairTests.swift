import SceneClient
import Testing

/// Links are repaired as browsers do it.
struct RepairTests {
  @Test(arguments: [
    ("https://e.example/a b", "https://e.example/a%20b"),
    ("mailto:a?subject=x  y", "mailto:a?subject=x%20%20y"),
    (" \t\r\n\u{0B}\u{1F}x:1\u{0} \n", "x:1"), ("x:a\tb\r\nc", "x:abc"),
    ("ht\ntps://e.example", "https://e.example"),
    ("x:\u{0}\u{B}\u{1F}\u{7F}y", "x:%00%0B%1F%7Fy"), ("x:\u{7F}", "x:%7F"), ("x: \t y", "x:%20%20y"),
    ("", ""), (" ", ""), ("\n", ""), ("a b", "a%20b"), ("x:", "x:"), ("x: ", "x:"),
  ])
  func whiteSpaceIsCutDroppedOrEncoded(link: String, repaired: String) {
    #expect(Event.repaired(link) == repaired)
    #expect(Event.repaired(repaired) == repaired)
    #expect(Event(url: link).url == repaired)
    #expect(Activity("t", webpageURL: link).webpageURL == repaired)
  }

  @Test(arguments: [
    "https://e.example/%zz%2/100%|{}[]^\\\"'<>`$(x)", "https://ü.example/日?q=ä#é",
    "x:\u{85}\u{A0}\u{2028}\u{FEFF}",
    "C:\\Users\\x", "//e.example",
  ])
  func allElseStays(link: String) { #expect(Event.repaired(link) == link) }

  @Test func longWhiteSpaceIsRepairedInOnePass() {
    let space = String(repeating: " ", count: 32 << 10)
    #expect(Event.repaired(space + "x:a" + space + "b" + space).utf8.count == 4 + 3 * space.utf8.count)
    #expect(Event.repaired(String(repeating: "\t", count: 1 << 20)).isEmpty)
  }
}
