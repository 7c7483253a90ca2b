import RouterInterface
import TestSupport
import Testing

@testable import SceneServer

/// Tests that users, passwords, queries and fragments of URLs are shown only to the target.
@Suite struct PrivatePartsTests {
  @Test(arguments: [
    ("https://user:pw@example.org/a?b=c#d", "https://example.org/a"),
    ("https://example.org/a", "https://example.org/a"),
    ("https://example.org/a@b", "https://example.org/a@b"),
    ("https://example.org#d?e", "https://example.org"),
    ("https://a@b@example.org", "https://example.org"),
    // After `http:`, `https:` and `ftp:`, browsers read a host after any number of slashes or backslashes.
    (#"https:\\u:p@h/"#, #"https:\\h/"#), ("https:/u:p@h/", "https:/h/"), ("https:u:p@h", "https:h"),
    ("https:///u:p@h/", "https:///h/"), (#"HTTP:\/u:p@h\x@y"#, #"HTTP:\/h\x@y"#),
    ("ftp:u@h/a@b", "ftp:h/a@b"),
    // URLs in URLs.
    ("view-source:https://u:p@h/?q", "view-source:https://h/"), ("blob:https:u:p@h/1-2", "blob:https:h/1-2"),
    ("jar:https://u:p@h/a.jar!/b@c", "jar:https://h/a.jar!/b@c"),
    ("view-source:view-source:http:u@h", "view-source:view-source:http:h"),
    // URLs of other schemes.
    ("x://u:p@h/?q", "x://h/"), (#"x://u\p@h/"#, "x://h/"), ("x:///u@h/", "x:///u@h/"), ("x:/u@h", "x:/u@h"),
    ("mailto:someone@example.org?subject=s", "mailto:someone@example.org"), ("file:///a@b", "file:///a@b"),
    // Without `//`, the user stays and the password goes.
    ("ssh:u:p@h", "ssh:u@h"), ("sip:u:p@h:5060;transport=tcp", "sip:u@h:5060;transport=tcp"),
    ("ssh:/u:p@h/", "ssh:/u@h/"), ("x:///u:p@h/", "x:///u@h/"), ("SSH:u:p:q@r@h#f", "SSH:u@h"),
    ("vnc::p@h", "vnc:@h"), ("view-source:ssh:u:p@h", "view-source:ssh@h"),
    ("sips:u:p@[::1]", "sips:u@[::1]"),
    ("rtsp:\u{FC}:p@h/a:b@c", "rtsp:\u{FC}@h/a:b@c"),
    ("xmpp:a@b/c:d@e", "xmpp:a@b/c:d@e"), ("file:/a:b@c", "file:/a:b@c"), ("sip:a@h:5060", "sip:a@h:5060"),
    ("mailto:a@b,c@d", "mailto:a@b,c@d"), ("x:/l/19:a@b", "x:/l/19:a@b"),
    ("x:", "x:"), ("x:?q", "x:"), ("", ""), ("@", "@"), ("a b@c", "a b@c"), ("https:", "https:"),
    ("https:@", "https:"),
  ])
  func urlIsShownWithoutThem(_ url: String, _ shown: String) {
    #expect(PrivateParts.removed(fromURL: url) == shown)
  }

  @Test(arguments: [
    ("Cannot open 'https://u:p@h/a?q#f'.", "Cannot open 'https://h/a'."),
    ("url=https://u@h/?q failed\n(see x://h/#f)", "url=https://h/ failed\n(see x://h/"),
    ("view-source:https:u@h \"blob:https://h/?q\"", "view-source:https:h \"blob:https://h/\""),
    ("Why? user@example.org: busy #3", "Why? user@example.org: busy #3"),
    ("at 12:30?", "at 12:30?"), ("<https://h/?q>", "<https://h/>"), ("mailto:a@b?c", "mailto:a@b?c"),
    ("No 'ssh:u:p@h' or sip:u:p@h.", "No 'ssh:u@h' or sip:u@h."), ("Error: a@b: 1", "Error: a@b: 1"),
    (" ", " "), ("", ""), ("https://u@h", "https://h"), ("://u@h", "://u@h"),
  ])
  func textShowsURLsWithoutThem(_ text: String, _ shown: String) {
    #expect(PrivateParts.removed(fromText: text) == shown)
  }

  @Test(arguments: HistoryDetail.allCases)
  func reasonsAndTheJournalShowNone(_ detail: HistoryDetail) throws {
    let log = RecordedLog()
    let router = try RouterUnderTest(history: detail, log: log.logger)
    let secret = "https://secret1:secret2@example.org/a?secret3#secret4"
    let scene = try router.open()
    let declared = try router.declare("other")
    let sender = try router.send(Wire.SendEventCall(event: Event(.url(secret)), applicationID: "app"))
    try scene.decline(scene.delivery(), reason: "no '\(secret)'")
    let other = try router.send(Wire.SendEventCall(event: Event(.url(secret)), applicationID: "other"))
    try declared.decline(declared.request(), reason: secret)
    guard case .declined(_, let first, _) = try sender.failure(),
      case .launchFailed(_, let second, _) = try other.failure()
    else { throw Overdue("It was taken.") }
    #expect([first, second].map(\.reason) == ["no 'https://example.org/a'", "https://example.org/a"])
    let records = try router.call(Wire.ListRecordsCall()).records
    #expect(records.flatMap(\.attempts).allSatisfy { $0.reason?.contains("secret") == false })
    if detail != .full {
      #expect(records.allSatisfy { $0.comparisonString?.contains("secret") != true })
      #expect(!log.messages.contains { $0.contains("secret") })
    }
  }

  /// The scene registers the whole URL, but the record has the URL without user, query and fragment.
  @Test func shownPageIsRememberedWithoutThem() throws {
    let router = try RouterUnderTest()
    let page = "https://u:p@example.org/a?secret#f"
    let view = Registration(id: "view", preferring: [], allowing: [], showing: [page])
    let context = SceneContext(applicationID: "app", registrations: [view])
    let scene = try OpenedScene(Wire.OpenSceneCall(context: context), router)
    let sender = try router.send(page)
    try scene.acknowledgeNext()
    _ = try sender.outcome()
    let attempt = try #require(try router.call(Wire.ListRecordsCall()).records.first?.attempts.first)
    #expect((attempt.rule, attempt.matchedPattern) == (.showing, "https://example.org/a"))
  }
}
