import DesktopEntries
import Testing

/// Makes associations from directories.
///
/// Each directory has the text of its desktop-specific list, the text of its `mimeapps.list`, and its entries.
private func associations(
  _ directories: [(desktop: String, list: String, entries: [MIMEAssociations.Entry])]
) -> MIMEAssociations {
  let database = MIMEDatabase([
    .init(
      aliases: Array("text/x-old text/x-new\n".utf8),
      subclasses: Array("text/x-new text/plain\ntext/x-py text/x-script\ntext/x-script text/plain\n".utf8)
    )
  ])
  let joined = directories.map { directory in
    MIMEAssociations.Directory(
      lists: [
        MIMEAppsList.read(Array(directory.desktop.utf8), isDesktopSpecific: true).list,
        MIMEAppsList.read(Array(directory.list.utf8)).list,
      ],
      entries: directory.entries
    )
  }
  return MIMEAssociations(joined, database: database)
}

private func program(_ id: String, _ types: String..., isUsable: Bool = true) -> MIMEAssociations.Entry {
  MIMEAssociations.Entry(id: id, mimeTypes: types, isUsable: isUsable)
}

private let installed = [
  program("a", "text/plain", "x-scheme-handler/https"), program("b", "text/plain", "text/x-new"),
  program("c"),
  program("d", "text/x-script", "x-scheme-handler/https"),
]

struct MIMEAssociationsTests {
  @Test func withoutListsTheFirstEntryIsTheDefault() {
    let associations = associations([("", "", installed)])
    #expect(associations.defaultApplication(for: "text/plain") == "a")
    #expect(associations.applications(for: "text/plain") == ["a", "b"])
    #expect(associations.applications(for: "x-scheme-handler/https") == ["a", "d"])
    #expect(associations.defaultApplication(for: "x-scheme-handler/none") == nil)
    #expect(associations.applications(for: "image/png") == [])
  }

  @Test func desktopsListsComeFirstInEachDirectory() {
    let lists = ["a", "b", "c", "d"].map { "[Default Applications]\ntext/plain=\($0)\n" }
    #expect(
      associations([(lists[2], lists[1], []), (lists[3], lists[0], installed)]).defaultApplication(
        for: "text/plain"
      ) == "c"
    )
    #expect(
      associations([("", lists[1], []), (lists[3], lists[0], installed)]).defaultApplication(
        for: "text/plain"
      ) == "b"
    )
    #expect(
      associations([("", "", []), (lists[3], lists[0], installed)]).defaultApplication(for: "text/plain")
        == "d"
    )
    #expect(
      associations([("", "", []), ("", lists[2], installed)]).defaultApplication(for: "text/plain") == "c"
    )
  }

  @Test func defaultsThatAreNotUsableArePassedOver() {
    let list = "[Default Applications]\ntext/plain=none;hidden;c\n"
    let entries = installed + [program("hidden", "text/plain", isUsable: false)]
    #expect(associations([("", list, entries)]).defaultApplication(for: "text/plain") == "c")
    #expect(associations([("", list, entries)]).applications(for: "text/plain") == ["a", "b"])
  }

  @Test func someCanBePassedOver() {
    let associations = associations([("", "[Default Applications]\ntext/plain=c\n", installed)])
    #expect(associations.defaultApplication(for: "text/plain") { $0 != "c" } == "a")
    #expect(associations.defaultApplication(for: "text/plain") { _ in false } == nil)
  }

  @Test func addedOnesComeFirstAndRemovedOnesNotAtAll() {
    let list = "[Added Associations]\ntext/plain=c;b;\n[Removed Associations]\ntext/plain=a;\n"
    #expect(
      associations([("", list, []), ("", "", installed)]).applications(for: "text/plain") == ["c", "b"]
    )
    #expect(associations([("", list, []), ("", "", installed)]).defaultApplication(for: "text/plain") == "c")
    // In the next line, `list` adds `c` to a type, and the entry of `c` is in the same directory as the list. GIO 2.74
    // ignores such an association. The router uses it, because the specification says "in the current directory, or a
    // later one".
    #expect(associations([("", list, installed)]).applications(for: "text/plain") == ["c", "b"])
    #expect(associations([(list, "", installed)]).applications(for: "text/plain") == ["a", "b"])
  }

  @Test func whatIsAddedAndRemovedIsAdded() {
    let list = "[Removed Associations]\ntext/plain=c;\n[Added Associations]\ntext/plain=c;\n"
    #expect(associations([("", list, installed)]).applications(for: "text/plain") == ["c", "a", "b"])
  }

  @Test func earlierDirectoriesCountMore() {
    let (added, removed) = ("[Added Associations]\ntext/plain=c\n", "[Removed Associations]\ntext/plain=c\n")
    #expect(
      associations([("", added, []), ("", removed, installed)]).applications(for: "text/plain") == [
        "c", "a", "b",
      ]
    )
    #expect(
      associations([("", removed, []), ("", added, installed)]).applications(for: "text/plain") == ["a", "b"]
    )
  }

  @Test func entriesAreMaskedByThoseOfEarlierDirectories() {
    let own = [program("a", "image/png"), program("b", "text/plain", isUsable: false)]
    let associations = associations([
      ("", "", own),
      ("", "[Added Associations]\nimage/gif=a;c\n[Removed Associations]\nimage/png=a\n", installed),
    ])
    #expect(associations.applications(for: "text/plain") == [])
    #expect(associations.applications(for: "image/png") == ["a"])
    #expect(associations.applications(for: "image/gif") == ["c"])
  }

  @Test func otherNamesOfATypeAreTheType() {
    let list = "[Default Applications]\ntext/x-old=c\n[Added Associations]\nTEXT/X-NEW=d\n"
    let associations = associations([("", list, installed)])
    #expect(associations.defaultApplication(for: "text/x-new") == "c")
    #expect(associations.defaultApplication(for: "text/x-old") == "c")
    #expect(associations.applications(for: "Text/X-Old") == ["d", "b", "a"])
  }

  @Test func moreGeneralTypesComeLater() {
    let list = "[Default Applications]\ntext/plain=c\n[Removed Associations]\ntext/x-py=b\n"
    let associations = associations([("", list, installed)])
    #expect(associations.defaultApplication(for: "text/x-py") == "d")
    #expect(associations.applications(for: "text/x-py") == ["d", "a"])
    #expect(associations.defaultApplication(for: "text/unknown") == "c")
  }

  @Test func whatIsRemovedFromATypeDoesNotOpenItAsAMoreGeneralOne() {
    let list = "[Removed Associations]\ntext/x-py=d;a\n"
    #expect(associations([("", list, installed)]).applications(for: "text/x-py") == ["b"])
    #expect(associations([("", list, installed)]).defaultApplication(for: "text/x-py") == "b")
    #expect(associations([("", list, installed)]).defaultApplication(for: "text/x-script") == "d")
  }

  @Test func tenThousandEntriesOfOneTypeKeepTheirOrder() {
    let entries = (0..<10_000).map { program("\($0)", "text/plain") }
    let associations = associations([("", "[Added Associations]\ntext/plain=77\n", entries)])
    #expect(associations.applications(for: "text/plain").prefix(3) == ["77", "0", "1"])
    #expect(associations.applications(for: "text/plain").count == 10_000)
  }
}
