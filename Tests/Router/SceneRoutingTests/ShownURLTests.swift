import Testing

@testable import SceneRouting

/// The form in which shown URLs are compared.
@Suite struct ShownURLTests {
  /// Returns the normal form of a URL on a machine named 'Box'.
  ///
  /// ``ShownURL`` gets the name in lower case.
  private func normal(_ url: String) -> String {
    String(decoding: ShownURL(url, machineName: Array("box".utf8)).bytes, as: UTF8.self)
  }

  /// Normalizes case, default ports and empty paths as in RFC 3986, sections 6.2.2.1 and 6.2.3.
  @Test(arguments: [
    ("HTTP://EXAMPLE.org/A", "http://example.org/A"), ("Mailto:A@B.C", "mailto:A@B.C"),
    ("https://User:Pw@HOST/", "https://User:Pw@host/"), ("https://a.test:/x", "https://a.test/x"),
    ("http://a.test:80/x", "http://a.test/x"), ("ws://a.test:80/x", "ws://a.test/x"),
    ("https://a.test:443/x", "https://a.test/x"), ("wss://a.test:443/x", "wss://a.test/x"),
    ("ftp://a.test:21/x", "ftp://a.test/x"), ("http://a.test:443/x", "http://a.test:443/x"),
    ("x://a.test:80/x", "x://a.test:80/x"), ("http://a.test:8080", "http://a.test:8080/"),
    ("http://[::1]:80/", "http://[::1]/"), ("http://[FE80::1]", "http://[fe80::1]/"),
    ("http://a.test", "http://a.test/"), ("http://a.test?q", "http://a.test/?q"), ("x://a", "x://a/"),
    ("x://", "x://"), ("x:", "x:"), ("urn:ISBN:1", "urn:ISBN:1"), ("http://a@b@c:x/", "http://a%40b@c%3Ax/"),
  ])
  func caseAndPortsAndEmptyPaths(url: String, expected: String) { #expect(normal(url) == expected) }

  /// Normalizes percent-encoding as in RFC 3986, section 6.2.2.2.
  @Test(arguments: [
    ("x:/%7Euser/%41%2d%2E%5f", "x:/~user/A-._"), ("x:/%2f%3f%c3%a9", "x:/%2F%3F%C3%A9"),
    ("x:/a b|\"<>\\^`{}", "x:/a%20b%7C%22%3C%3E%5C%5E%60%7B%7D"), ("x:/é", "x:/%C3%A9"),
    ("x:/%", "x:/%25"), ("x:/%4", "x:/%254"), ("x:/%zz%4g", "x:/%25zz%254g"), ("x:/%%41", "x:/%25A"),
    ("x:/[1]?[2]", "x:/%5B1%5D?%5B2%5D"), ("x:/a?b?c/d", "x:/a?b?c/d"),
    ("x:/(a)!$&'*+,;=:@", "x:/(a)!$&'*+,;=:@"),
    ("http://m\u{FC}ller.test/", "http://m%C3%BCller.test/"), ("http://a%2Eb/", "http://a.b/"),
    ("x:/a?%7e%28", "x:/a?~%28"), ("x:/a#b", "x:/a"), ("x:#", "x:"), ("x:/a?#b?c", "x:/a?"),
  ])
  func percentEncoding(url: String, expected: String) { #expect(normal(url) == expected) }

  /// Removes dot segments as in RFC 3986, sections 5.2.4 and 6.2.2.3.
  @Test(arguments: [
    ("x:/a/./b/../c", "x:/a/c"), ("x:/a/b/.", "x:/a/b/"), ("x:/a/b/..", "x:/a/"), ("x:/..", "x:/"),
    ("x:/../../a", "x:/a"), ("x:/a//../b", "x:/a/b"), ("x:/%2E%2e/a", "x:/a"),
    ("x:/.../..a/.b", "x:/.../..a/.b"),
    ("x:/a/b/c/./../../g", "x:/a/g"), ("http://h//a", "http://h//a"), ("x:/a?/../b", "x:/a?/../b"),
    ("x:/a/..//b", "x:/.//b"), ("x:/.//b", "x:/.//b"), ("x:a/b/../c", "x:a/c"), ("x:./a", "x:a"),
    ("x:..", "x:"),
  ])
  func dotSegments(url: String, expected: String) { #expect(normal(url) == expected) }

  @Test(arguments: [
    ("file:/a", "file:///a"), ("FILE:///a", "file:///a"), ("file://localhost/a", "file:///a"),
    ("file://LOCALHOST/a", "file:///a"), ("file://Box/a", "file:///a"), ("file://other/a", "file://other/a"),
    ("file://box.test/a", "file://box.test/a"), ("file:///a%28b%29", "file:///a(b)"),
    ("file:///a(b)", "file:///a(b)"),
    ("file:///%61%2F%00%2f", "file:///a%2F%00%2F"), ("file:///a b%20c", "file:///a%20b%20c"),
    ("file:///100%", "file:///100%25"), ("file:///100%25", "file:///100%25"),
    ("file:///a%3Fb", "file:///a%3Fb"),
    ("file:///a#b", "file:///a"), ("file:///a%23b", "file:///a%23b"), ("file:///é%FF", "file:///%C3%A9%FF"),
    ("file://box", "file:///"), ("file:a", "file:a"), ("file:..//a", "file:///a"),
    ("file:a/../..", "file:///"), ("file://box/a/../b", "file:///b"),
    ("file://u@Box:1/a", "file://u@:1/a"), ("file://u@other/a", "file://u@other/a"),
  ])
  func files(url: String, expected: String) { #expect(normal(url) == expected) }

  @Test(arguments: [
    ("https://a.test/x", "http://a.test/x"), ("https://a.test/x", "https://a.test/x/"),
    ("https://a.test/x", "https://www.a.test/x"), ("https://a.test/x", "https://a.test/x?utm=1"),
    ("https://a.test/x", "https://a.test/X"), ("x:/%28", "x:/("), ("file:///a%2Fb", "file:///a/b"),
    ("file://a/b", "file:///a/b"), ("x:/e\u{301}", "x:/\u{E9}"),
  ])
  func nothingElseIsTheSame(left: String, right: String) { #expect(normal(left) != normal(right)) }

  @Test(arguments: [
    "HTTP://User@EXAMPLE.org:80/%7ea/./b/../c?x=%2f|#f", "x:/a/..//b", "file://BOX/%25%2541/%3f?%3f",
    "x:a/../b",
    "http://a@b@[c]:x:80/%zz",
  ])
  func normalFormStaysAsItIs(url: String) { #expect(normal(normal(url)) == normal(url)) }

  /// `replace` reuses the memory of the previous URL.
  @Test func nothingIsLeftOfTheLastURL() {
    var url = ShownURL("https://a.test/a/long/path?query", machineName: [])
    url.replace(with: "x:", machineName: [])
    #expect(url == ShownURL("x:", machineName: []))
  }
}
