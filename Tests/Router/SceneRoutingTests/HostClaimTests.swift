import SceneRouting
import Testing

@Suite struct HostClaimTests {
  struct Case: CustomStringConvertible {
    let claim: String
    let url: String
    let isCovered: Bool

    init(_ claim: String, covers url: String) { (self.claim, self.url, isCovered) = (claim, url, true) }

    init(_ claim: String, leaves url: String) { (self.claim, self.url, isCovered) = (claim, url, false) }

    var description: String { "\(claim) \(isCovered ? "covers" : "leaves") \(url)" }
  }

  static let cases = schemes + hosts + userinfo + ports + ends + domains + paths

  static let schemes = [
    Case("meet.test", covers: "https://meet.test"),
    Case("meet.test", covers: "http://meet.test/"),
    Case("meet.test", covers: "HTTPS://meet.test/"),
    Case("meet.test", leaves: "httpss://meet.test/"),
    Case("meet.test", leaves: "ftp://meet.test/"),
    Case("meet.test", leaves: "file://meet.test/"),
    Case("meet.test", leaves: "file:///meet.test"),
    Case("meet.test", leaves: "wss://meet.test/"),
    Case("meet.test", leaves: "view-source:https://meet.test/"),
    Case("meet.test", leaves: "mailto:a@meet.test"),
  ]

  static let hosts = [
    Case("meet.test", covers: "https://MEET.Test/"),
    Case("Meet.TEST", covers: "https://meet.test/"),
    Case("meet.test", leaves: "https://meet.test./"),
    Case("meet.test", leaves: "https://meet%2Etest/"),
    Case("meet.test", leaves: "https://meet\u{3002}test/"),
    Case("kelvin.test", leaves: "https://\u{212A}elvin.test/"),
    Case("\u{E9}.test", covers: "https://\u{E9}.test/"),
    Case("\u{E9}.test", leaves: "https://e\u{301}.test/"),
    Case("\u{E9}.test", leaves: "https://\u{C9}.test/"),
    Case("\u{E9}.test", leaves: "https://xn--9ca.test/"),
    Case("meet.test", leaves: "https://xmeet.test/"),
    Case("meet.test", leaves: "https://meet.testx/"),
    Case("meet.test", leaves: "https://meet.test.evil/"),
    Case("meet.test", leaves: "https://meet/test"),
    Case("meet.test", leaves: "https:///meet.test/"),
    Case("meet.test", leaves: "https:////meet.test/"),
    Case("meet.test", leaves: "https:/meet.test/"),
    Case("meet.test", leaves: "https:meet.test/"),
    Case("meet.test", leaves: "https:\\\\meet.test/"),
    Case("meet.test", leaves: "https:x//meet.test/"),
    Case("[2001:db8::1]", covers: "https://[2001:DB8::1]/"),
    Case("[2001:db8::1]", covers: "https://[2001:db8::1]:443/"),
    Case("[2001:db8::1]", leaves: "https://[2001:db8:0::1]/"),
    Case("[2001:db8::]", leaves: "https://[2001:db8::1]/"),
    Case("192.0.2.1", covers: "http://192.0.2.1/"),
    Case("192.0.2.1", leaves: "http://3221225985/"),
  ]

  static let userinfo = [
    Case("meet.test", covers: "https://user@meet.test/"),
    Case("meet.test", covers: "https://user:word@meet.test:443/"),
    Case("meet.test", covers: "https://evil.test@meet.test/"),
    Case("meet.test", covers: "https://a@b@meet.test/"),
    Case("meet.test", leaves: "https://meet.test@evil.test/"),
    Case("meet.test", leaves: "https://meet.test:443@evil.test/"),
    Case("meet.test", leaves: "https://a@meet.test@evil.test/"),
    Case("meet.test", leaves: "https://meet.test%40evil.test/"),
    Case("meet.test", leaves: "https://meet.test@/"),
    Case("meet.test", leaves: "https://@/meet.test"),
  ]

  static let ports = [
    Case("meet.test", covers: "https://meet.test:8443/"),
    Case("meet.test", covers: "https://meet.test:"),
    Case("meet.test", leaves: "https://meet.test:80:80/"),
    Case("meet.test", leaves: "https://meet.test:x/"),
    Case("meet.test", leaves: "https://:443/"),
    Case("80", leaves: "https://evil.test:80/"),
  ]

  static let ends = [
    Case("meet.test", leaves: "https://evil.test/?meet.test"),
    Case("meet.test", leaves: "https://evil.test?@meet.test/"),
    Case("meet.test", leaves: "https://evil.test#@meet.test/"),
    Case("meet.test", leaves: "https://evil.test/@meet.test/"),
    Case("meet.test", leaves: "https://evil.test\\@meet.test/"),
    Case("meet.test", leaves: "https://evil.test\\.meet.test/"),
    Case("*.test", covers: "https://meet.test?x=https://evil.example/"),
    Case("meet.test", covers: "https://meet.test#/@evil.test"),
    Case("meet.test", covers: "https://meet.test\\@evil.test/"),
    Case("meet.test", leaves: "https://evil.test/https://meet.test/"),
  ]

  static let domains = [
    Case("*.meet.test", covers: "https://a.meet.test/"),
    Case("*.meet.test", covers: "https://a.b.MEET.test/"),
    Case("*.meet.test", leaves: "https://meet.test/"),
    Case("*.meet.test", leaves: "https://.meet.test/"),
    Case("*.meet.test", leaves: "https://xmeet.test/"),
    Case("*.meet.test", leaves: "https://a.meet.test.evil/"),
    Case("*.meet.test", leaves: "https://a.meet.test./"),
    Case("*.meet.test", leaves: "https://a.meet.test@evil.test/"),
    Case("*.meet.test", leaves: "https://evil.test/.meet.test"),
    Case("*.test", covers: "https://meet.test/"),
    Case("*.test", covers: "https://\(String(repeating: "a.", count: 2000))test/"),
  ]

  static let paths = [
    Case("meet.test/team", covers: "https://meet.test/team"),
    Case("meet.test/team", covers: "https://meet.test/team/"),
    Case("meet.test/team", covers: "https://meet.test/team/x/y"),
    Case("meet.test/team", covers: "https://meet.test/team?x"),
    Case("meet.test/team", covers: "https://meet.test/team#x"),
    Case("meet.test/team", covers: "https://meet.test/team//"),
    Case("meet.test/team/", covers: "https://meet.test/team"),
    Case("meet.test/", covers: "https://meet.test"),
    Case("meet.test/", covers: "https://meet.test/x"),
    Case("meet.test//", covers: "https://meet.test/x"),
    Case("*.test/team", covers: "https://meet.test:443/team/x"),
    Case("meet.test/a/b", covers: "https://meet.test/a/b/c"),
    Case("meet.test/team", leaves: "https://meet.test/teams"),
    Case("meet.test/team", leaves: "https://meet.test/Team"),
    Case("meet.test/team", leaves: "https://meet.test/te%61m"),
    Case("meet.test/team", leaves: "https://meet.test//team"),
    Case("meet.test/team", leaves: "https://meet.test/./team"),
    Case("meet.test/team", leaves: "https://meet.test\\team"),
    Case("meet.test/team", leaves: "https://meet.test/x\\/team"),
    Case("meet.test/team", leaves: "https://meet.test?/team"),
    Case("meet.test/team", leaves: "https://meet.test#/team"),
    Case("meet.test/team", leaves: "https://meet.test"),
    Case("meet.test/a/b", leaves: "https://meet.test/a"),
    Case("meet.test/@a:b", covers: "https://meet.test/@a:b/c"),
    Case("meet.test/a", covers: "https://meet.test/a/\(String(repeating: "b/", count: 2000))"),
  ]

  /// The application that claims the host is asked before the browser, which was declared first.
  @Test(arguments: cases)
  func claimCoversItsURLsOnly(_ expected: Case) throws {
    let fixture = RouterFixture()
    let scenes = [SceneDeclaration(id: "main")]
    #expect(fixture.declare(scenes, of: "browser", claims: Claims(schemes: ["https", "http"])) == nil)
    #expect(fixture.declare(scenes, of: "other") == nil)
    #expect(fixture.declare(scenes, of: "meet", claims: Claims(hosts: [expected.claim])) == nil)
    try fixture.send(expected.url)
    let chosen = try #require(fixture.requests.first?.applicationID)
    #expect((chosen == "meet") == expected.isCovered)
  }

  /// All applications are in the trace, because none of them takes the event.
  @Test func traceAsksInTheOrderOfTheRules() throws {
    let fixture = RouterFixture()
    let claims = [
      "rest": Claims(schemes: ["https"]), "default": Claims(schemes: ["https"]),
      "chosen": Claims(hosts: ["meet.test/a"]), "domain": Claims(hosts: ["*.test"]),
      "exact": Claims(schemes: ["https"], hosts: ["*.test", "meet.test"]),
      "path": Claims(hosts: ["meet.test/a"]),
      "elsewhere": Claims(hosts: ["a.test"]),
    ]
    for (id, claims) in claims.sorted(by: { $0.key > $1.key }) {
      #expect(
        fixture.declare([SceneDeclaration(id: "main", matching: ["no"])], of: id, claims: claims) == nil
      )
    }
    fixture.router.registry.setHostChoices([try #require(HostClaim("*.test")): UserChoice("chosen")])
    let https = ClaimKey.scheme("https")
    fixture.router.registry.setPreferences([https: ClaimPreferences(defaultApplication: "default")])
    func asked() throws -> [String] {
      let event = Event(.url("https://meet.test/a/b"))
      let (_, trace) = try fixture.router.explain(event, RouteConstraints(), maximumSteps: 100).get()
      return trace.steps.compactMap(\.applicationID)
    }
    #expect(try asked() == ["chosen", "path", "exact", "domain", "default", "rest"])
    fixture.router.registry.setPreferences([https: ClaimPreferences(defaultApplication: "exact")])
    #expect(try asked() == ["chosen", "path", "exact", "domain", "rest", "default"])
  }

  /// Every fourth application has no default declaration, so the links to its host go to the browser.
  @Test func eachOfManyIsFoundByItsHost() throws {
    let fixture = RouterFixture()
    let browser = [SceneDeclaration(id: "page")]
    #expect(fixture.declare(browser, of: "browser", claims: Claims(schemes: ["https"])) == nil)
    for number in 0..<200 {
      let defaults = (0..<number % 4).map { SceneDeclaration(id: "default\($0)") }
      let scenes = [SceneDeclaration(id: "never", matching: [])] + defaults
      #expect(fixture.declare(scenes, of: "app\(number)", claims: Claims(hosts: ["a\(number).test"])) == nil)
    }
    for number in 0..<200 {
      try fixture.send("https://a\(number).test/")
      let hasDefault = number % 4 > 0
      #expect(fixture.requests.first?.applicationID == (hasDefault ? "app\(number)" : "browser"))
      #expect(fixture.requests.first?.declarationID == (hasDefault ? "default0" : "page"))
    }
  }

  @Test func choicesAreReplacedAndCounted() throws {
    let fixture = RouterFixture()
    let scenes = [SceneDeclaration(id: "main")]
    for id in ["a", "b"] {
      #expect(fixture.declare(scenes, of: id, claims: Claims(schemes: ["https"])) == nil)
    }
    let generation = fixture.router.registry.generation
    for (place, choices) in [["*.test": "b"], ["a.test": "b"], ["meet.test": "b", "*.test": "a"], [:]]
      .enumerated()
    {
      var chosen: [HostClaim: UserChoice] = [:]
      for (host, application) in choices { chosen[try #require(HostClaim(host))] = UserChoice(application) }
      fixture.router.registry.setHostChoices(chosen)
      #expect(fixture.router.registry.generation == generation + UInt64(place + 1))
      try fixture.send("https://meet.test/\(place)")
      #expect(fixture.requests.first?.applicationID == ["b", "a", "b", "a"][place])
    }
  }

  @Test func tableIsLongEnough() { #expect(Self.cases.count >= 60) }

  @Test(arguments: [
    "", "/", "/team", ".", "*", "*.", "*./team", "meet.", ".meet", "a..b", "*.*.test", "*meet.test",
    "a.*.test",
    "meet.*", "meet.test/*", "*.meet.test/*", "meet.test/a*b", "https://meet.test", "https:meet.test",
    "//meet.test", "user@meet.test", "meet.test:443", "meet.test:", "[::1]:443", "::1", "meet.test?x",
    "meet.test#x",
    "meet.test/a?x", "meet.test/a#x", "meet test", " meet.test", "meet.test ", "meet.test/a b", "meet\ttest",
    "meet.test\n", "meet.test/\u{7F}", "meet.test\u{0}", "meet.test\\x", "*..test",
  ])
  func malformedClaimIsRefused(_ claim: String) {
    let fixture = RouterFixture()
    let error = fixture.declare([], claims: Claims(hosts: ["meet.test", claim]))
    #expect(error == .invalidParameter(path: "claims.hosts[1]"))
    #expect(fixture.bytes == 0)
  }

  @Test func claimIsAsLongAsAnyString() {
    let fixture = RouterFixture()
    let maximum = Limits().stringLength
    let claim = String(repeating: "a", count: maximum)
    let error = fixture.declare([], claims: Claims(hosts: [claim + "a"]))
    #expect(error == .limitExceeded(.stringLength, maximum: maximum))
    #expect(HostClaim(claim + "a") == nil)
    #expect(fixture.declare([], claims: Claims(hosts: [claim])) == nil)
  }

  @Test func longestClaimsAreFound() throws {
    let fixture = RouterFixture()
    let name = String(repeating: "a", count: Limits().stringLength - 2)
    let hosts = [name, "*.\(name)", "a/\(name)"]
    #expect(fixture.declare([SceneDeclaration(id: "main")], claims: Claims(hosts: hosts)) == nil)
    for url in [name, "b.\(name)", "a/\(name)", "a/\(name)/b"] {
      try fixture.send("https://\(url)")
      #expect(fixture.ends.isEmpty, "\(url)")
    }
    for url in ["\(name)a", "a\(name)", "b.a\(name)", "a/\(name)a", "c/\(name)"] {
      try fixture.send("https://\(url)")
      #expect(fixture.ends.count == 1, "\(url)")
    }
  }

  @Test func withdrawnClaimClaimsNothing() throws {
    let fixture = RouterFixture()
    let scenes = [SceneDeclaration(id: "main")]
    let claims = Claims(hosts: ["meet.test", "MEET.test/", "*.test/a"])
    #expect(fixture.declare(scenes, of: "other") == nil)
    #expect(fixture.declare(scenes, of: "meet", claims: claims) == nil)
    #expect(fixture.declare(scenes, of: "second", claims: claims) == nil)
    for application in ["meet", "second", "other"] {
      try fixture.send("https://meet.test/a?\(application)")
      #expect(fixture.requests.first?.applicationID == application)
      fixture.withdraw(application)
    }
  }
}
