import DesktopEntries
import Testing

/// Changes of the user's lists, and the undoing of these changes.
struct AssociationFileTests {
  private static let d = "[Default Applications]\n"
  private static let mark = "# Added by scenectl:\n"

  /// The text of a user's list before and after the user chooses `x.desktop` for the type `a/b`; nil without a file.
  private static let lists: [(before: String?, after: String)] = [
    (nil, "# This file was added by scenectl.\n\n\(mark)\(d)a/b=x.desktop\n"),
    ("", "\n\(mark)\(d)a/b=x.desktop\n"),
    ("# c", "# c\n\n\(mark)\(d)a/b=x.desktop"),
    ("# This file was added by scenectl", "# This file was added by scenectl\n\n\(mark)\(d)a/b=x.desktop"),
    ("\n", "\n\n\(mark)\(d)a/b=x.desktop\n"),
    ("[Other]\na/b=c\n", "[Other]\na/b=c\n\n\(mark)\(d)a/b=x.desktop\n"),
    ("[Other]\na/b=c", "[Other]\na/b=c\n\n\(mark)\(d)a/b=x.desktop"),
    ("[Other]\n\n", "[Other]\n\n\n\(mark)\(d)a/b=x.desktop\n"),
    ("[Other]\r\na/b=c\r\n", "[Other]\r\na/b=c\r\n\n\(mark)\(d)a/b=x.desktop\n"),
    ("\u{FEFF}[Other]\n", "\u{FEFF}[Other]\n\n\(mark)\(d)a/b=x.desktop\n"),
    ("[Default Applications]", "\(d)a/b=x.desktop"), (d, "\(d)a/b=x.desktop\n"),
    ("\(d)\n[Other]\n", "\(d)a/b=x.desktop\n\n[Other]\n"),
    ("\(d)c/d=y\n# c\n\n[Other]\n", "\(d)c/d=y\na/b=x.desktop\n# c\n\n[Other]\n"),
    ("\(d)c/d=y", "\(d)c/d=y\na/b=x.desktop"), ("\(d)a/b=y;z;\n", "\(d)a/b=x.desktop;y;z;\n"),
    ("\(d)a/b=y", "\(d)a/b=x.desktop;y"),
    ("\(d) a/b =  y ; z  \r\nc/d=e\n", "\(d) a/b =  x.desktop;y ; z  \r\nc/d=e\n"),
    ("\(d)a/b=\n", "\(d)a/b=x.desktop;;\n"), ("\(d)a/b=", "\(d)a/b=x.desktop;;"),
    ("\(d)a/b = ; \n", "\(d)a/b = x.desktop;;; \n"), ("\(d)a/b=;y\n", "\(d)a/b=x.desktop;;y\n"),
    ("\(d)a/b=y;x.desktop;z\n", "\(d)a/b=x.desktop;y;x.desktop;z\n"),
    ("\(d)a/b=y\na/b=z\n", "\(d)a/b=y\na/b=x.desktop;z\n"),
    ("\(d)nonsense\n[x\na/b=c\n", "\(d)a/b=x.desktop\nnonsense\n[x\na/b=c\n"),
    ("\(d)[Other]\n\(d)a=b\n[Other]\n", "\(d)[Other]\n\(d)a=b\na/b=x.desktop\n[Other]\n"),
  ]

  private static func file(_ text: String?) -> AssociationFile {
    AssociationFile(text.map { Array($0.utf8) })
  }

  private static func choose(
    _ file: inout AssociationFile,
    _ id: String,
    for key: String,
    in group: AssociationGroup
  ) -> Bool { file.choose(id, for: key, in: group) }

  private static func remove(
    _ file: inout AssociationFile,
    _ id: String,
    for key: String,
    in group: AssociationGroup
  ) -> Bool { file.remove(id, for: key, in: group) }

  private static func text(_ file: AssociationFile) -> String? {
    file.bytes.map { String(decoding: $0, as: UTF8.self) }
  }

  @Test(arguments: lists)
  func choiceIsReadFirstAndKeepsAllElse(before: String?, after: String) {
    var file = Self.file(before)
    #expect(Self.choose(&file, "x.desktop", for: "a/b", in: .defaults))
    #expect(Self.text(file) == after)
    #expect(file.associations(in: .defaults).last { $0.key == "a/b" }?.ids.first == "x.desktop")
    let once = file
    #expect(Self.choose(&file, "x.desktop", for: "a/b", in: .defaults))
    #expect(file == once, "A second choice of the same application changes nothing.")
  }

  @Test(arguments: lists)
  func removedChoiceLeavesNoTrace(before: String?, after: String) {
    var file = Self.file(after)
    #expect(Self.remove(&file, "x.desktop", for: "a/b", in: .defaults))
    #expect(Self.text(file) == before)
  }

  /// The user removes choices from several groups, in the order in which they were made or in the opposite order.
  @Test(arguments: lists, [false, true])
  func removedChoicesLeaveNoTrace(list: (before: String?, after: String), isReversed: Bool) {
    let choices: [(String, String, AssociationGroup)] = [
      ("x.desktop", "a/b", .defaults), ("y.desktop", "a/b", .defaults), ("x.desktop", "e/f", .defaults),
      ("x.desktop", "a/b", .added), ("x.desktop", "e.org", .hosts), ("x.desktop", "a/b", .sender("s")),
    ]
    var file = Self.file(list.before)
    for (id, key, group) in choices { #expect(Self.choose(&file, id, for: key, in: group)) }
    for (id, key, group) in isReversed ? choices.reversed() : choices {
      #expect(Self.remove(&file, id, for: key, in: group))
    }
    #expect(Self.text(file) == list.before)
  }

  @Test(arguments: [
    // A list that GIO has rewritten has no comments, and has a separator after each application.
    ("\(d)a/b=x.desktop;\nc/d=y;\n", "\(d)c/d=y;\n"), ("\(d)a/b=x.desktop;y;\n", "\(d)a/b=y;\n"),
    ("\(d)a/b=y;x.desktop;\n", "\(d)a/b=y;\n"), ("\(d)a/b=y ; x.desktop\n", "\(d)a/b=y\n"),
    ("\(d)a/b=y; x.desktop; z\n", "\(d)a/b=y; z\n"),
    ("\(d)a/b=x.desktop;\nc/d=x.desktop", "\(d)c/d=x.desktop"),
    // Another program has added lines to the text that scenectl wrote, or has removed lines from this text.
    ("o\n\n\(mark)\(d)a/b=x.desktop\nc/d=y\n", "o\n\n\(mark)\(d)c/d=y\n"),
    ("o\n\n\(mark)\(d)a/b=x.desktop\n[Other]\nc=d\n", "o\n[Other]\nc=d\n"),
    ("o\n\n\(mark)\(d)# mine\na/b=x.desktop\n", "o\n# mine\n"),
    ("o\n\(mark)\(d)a/b=x.desktop\n", "o\n\(mark)\(d)"), ("\(mark)\(d)a/b=x.desktop\n", "\(mark)\(d)"),
  ])
  func changesOfOthersStay(_ before: String, _ after: String) {
    var file = Self.file(before)
    #expect(Self.remove(&file, "x.desktop", for: "a/b", in: .defaults))
    #expect(Self.text(file) == after)
  }

  @Test(arguments: [
    nil, "", "\(d)a/b=y\n", "\(d)c/d=x.desktop\n", "[Added Associations]\na/b=x.desktop\n",
  ])
  func nothingIsRemovedThatIsNotThere(_ text: String?) {
    var file = Self.file(text)
    #expect(!Self.remove(&file, "x.desktop", for: "a/b", in: .defaults))
    #expect(Self.text(file) == text)
  }

  @Test func alternatingChoicesKeepTheListShort() {
    var file = Self.file("\(Self.d)a/b=x;y;z\n")
    for _ in 1...10 {
      for id in ["x", "y"] { #expect(Self.choose(&file, id, for: "a/b", in: .defaults)) }
    }
    #expect(Self.text(file) == "\(Self.d)a/b=y;x;x;y;z\n")
  }

  @Test func idsMayHaveSpaces() {
    var file = Self.file(nil)
    #expect(Self.choose(&file, "A B.desktop", for: "a/b", in: .defaults))
    #expect(file.associations(in: .defaults).map(\.ids) == [["A B.desktop"]])
    #expect(file.associations(in: .defaults).map(\.line) == [5])
    #expect(Self.remove(&file, "A B.desktop", for: "a/b", in: .defaults))
    #expect(file.bytes == nil)
  }

  @Test(arguments: [
    ("a;b", "a/b"), ("a\nb", "a/b"), ("", "a/b"), (" a", "a/b"), ("a ", "a/b"), ("a\tb", "a/b"),
    (#"a\b"#, "a/b"), ("a", ""), ("a", "a=b"), ("a", "#a"), ("a", "[a]"), ("a", "a\nb"), ("a", "a b"),
    ("a", "a[de]"),
  ])
  func whatWouldNotBeReadAgainIsNotWritten(_ id: String, _ key: String) {
    var file = Self.file("")
    #expect(!Self.choose(&file, id, for: key, in: .defaults))
    #expect(file.bytes == [])
  }

  @Test(arguments: [
    (
      String(repeating: "a", count: 1 << 20 + 1), 1, "The file is larger than 1048576 bytes; make it smaller."
    ),
    ("a\nb\0\n", 2, "The file is not a text file; remove it first."),
  ])
  func whatIsNoListIsNotChanged(_ text: String, _ line: Int, _ sentence: String) {
    var file = Self.file(text)
    #expect(file.error == Complaint(line: line, severity: .error, text: sentence))
    #expect(!Self.choose(&file, "x.desktop", for: "a/b", in: .defaults))
    #expect(!Self.remove(&file, "x.desktop", for: "a/b", in: .defaults))
    #expect(Self.text(file) == text)
  }

  @Test func groupOfASenderIsFoundByAnyFormOfItsID() {
    let file = Self.file("[From a]\n[From org.b.desktop]\n")
    #expect(file.group(ofSender: "org.b") == .sender("org.b.desktop"))
    #expect(file.group(ofSender: "c") == .sender("c"))
  }

  @Test(arguments: ["", "a b", "a]", "ä", ".desktop"])
  func senderThatWouldNotBeReadAgainIsNotWritten(_ sender: String) {
    var file = Self.file("")
    #expect(!Self.choose(&file, "x.desktop", for: "a/b", in: .sender(sender)))
    #expect(file.bytes == [])
  }
}
