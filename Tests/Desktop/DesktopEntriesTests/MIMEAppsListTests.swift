import DesktopEntries
import Testing

struct MIMEAppsListTests {
  private static let text = """
    # Mine
    [Default Applications]
    x-scheme-handler/https=browser.desktop;other.desktop;
    text/plain = editor.desktop

    [Added Associations]
    text/plain=a.desktop;b.desktop;

    [Removed Associations]
    text/html=c.desktop;
    """

  @Test func threeGroupsAreRead() {
    let (list, complaints) = MIMEAppsList.read(Array(Self.text.utf8))
    #expect(list.defaults.map(\.key) == ["x-scheme-handler/https", "text/plain"])
    #expect(list.defaults.map(\.ids) == [["browser.desktop", "other.desktop"], ["editor.desktop"]])
    #expect(list.added.map(\.ids) == [["a.desktop", "b.desktop"]])
    #expect(list.removed.map(\.key) == ["text/html"])
    #expect(complaints.isEmpty)
  }

  @Test func listsOfOneDesktopHaveDefaultsOnly() {
    let (list, complaints) = MIMEAppsList.read(Array(Self.text.utf8), isDesktopSpecific: true)
    #expect(complaints.map(\.line) == [6, 9])
    #expect(list.defaults.count == 2)
    #expect(list.added.isEmpty && list.removed.isEmpty)
  }

  @Test func unknownGroupsAreTold() {
    let text =
      "[Default Application]\na/b=c.desktop\n[X-Mine]\n[Added KDE Service Associations]\n[Defaults]\n"
    let (list, complaints) = MIMEAppsList.read(Array(text.utf8))
    #expect(list.defaults == [])
    #expect(complaints.map(\.line) == [1, 5] && !complaints.hasErrors)
    #expect(complaints.allSatisfy { $0.text.contains("'Default Applications'") })
    #expect(MIMEAppsList.read(Array(text.utf8), isDesktopSpecific: true).complaints.map(\.line) == [1, 5])
    #expect(HostChoices.read([Array(text.utf8)]).complaints.map { $0.map(\.line) } == [[1, 5]])
  }

  @Test func brokenLinesAreToldAndLeaveTheOthers() {
    let text = "[Default Applications]\nnonsense\ntext/plain=a.desktop\ntext/plain=b.desktop\n[Default"
    let (list, complaints) = MIMEAppsList.read(Array(text.utf8))
    #expect(list.defaults.map(\.ids) == [["b.desktop"]])
    #expect(complaints.map(\.line) == [2, 3, 5])
    #expect(!complaints.hasErrors)
    let endless = [UInt8](repeating: UInt8(ascii: "a"), count: 1 << 20 + 1)
    #expect(MIMEAppsList.read(endless).complaints.hasErrors)
  }

  @Test func anotherListTakesThePlaceOfAnApplication() {
    func list(_ text: String) -> MIMEAppsList {
      MIMEAppsList.read(Array("[Default Applications]\n\(text)\n".utf8)).list
    }
    let other = list("a/b=p;q\nc/d=r")
    #expect(list("a/b=y;x;z\nc/d=y").replacing("x", with: other) == list("a/b=y;p;q;z\nc/d=y"))
    #expect(list("e/f=x;y").replacing("x", with: other) == list("e/f=y"))
  }
}
