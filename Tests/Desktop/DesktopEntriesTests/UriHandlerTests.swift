import DesktopEntries
import Testing

struct UriHandlerTests {
  @Test func hostsComeFromSupportsAndPatterns() {
    let text = entry(
      """
      Implements=org.example.Other;org.freedesktop.UriHandler;
      [org.freedesktop.UriHandler]
      Supports=meet.example.org;*.example.net;
      Patterns=https://example.com/*;https://example.com/join/now/*;https://*.example.com/*;https://meet.example.org/*;
      """
    )
    #expect(read(text).complaints == [])
    #expect(
      application(text)?.claims.hosts == [
        "meet.example.org", "*.example.net", "example.com", "example.com/join/now", "*.example.com",
      ]
    )
    #expect(application(text)?.isForNamedEventsOnly == false)
  }

  @Test(arguments: [
    "http://a.org/*", "https://a.org", "https://a.org/", "https://a.org/b", "https://a.org/b*", "https://*/*",
    "https://a.org/*/b/*", "https://*.a.org/link?b/*", "https://a.org:80/*", "https://u@a.org/*",
    "https:///*", "*",
    "https://a..org/*", "https://a.*.org/*", "https://a.org./*", "HTTPS://a.org/*", "https://a.org/#b/*",
    "https://**.a/*",
    "https://a b/*", "https://[::1]/*",
  ])
  func otherPatternsAreToldAndIgnored(_ pattern: String) {
    let text = entry(
      "Implements=org.freedesktop.UriHandler;\n[org.freedesktop.UriHandler]\nPatterns=https://b.org/*;\(pattern);"
    )
    #expect(application(text)?.claims.hosts == ["b.org"])
    #expect(
      read(text).complaints == [
        "7: warning: '\(pattern)' in 'Patterns' is ignored; write 'https://HOST/*' or 'https://HOST/PATH/*'."
      ]
    )
  }

  @Test(arguments: [
    "a.org/b", "https://a.org", "a.org:443", "*", ".a.org", "a*.org", "u@a.org", "a.org?b",
    "*\u{301}.a.org", "a:\u{301}1", "a.org/\u{301}b", "[\u{301}::1]",
  ])
  func otherHostsAreToldAndIgnored(_ host: String) {
    let text = entry(
      "Implements=org.freedesktop.UriHandler;\n[org.freedesktop.UriHandler]\nSupports=\(host);b.org"
    )
    #expect(application(text)?.claims.hosts == ["b.org"])
    #expect(read(text).complaints == ["7: warning: '\(host)' in 'Supports' is ignored; write only a host."])
  }

  @Test func theGroupCountsOnlyIfItIsImplemented() {
    let text = entry("[org.freedesktop.UriHandler]\nSupports=a.org;")
    #expect(application(text)?.claims.hosts == [])
    #expect(read(text).complaints.map { $0.prefix(10) } == ["5: warning"])
    #expect(application(entry("Implements=org.freedesktop.UriHandler;"))?.claims.hosts == [])
  }

  @Test func choicesOfEarlierFilesComeFirst() {
    let files = [
      "[org.freedesktop.UriHandler]\nmeet.example.org=a.desktop;b.desktop\nExample.ORG/Path=c.desktop\n",
      "nonsense\n[org.freedesktop.UriHandler]\nmeet.example.org=d.desktop;a.desktop\n*.example.org=e.desktop\n",
    ]
    let (choices, complaints) = HostChoices.read(files.map { Array($0.utf8) })
    #expect(
      choices.applications == [
        "meet.example.org": ["a.desktop", "b.desktop", "d.desktop"], "example.org/Path": ["c.desktop"],
        "*.example.org": ["e.desktop"],
      ]
    )
    #expect(complaints.map { $0.map(\.line) } == [[], [1]])
  }
}
