import SceneRouting
import Testing

@Suite struct URLPartsTests {
  /// Writes each part after its name, in the order of the text.
  ///
  /// The `:` of the scheme, the `//` and `@` of the authority and the `:` of the port belong to no part.
  private func parts(_ url: String) -> String {
    let parts = URLParts(url.utf8.span)
    let named: [(name: String, range: Range<Int>?)] = [
      ("scheme", parts.scheme.isEmpty ? nil : parts.scheme), ("user", parts.user), ("host", parts.host),
      ("port", parts.port), ("path", parts.path), ("query", parts.query.isEmpty ? nil : parts.query),
      ("fragment", parts.fragment.isEmpty ? nil : parts.fragment),
    ]
    return named.compactMap { name, range in
      range.map { "\(name) \(String(decoding: url.utf8[$0], as: UTF8.self))" }
    }.joined(separator: ", ")
  }

  @Test(arguments: [
    // The examples of RFC 3986, sections 1.1.2 and 3.
    (
      "foo://example.com:8042/over/there?name=ferret#nose",
      "scheme foo, host example.com, port 8042, path /over/there, query ?name=ferret, fragment #nose"
    ),
    ("urn:example:animal:ferret:nose", "scheme urn, path example:animal:ferret:nose"),
    ("ldap://[2001:db8::7]/c=GB?one?b", "scheme ldap, host [2001:db8::7], path /c=GB, query ?one?b"),
    ("mailto:John.Doe@example.com", "scheme mailto, path John.Doe@example.com"),
    ("telnet://192.0.2.16:80/", "scheme telnet, host 192.0.2.16, port 80, path /"),
    ("file:///etc/hosts", "scheme file, host , path /etc/hosts"), ("file:/a", "scheme file, path /a"),
    ("X+1.-:a", "scheme X+1.-, path a"), ("x:", "scheme x, path "), ("x:/", "scheme x, path /"),
    ("x://", "scheme x, host , path "), ("x:////a", "scheme x, host , path //a"),
  ])
  func urlHasParts(url: String, expected: String) { #expect(parts(url) == expected) }

  @Test(arguments: [
    ("x://u:p@h:1", "scheme x, user u:p, host h, port 1, path "),
    ("x://a@b@c/d@e", "scheme x, user a@b, host c, path /d@e"), ("x://@h", "scheme x, user , host h, path "),
    ("x://u@", "scheme x, user u, host , path "), ("x://h:", "scheme x, host h, port , path "),
    ("x://:1", "scheme x, host , port 1, path "), ("x://a:b", "scheme x, host a:b, path "),
    ("x://a:1:2", "scheme x, host a:1, port 2, path "), ("x://1:a1", "scheme x, host 1:a1, path "),
    ("x://1", "scheme x, host 1, path "), ("x://[::1]", "scheme x, host [::1], path "),
    ("x://u@1/", "scheme x, user u, host 1, path /"), ("x://u:1@h", "scheme x, user u:1, host h, path "),
    // Only programs for web pages read a `\` as a `/`.
    (#"x:\\h\a"#, #"scheme x, path \\h\a"#), (#"x://h\a@b/"#, #"scheme x, user h\a, host b, path /"#),
    ("x://\u{E9}:1/\u{301}a", "scheme x, host \u{E9}, port 1, path /\u{301}a"),
  ])
  func authorityHasParts(url: String, expected: String) { #expect(parts(url) == expected) }

  @Test(arguments: [
    ("x://h?a#b?c", "scheme x, host h, path , query ?a, fragment #b?c"),
    ("x://h#a@b:1/c", "scheme x, host h, path , fragment #a@b:1/c"),
    ("x:?//h", "scheme x, path , query ?//h"), ("x:/?/", "scheme x, path /, query ?/"),
    ("x:a##", "scheme x, path a, fragment ##"), ("x:a??#", "scheme x, path a, query ??, fragment #"),
  ])
  func queryAndFragmentEndTheOtherParts(url: String, expected: String) { #expect(parts(url) == expected) }

  @Test(arguments: [
    ("", "path "), ("/a/b?c#d", "path /a/b, query ?c, fragment #d"), ("a", "path a"), (":a", "path :a"),
    ("//h:1/a", "host h, port 1, path /a"), ("1:a", "path 1:a"), ("a_b:c", "path a_b:c"),
    ("\u{E9}:a", "path \u{E9}:a"), ("#x:a", "path , fragment #x:a"), ("a/b:c", "path a/b:c"),
  ])
  func textWithoutSchemeIsARelativeReference(text: String, expected: String) {
    #expect(parts(text) == expected)
  }

  /// Each part begins where the part before it ends, after at most its own mark.
  @Test(arguments: ["x://u@h:1/p?q#f", "x:p", "//h", "", "x://@:?#"])
  func authorityReachesUpToThePath(url: String) {
    let parts = URLParts(url.utf8.span)
    #expect(parts.authority == parts.host.map { (parts.user ?? $0).lowerBound..<parts.path.lowerBound })
    #expect(parts.path.upperBound == parts.query.lowerBound)
    #expect(parts.query.upperBound == parts.fragment.lowerBound)
    #expect(parts.fragment.upperBound == url.utf8.count)
  }
}
