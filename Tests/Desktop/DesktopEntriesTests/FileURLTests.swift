import DesktopEntries
import Testing

/// The conversion of `file:` URLs into paths, and of paths into `file:` URLs.
struct FileURLTests {
  @Test(arguments: [
    ("file:///a/b", "/a/b"), ("FILE:///a", "/a"), ("file:/a", "/a"), ("file://localhost/a", "/a"),
    ("file://LOCALHOST/a", "/a"), ("file:///a%20b%25c", "/a b%c"), ("file:///%24(x)%22", "/$(x)\""),
    ("file:///", "/"),
    ("file:///a?b#c", "/a"), ("file:///a%3Fb%23c", "/a?b#c"), ("file:////a", "//a"), ("file:///-a", "/-a"),
    ("file:///%c3%A4", "/ä"), ("file://host/a", nil), ("file://localhost:80/a", nil),
    ("file://user@localhost/a", nil),
    ("file:a", nil), ("file:", nil), ("file://", nil), ("https:///a", nil), ("/a", nil), ("file:///a%2", nil),
    ("file:///a%", nil), ("file:///a%zz", nil), ("file:///a%00b", nil), ("file:///a%2Fb", nil),
    ("file:///a%2fb", nil),
    ("files:///a", nil), ("", nil),
  ])
  func fileURLsNamePaths(_ url: String, _ path: String?) {
    #expect(FileURL.path(of: url) == path.map { Array($0.utf8) })
  }

  @Test(arguments: [
    ("file://desk/a", "/a"), ("file://DESK/a", "/a"), ("file://localhost/a", "/a"), ("file:///a", "/a"),
    ("file://desk.example.org/a", nil), ("file://des/a", nil), ("file://desk:1/a", nil),
  ])
  func fileURLsOfThisMachineNamePaths(_ url: String, _ path: String?) {
    #expect(FileURL.path(of: url, onMachine: "Desk") == path.map { Array($0.utf8) })
  }

  /// The URLs that `g_filename_to_uri` of GLib 2.74 makes.
  @Test(arguments: [
    ("/", "file:///"), ("/a/b", "file:///a/b"), ("/a b", "file:///a%20b"), ("/ñ", "file:///%C3%B1"),
    ("/-._~!$&'()*+,=:@", "file:///-._~!$&'()*+,=:@"),
    (##"/"#%;<>?[\]^`{|}"##, "file:///%22%23%25%3B%3C%3E%3F%5B%5C%5D%5E%60%7B%7C%7D"),
    ("/\u{1}\u{7F}", "file:///%01%7F"), ("/a%20b", "file:///a%2520b"), ("/a?b#c", "file:///a%3Fb%23c"),
  ])
  func pathsHaveTheURLsOfGLib(_ path: String, _ url: String) {
    #expect(FileURL.url(ofPath: path.utf8) == url)
    #expect(FileURL.path(of: url) == Array(path.utf8))
  }

  @Test func everyByteOfAPathComesBack() {
    let path = Array("/".utf8) + (1...255).filter { $0 != UInt8(ascii: "/") }
    #expect(FileURL.path(of: FileURL.url(ofPath: path)) == path)
  }
}
