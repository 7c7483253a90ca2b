import DesktopEntries
import Testing

struct ComplaintTests {
  @Test(arguments: [
    (
      "a=b\n" + entry(""),
      "1: warning: The line stands before the first group; move it below a line like '[GROUP]'."
    ),
    (
      entry("nonsense"),
      "5: warning: The line is neither 'KEY=VALUE' nor '[GROUP]'; correct it, or put '#' before it."
    ),
    (entry("=x"), "5: warning: There is no key before '='; correct it, or put '#' before the line."),
    (entry("a b=x"), "5: warning: There is no key before '='; correct it, or put '#' before the line."),
    (entry("Name[de=x"), "5: warning: There is no key before '='; correct it, or put '#' before the line."),
    (entry("Name[]=x"), "5: warning: There is no key before '='; correct it, or put '#' before the line."),
    (
      entry("[Broken"),
      "5: warning: The group header is not '[NAME]' with an ASCII name; it and the lines below it are ignored. Correct it."
    ),
    (
      entry("[]"),
      "5: warning: The group header is not '[NAME]' with an ASCII name; it and the lines below it are ignored. Correct it."
    ),
    (
      entry("[a[b]"),
      "5: warning: The group header is not '[NAME]' with an ASCII name; it and the lines below it are ignored. Correct it."
    ),
    (
      entry("[grün]"),
      "5: warning: The group header is not '[NAME]' with an ASCII name; it and the lines below it are ignored. Correct it."
    ),
    (
      entry("[Desktop Entry]"),
      "5: warning: Group 'Desktop Entry' already begins in line 1; join the two groups."
    ),
    (entry("Name=Again"), "3: warning: 'Name' is ignored, because line 5 repeats it; remove one."),
    (
      entry("Terminal=maybe"),
      "5: warning: 'Terminal' is neither 'true' nor 'false' and is ignored; write one of the two."
    ),
    (entry(#"Icon=a\qb"#), #"5: warning: 'Icon' has the unknown escape '\q'; write '\\' for a backslash."#),
    (entry(#"Icon=a\"#), #"5: warning: 'Icon' has the unknown escape '\'; write '\\' for a backslash."#),
    (entry("Icon=a\0b"), "5: warning: 'Icon' is not UTF-8 text and is ignored; save the file as UTF-8."),
    (entry("MimeType=text;"), "5: warning: 'text' in 'MimeType' is ignored; write 'TYPE/SUBTYPE'."),
    (
      entry("MimeType=x-scheme-handler/"),
      "5: warning: 'x-scheme-handler/' in 'MimeType' is ignored; write 'TYPE/SUBTYPE'."
    ),
    (entry("MimeType=a/b/c;"), "5: warning: 'a/b/c' in 'MimeType' is ignored; write 'TYPE/SUBTYPE'."),
    (entry("Actions=new"), "5: warning: Action 'new' is ignored; add the group '[Desktop Action new]'."),
    (
      entry("X-Scened-ExecLine=app %f"),
      "5: warning: 'X-Scened-ExecLine' is ignored; character 7: '%l' is missing; write it where the program takes the line."
    ),
    (
      entry("X-Scened-ExecLine=app +%l %x"),
      "5: warning: 'X-Scened-ExecLine' is ignored; character 9: there is no field code '%x'; write '%%' for '%'."
    ),
    (
      entry("X-Scened-Machting=a"),
      "5: warning: 'X-Scened-Machting' is not known in this group and is ignored; check its spelling."
    ),
    (
      entry("Actions=a\n[Desktop Action a]\nName=a\nExec=a\nX-Scened-Kind=WindowGroup\nX-Scened-Aware=true"),
      "10: warning: 'X-Scened-Aware' is not known in this group and is ignored; check its spelling."
    ),
    (
      entry("Actions=main\n[Desktop Action main]\nName=a\nExec=a\nX-Scened-Matching="),
      "5: warning: The id of action 'main' is already in use, so the action is ignored; rename it."
    ),
  ])
  func warningsLeaveTheRestAsItIs(_ text: String, _ complaint: String) {
    let (file, complaints) = read(text)
    #expect(complaints == [complaint])
    guard case .application = file else { return #expect(Bool(false), "there is no application") }
  }

  @Test(arguments: [
    ("Type=Application", "1: error: There is no group '[Desktop Entry]'; put it before the keys."),
    ("[Desktop Entry]\nName=a\nExec=a", "1: error: 'Type' is missing; add 'Type=Application'."),
    (
      "[Desktop Entry]\nType=Application\nName=a",
      "1: error: 'Exec' is missing; add the command line."
    ),
    (
      "[Desktop Entry]\nType=Application\nExec=a",
      "1: error: 'Name' is missing; add a name without a language."
    ),
    (
      "[Desktop Entry]\nType=Application\nName=\nExec=a",
      "1: error: 'Name' is missing; add a name without a language."
    ),
    (
      "[Desktop Entry]\nType=Application\nName=a\nExec=a 'b'",
      "4: error: 'Exec', character 3: \"\\'\" stands outside quotes; put the argument in double quotes."
    ),
    (entry("X-Scened-Kind=Window"), "5: error: 'X-Scened-Kind' has to be WindowGroup or DocumentGroup."),
    (
      entry("Actions=a\n[Desktop Action a]\nName=a\nExec=%x\nX-Scened-Matching=b"),
      "8: error: 'Exec', character 1: there is no field code '%x'; write '%%' for '%'."
    ),
    (
      entry("Actions=a\n[Desktop Action a]\nName=a\nX-Scened-Matching=b"),
      "6: error: 'Exec' is missing; add the command line."
    ),
  ])
  func errorsLeaveTheFileOut(_ text: String, _ complaint: String) {
    let (file, complaints) = read(text)
    #expect(file == .broken)
    #expect(complaints.contains(complaint), "\(complaints)")
  }

  /// Each argument has the lines of names in Latin 1, a locale, and the name that is read.
  @Test(arguments: [
    ("Name=Caf\u{e9}", "C", "Caf\u{e9}"), ("Name=\u{fc}\u{df}", "de", "\u{fc}\u{df}"),
    ("Name=Caf\u{e9}\nName[de]=Cafe", "C", "Caf\u{e9}"),
  ])
  func nameThatIsNotUTF8IsReadAsLatin1(_ lines: String, _ locale: String, _ name: String) throws {
    let text = "[Desktop Entry]\nType=Application\n\(lines)\nExec=app\n"
    let bytes = text.unicodeScalars.map { UInt8($0.value) }
    let (file, complaints) = DesktopEntryFile.read(bytes, id: "a.desktop", locale: LocaleName(locale))
    guard case .application(let entry) = file else { return #expect(Bool(false), "\(complaints)") }
    #expect(entry.name == name)
    #expect(
      complaints.map(\.description)
        == ["3: warning: 'Name' is not UTF-8 text and is read as Latin 1; save the file as UTF-8."]
    )
  }

  /// Other values that are not UTF-8 are ignored, and so is a name in another language.
  @Test(arguments: [("Icon=\u{e9}", "Icon"), ("Name[de]=\u{e9}", "Name"), ("Comment=\u{e9}", nil)])
  func otherValuesThatAreNotUTF8AreIgnored(_ line: String, _ key: String?) {
    let bytes = entry(line).unicodeScalars.map { UInt8($0.value) }
    let (file, complaints) = DesktopEntryFile.read(bytes, id: "a.desktop", locale: LocaleName("de"))
    guard case .application(let entry) = file else { return #expect(Bool(false), "\(complaints)") }
    #expect(entry.name == "App" && entry.icon == nil)
    let expected = key.map { "5: warning: '\($0)' is not UTF-8 text and is ignored; save the file as UTF-8." }
    #expect(complaints.map(\.description) == [expected].compactMap(\.self))
  }

  @Test func keysBelowABrokenHeaderAreNotThoseOfTheGroupAbove() {
    let text = entry("[Desktop Action new\nName=New\nExec=rm")
    #expect(application(text)?.exec?.program == "app")
    #expect(application(text)?.name == "App")
    #expect(read(text).complaints.count == 1)
  }

  @Test func linesThatAreNotUTF8AreIgnored() {
    let latin1 = entry("# Gr\u{FC}n\nGenericName=Gr\u{FC}n\nIcon=Gr\u{FC}n").unicodeScalars.map {
      UInt8($0.value)
    }
    let result = DesktopEntryFile.read(latin1, id: "a.desktop", locale: LocaleName("C"))
    guard case .application(let entry) = result.file else { return #expect(Bool(false)) }
    #expect(entry.icon == nil)
    #expect(result.complaints.map(\.line) == [7])
  }

  @Test func commandLinesThatAreNotUTF8AreErrors() {
    let latin1 = entry("", exec: "/opt/gr\u{FC}n %u").unicodeScalars.map { UInt8($0.value) }
    let result = DesktopEntryFile.read(latin1, id: "a.desktop", locale: LocaleName("C"))
    #expect(result.file == .broken)
    #expect(result.complaints.map(\.severity) == [.error, .warning])
  }

  @Test(arguments: [
    "MimeType=" + String(repeating: "a;", count: 50_000) + String(repeating: "\na=b", count: 25_000),
    "Actions=" + String(repeating: "a;", count: 50_000) + String(repeating: "\na=b", count: 25_000),
    "Implements=org.freedesktop.UriHandler\n[org.freedesktop.UriHandler]\nPatterns="
      + (0..<10_000).map { "https://\($0).a/*;" }.joined(),
    (0..<20_000).map { "[\($0)]\n" }.joined(), String(repeating: "[a]\nb=c\n", count: 20_000),
    "Name=" + String(repeating: "\\q", count: 50_000), String(repeating: "Name=a\n", count: 30_000),
  ])
  func filesThatAreFullOfOneThingAreReadInTime(_ lines: String) {
    let (file, complaints) = read(entry(lines))
    #expect(file != .broken)
    #expect(complaints.count <= 50)
  }

  @Test func moreActionsThanAnApplicationCanHaveAreIgnored() {
    let actions = (0..<300).map { "[Desktop Action \($0)]\nName=a\nExec=a\nX-Scened-Singleton=true\n" }
      .joined()
    let text = entry("Actions=" + (0..<300).map { "\($0);" }.joined() + "\n" + actions)
    #expect(application(text)?.scenes.count == 256)
    #expect(read(text).complaints.map { $0.prefix(10) } == ["5: warning"])
  }

  @Test func filesThatNeverEndAreRefused() {
    let endless = entry("Name=" + String(repeating: "a", count: 1 << 20))
    #expect(read(endless).complaints == ["1: error: The file is larger than 1048576 bytes; make it smaller."])
    #expect(read(endless).file == .broken)
    let long = entry("Name=" + String(repeating: "a", count: 1 << 19))
    #expect(application(long)?.name.utf8.count == 1 << 19)
  }

  @Test func fewWarningsAreKeptOfMany() {
    let (file, complaints) = read(entry(String(repeating: "nonsense\n", count: 100_000)))
    #expect(complaints.count == 50)
    guard case .application = file else { return #expect(Bool(false)) }
    #expect(read(String(repeating: "nonsense\n", count: 1000) + entry("Exec=%x")).file == .broken)
  }
}
