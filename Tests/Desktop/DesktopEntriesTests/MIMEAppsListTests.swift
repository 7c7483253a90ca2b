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
    #expect(MIMEAppsList.settingDefault("a.desktop", for: "a/b", in: endless) == nil)
    #expect(MIMEAppsList.removingDefault("a.desktop", for: "a/b", in: endless) == nil)
  }

  @Test(arguments: [
    ("", "[Default Applications]\na/b=x.desktop\n"),
    ("# c", "# c\n\n[Default Applications]\na/b=x.desktop\n"),
    ("[Other]\na/b=c\n", "[Other]\na/b=c\n\n[Default Applications]\na/b=x.desktop\n"),
    ("[Other]\n\n", "[Other]\n\n[Default Applications]\na/b=x.desktop\n"),
    ("[Default Applications]", "[Default Applications]\na/b=x.desktop\n"),
    ("[Default Applications]\n\n[Other]\n", "[Default Applications]\na/b=x.desktop\n\n[Other]\n"),
    (
      "[Default Applications]\nc/d=y\n# c\n\n[Other]\n",
      "[Default Applications]\nc/d=y\na/b=x.desktop\n# c\n\n[Other]\n"
    ),
    ("[Default Applications]\nc/d=y", "[Default Applications]\nc/d=y\na/b=x.desktop\n"),
    ("[Default Applications]\na/b=y;z;\n", "[Default Applications]\na/b=x.desktop;y;z;\n"),
    ("[Default Applications]\na/b=y", "[Default Applications]\na/b=x.desktop;y"),
    (
      "[Default Applications]\n a/b =  y ; z  \r\nc/d=e\n",
      "[Default Applications]\n a/b =  x.desktop;y ; z  \r\nc/d=e\n"
    ),
    ("[Default Applications]\na/b=\n", "[Default Applications]\na/b=x.desktop\n"),
    ("[Default Applications]\na/b=x.desktop;y\n", "[Default Applications]\na/b=x.desktop;y\n"),
    ("[Default Applications]\na/b=x.desktop;\n", "[Default Applications]\na/b=x.desktop;\n"),
    ("[Default Applications]\na/b=y;x.desktop;z\n", "[Default Applications]\na/b=x.desktop;y;z\n"),
    ("[Default Applications]\na/b=y;x.desktop\n", "[Default Applications]\na/b=x.desktop;y\n"),
    ("[Default Applications]\na/b=y\na/b=z\n", "[Default Applications]\na/b=y\na/b=x.desktop;z\n"),
    (
      "[Default Applications]\nnonsense\n[x\na/b=c\n",
      "[Default Applications]\na/b=x.desktop\nnonsense\n[x\na/b=c\n"
    ),
    (
      "[Default Applications]\n[Other]\n[Default Applications]\na=b\n[Other]\n",
      "[Default Applications]\n[Other]\n[Default Applications]\na=b\na/b=x.desktop\n[Other]\n"
    ),
  ])
  func settingADefaultKeepsAllElse(_ before: String, _ after: String) throws {
    let bytes = try #require(MIMEAppsList.settingDefault("x.desktop", for: "a/b", in: Array(before.utf8)))
    #expect(String(decoding: bytes, as: UTF8.self) == after)
    #expect(
      MIMEAppsList.read(bytes).list.defaults.contains { $0.key == "a/b" && $0.ids.first == "x.desktop" }
    )
  }

  @Test(arguments: [
    ("", ""), ("[Default Applications]\na/b=x.desktop\n", "[Default Applications]\n"),
    ("[Default Applications]\na/b=x.desktop;\nc/d=x.desktop", "[Default Applications]\nc/d=x.desktop"),
    ("[Default Applications]\nc/d=e\na/b=x.desktop", "[Default Applications]\nc/d=e\n"),
    ("[Default Applications]\na/b=x.desktop;y;\n", "[Default Applications]\na/b=y;\n"),
    ("[Default Applications]\na/b=y;x.desktop;\n", "[Default Applications]\na/b=y;\n"),
    ("[Default Applications]\na/b=y ; x.desktop\n", "[Default Applications]\na/b=y\n"),
    ("[Default Applications]\na/b=y; x.desktop; z\n", "[Default Applications]\na/b=y; z\n"),
    (
      "[Default Applications]\na/b=x.desktop;x.desktop;y;x.desktop;x.desktop;\n",
      "[Default Applications]\na/b=y;\n"
    ),
    ("[Default Applications]\na/b=x.desktop\n# c\na/b=x.desktop;z\n", "[Default Applications]\n# c\na/b=z\n"),
    ("[Default Applications]\na/b=y\n", "[Default Applications]\na/b=y\n"),
    ("[Added Associations]\na/b=x.desktop\n", "[Added Associations]\na/b=x.desktop\n"),
  ])
  func removingADefaultKeepsTheFallbacks(_ before: String, _ after: String) {
    let bytes = MIMEAppsList.removingDefault("x.desktop", for: "a/b", in: Array(before.utf8))
    #expect(bytes.map { String(decoding: $0, as: UTF8.self) } == after)
  }

  @Test func idsMayHaveSpaces() throws {
    let bytes = try #require(MIMEAppsList.settingDefault("A B.desktop", for: "a/b", in: Array("".utf8)))
    #expect(MIMEAppsList.read(bytes).list.defaults.map(\.ids) == [["A B.desktop"]])
    #expect(
      MIMEAppsList.removingDefault("A B.desktop", for: "a/b", in: bytes)
        == Array("[Default Applications]\n".utf8)
    )
  }

  @Test func whatWasSetIsRemovedWithoutATrace() throws {
    let before = Array(Self.text.utf8) + [0xFF, 0x0A, 0x0D, 0x0A]
    for type in ["x-scheme-handler/https", "text/plain"] {
      let set = try #require(MIMEAppsList.settingDefault("x.desktop", for: type, in: before))
      #expect(set != before)
      #expect(MIMEAppsList.removingDefault("x.desktop", for: type, in: set) == before)
    }
  }

  @Test func anotherListTakesThePlaceOfAnApplication() {
    func list(_ text: String) -> MIMEAppsList {
      MIMEAppsList.read(Array("[Default Applications]\n\(text)\n".utf8)).list
    }
    let other = list("a/b=p;q\nc/d=r")
    #expect(list("a/b=y;x;z\nc/d=y").replacing("x", with: other) == list("a/b=y;p;q;z\nc/d=y"))
    #expect(list("e/f=x;y").replacing("x", with: other) == list("e/f=y"))
  }

  @Test(arguments: [
    ("a;b", "a/b"), ("a\nb", "a/b"), ("", "a/b"), (" a", "a/b"), ("a ", "a/b"), ("a\tb", "a/b"),
    (#"a\b"#, "a/b"), ("a", ""), ("a", "a=b"),
    ("a", "#a"),
    ("a", "[a]"), ("a", "a\nb"), ("a", "a b"), ("a", "a[de]"),
  ])
  func whatWouldNotBeReadAgainIsNotWritten(_ id: String, _ type: String) {
    #expect(MIMEAppsList.settingDefault(id, for: type, in: []) == nil)
  }
}
