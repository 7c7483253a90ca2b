import DesktopEntries
import Testing

struct DesktopEntryTests {
  @Test func readsWhatAnApplicationIs() throws {
    let entry = try #require(
      application(
        """
        # A comment

          [Desktop Entry]
        Type = Application
        Version=1.5
        Name=Meeting
        Icon=org.example.Meeting
        Exec=meet --open %U
        TryExec=meet
        Path=/opt/meet
        Terminal=true
        NoDisplay=true
        OnlyShowIn=GNOME;KDE;
        NotShowIn=XFCE;
        DBusActivatable=true
        MimeType=x-scheme-handler/meet;text/calendar;x-scheme-handler/meets
        """
      )
    )
    #expect(entry.id == "org.example.App.desktop")
    #expect(entry.name == "Meeting")
    #expect(entry.icon == "org.example.Meeting")
    #expect(entry.exec?.program == "meet")
    #expect(entry.exec?.targetCode == .urls)
    #expect(entry.tryExec == "meet")
    #expect(entry.workingDirectory == "/opt/meet")
    #expect(entry.runsInTerminal && entry.isDBusActivatable)
    #expect(entry.claims.schemes == ["meet", "meets"])
    #expect(entry.claims.mimeTypes == ["text/calendar"])
    #expect(entry.scenes.map(\.declarationID) == ["main"])
    #expect(entry.scenes[0].title == "Meeting")
    #expect(!entry.isAware && !entry.isSingleScene && !entry.hasSceneKeys)
  }

  @Test(arguments: [
    ("C", "Files"), ("POSIX", "Files"), ("", "Files"), ("fr_FR.UTF-8", "Files"), ("de", "Dateien"),
    ("de_DE.UTF-8", "Dateien"), ("de_AT", "Dateien AT"), ("de_AT.UTF-8@euro", "Dateien AT"),
    ("de_CH@euro", "Dateien euro"), ("sr", "SR"),
    ("sr@latin", "SR latin"), ("sr_RS@latin", "SR latin"), ("sr_RS.UTF-8", "SR"),
    ("sr_ME@latin", "SR ME latin"),
    ("sr_ME", "SR"),
  ])
  func namesAreInTheLanguageOfTheLocale(_ locale: String, _ name: String) {
    let text = """
      Name[sr_ME@latin]=SR ME latin
      Name[sr@latin]=SR latin
      Name[sr]=SR
      Name[de]=Dateien
      Name[de_AT]=Dateien AT
      Name[de@euro]=Dateien euro
      Name=Files
      """
    #expect(application(entry(text), locale: locale)?.name == name)
  }

  @Test(arguments: [
    (#"a\sb"#, "a b"), (#"a\nb\tc\rd"#, "a\nb\tc\rd"), (#"a\\b"#, #"a\b"#), (#"a\\nb"#, #"a\nb"#),
    ("a b  ", "a b"),
    (#"\s"#, " "), (#"a\;b"#, #"a\;b"#), (#"a\xb"#, #"a\xb"#), (#"a\"#, #"a\"#), ("a=b", "a=b"),
    ("grün ✓", "grün ✓"),
    ("a # b", "a # b"), ("[a]", "[a]"),
  ])
  func escapesAreUndone(_ value: String, _ name: String) {
    #expect(application(entry("Name=\(value)"))?.name == name)
  }

  @Test(arguments: [
    ("a;b", ["a", "b"]), ("a;b;", ["a", "b"]), ("a", ["a"]), ("", []), (";", []), (";;a;;", ["a"]),
    ("a ; b;", ["a", "b"]),
    (#"a\;b;c"#, ["a;b", "c"]), (#"a\\;b"#, [#"a\"#, "b"]), (#"\sa;"#, [" a"]), (#"a\"#, [#"a\"#]),
  ])
  func listsAreSplit(_ value: String, _ items: [String]) {
    #expect(application(entry("X-Scened-Matching=\(value)"))?.scenes[0].matching == items)
  }

  @Test(arguments: [
    ("true", true), ("false", false), ("1", true), ("0", false), ("true ", true), ("True", false),
    ("yes", false),
    ("", false),
  ])
  func booleansAreRead(_ value: String, _ isTrue: Bool) {
    #expect(application(entry("Terminal=\(value)"))?.runsInTerminal == isTrue)
  }

  @Test func lastOfEqualKeysCountsInGroupsThatAreJoined() {
    let text = entry("Icon=a\nIcon=b\n[Other]\nIcon=c\n[Desktop Entry]\nName=Last")
    #expect(application(text)?.icon == "b")
    #expect(application(text)?.name == "Last")
  }

  @Test func linesMayEndInCarriageReturns() {
    let text = entry("Terminal=true").split(separator: "\n").joined(separator: "\r\n")
    #expect(application(text)?.runsInTerminal == true)
    #expect(application(text)?.exec?.program == "app")
    #expect(application("\u{FEFF}" + entry(""))?.name == "App")
  }

  @Test(arguments: [
    ("", DesktopEntryFile.mask), (entry("Hidden=true"), .mask), ("[Desktop Entry]\nHidden=true\n", .mask),
    ("[Desktop Entry]\nType=Link\nName=a\nURL=https://example.org/\n", .notAnApplication),
    ("[Desktop Entry]\nType=Directory\nName=a\n", .notAnApplication), ("\n", .broken),
  ])
  func filesThatAreNoApplicationAreTold(_ text: String, _ file: DesktopEntryFile) {
    #expect(read(text).file == file)
  }

  @Test(arguments: [
    ("a.desktop", "a.desktop"), ("kde/a.desktop", "kde-a.desktop"), ("a/b/c-d.desktop", "a-b-c-d.desktop"),
    ("a.directory", nil), (".desktop", nil), ("a", nil), ("/a.desktop", nil), ("mimeapps.list", nil),
  ])
  func idsJoinSubdirectories(_ path: String, _ id: String?) {
    #expect(DesktopEntry.id(ofPath: path) == id)
  }
}
