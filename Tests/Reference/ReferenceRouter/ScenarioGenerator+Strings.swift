import RandomNumbers

extension ScenarioGenerator {
  static let schemes = ["galleria", "GALLERIA", "lute", "file", "FILE", "https"]
  static let activityTypes = ["org.example.view", "org.example.edit"]
  static let mimeTypes = ["image/x-album", "image/*", "IMAGE/X-ALBUM", "text/x-lute"]
  static let supportedTypes = ["alb", "ALB", "lute", ".alb", "image/x-album", "Image/*", "text/x-lute"]

  /// The file types of generated scenarios.
  ///
  /// Two of these types are supertypes of each other.
  static let fileTypes = Scenario.FileTypes(
    [".alb": "image/x-album", ".gz": "text/x-pack", ".alb.gz": "text/x-song", ".lute": "text/x-lute"],
    aliases: ["image/album": "image/x-album", "audio/x-song": "text/x-song"],
    bases: [
      "image/x-album": ["text/x-song"], "text/x-song": ["text/x-lute", "text/x-pack"],
      "text/x-lute": ["audio/x-base"], "text/x-pack": ["text/x-song"],
    ]
  )
  /// The types that the preferences and choices of a generated user may name; aliases are left out.
  static let knownTypes = ["image/x-album", "text/x-song", "text/x-lute", "text/x-pack", "audio/x-base"]

  mutating func claimedType() -> String {
    random.pick(Self.knownTypes + ["image/album", "Audio/X-Song", "image/*", "audio/*", "text/*"])
  }

  mutating func supportedType() -> String {
    hasTypes && random.chance(60) ? claimedType() : random.pick(Self.supportedTypes)
  }

  private static let contentTypes = ["image/x-album", "Image/X-Other; pages=2", "text/x-lute"]
  private static let fileNames = [
    "", "", "/1.alb", "/1.Alb", "/1.alb", "/1.lute", "/1.alb.gz", "/.alb", "/1%2Ealb?x=1.lute", "/1?1.alb",
    "#/1.alb",
  ]

  /// The parts of which events and identifiers are made.
  ///
  /// No part has white space, and no part has a scalar that is newer than Unicode 12.
  private static let tokens = [
    "album", "alb", "photo", "photoIdentifier=", "zither", "a", "s", "4711", "47", "/", "%C3%A9",
    // Letters with accents: composed and decomposed, alone and in words.
    "caf\u{E9}", "cafe", "e\u{301}", "\u{1EC7}", "o\u{323}\u{302}", "\u{E5}land", "\u{212B}land",
    // Letters that fold to several scalars, or whose folding depends on the language or on the place in a word.
    "stra\u{DF}e", "STRASSE", "\u{1E9E}", "ss", "\u{FB01}le", "fi", "\u{130}zmir", "izmir", "\u{131}", "i",
    "\u{39F}\u{394}\u{39F}\u{3A3}", "\u{3BF}\u{3B4}\u{3BF}\u{3C2}", "\u{1FB3}", "\u{3B1}\u{3B9}",
    // Hangul, kana, Arabic, Devanagari, Cyrillic, Deseret, and emoji of several scalars.
    "\u{AC01}", "\u{AC00}", "\u{1100}\u{1161}\u{11A8}", "\u{1100}\u{1161}", "\u{304C}", "\u{304B}",
    "\u{304B}\u{3099}", "\u{623}", "\u{627}", "\u{627}\u{654}", "\u{643}\u{64E}\u{62A}", "\u{643}\u{62A}",
    "\u{915}\u{94D}\u{937}", "\u{915}\u{937}", "\u{958}", "\u{439}", "\u{438}", "\u{10400}", "\u{10428}",
    "\u{1F468}\u{200D}\u{1F469}", "\u{1F468}", "1\u{FE0F}\u{20E3}",
  ]

  /// Identifiers with a special meaning, and identifiers that only look special.
  private static let special = [
    "*", "*", "*", "*", "*", "*", "", "a*", "**", "\u{301}", "\u{FE0F}", "*\u{301}", "?", ".",
  ]

  mutating func event() -> Scenario.Event {
    eventTokens = tokens()
    let contentType = random.chance(30) ? random.pick(Self.contentTypes) : nil
    if random.chance(hasHosts ? 90 : 45) {
      return .url(url(), contentType: contentType)
    }
    let target = eventTokens.joined()
    return .activity(
      random.pick([nil, "", target, target, target, target]),
      webpageURL: random.chance(40) ? url() : nil,
      type: random.pick(Self.activityTypes),
      contentType: contentType
    )
  }

  private mutating func tokens() -> [String] {
    (0..<random.number(in: 1...3)).map { _ in
      let token = random.pick(Self.tokens)
      return random.chance(20) ? token.uppercased() : token
    }
  }

  /// Another URL of a file, whose tokens identifiers may have too.
  mutating func resolvedURL() -> String {
    let own = eventTokens
    eventTokens = tokens()
    let url = "file:///\(eventTokens.joined())\(random.pick(Self.fileNames))\(fragment())"
    eventTokens += own
    return url
  }

  private mutating func fragment() -> String {
    random.chance(25) ? random.pick(["#/m/1", "#/m/2", "#%2Fm/1", "#/%6D/1", "#"]) : ""
  }

  private static let hosts = [
    "example.org", "meet.example.org", "a.meet.example.org", "MEET.example.org:443", "u@meet.example.org",
    "meet.example.org.evil.test", "evil.test\\@meet.example.org", "meet.example.org.",
  ]
  private static let hostClaims = [
    "example.org", "meet.example.org", "meet.example.org", "*.example.org", "*.meet.example.org", "*.org",
    "a.meet.example.org", "evil.test",
  ]
  private static let paths = ["", "", "/team", "/team/", "/team/x", "/teams", "\\team", "/team?x=/team/x"]

  mutating func hostChoice() -> String {
    random.pick(Self.hostClaims) + random.pick(["", "", "/team", "/team/x"])
  }

  mutating func hostClaim() -> String {
    let claim = hostChoice()
    return random.chance(20) ? claim.replacing("example", with: "Example") + "/" : claim
  }

  /// A URL whose host is likely to be claimed.
  private mutating func webURL() -> String {
    let start = random.pick(["https", "https", "HTTP"]) + "://" + random.pick(Self.hosts)
    return start + random.pick(Self.paths) + random.pick(["#", "/", "?"]) + eventTokens.joined() + fragment()
  }

  mutating func url() -> String {
    if hasHosts { return webURL() }
    let scheme = hasTypes && random.chance(70) ? "file" : random.pick(Self.schemes)
    let start = scheme.utf8.count == 4 ? "///" : random.pick(["", "//host/"])
    return "\(scheme):\(start)\(eventTokens.joined())\(random.pick(Self.fileNames))\(fragment())"
  }

  mutating func identifiers(_ counts: ClosedRange<Int>) -> [String] {
    (0..<random.number(in: counts)).map { _ in identifier() }
  }

  private mutating func identifier() -> String {
    if random.chance(20) { return random.pick(Self.special) }
    if random.chance(relevance) {
      // Some identifiers join several tokens of the event, so that the identifiers differ in length.
      let count = random.number(in: 1...eventTokens.count)
      return variant(of: random.chance(70) ? random.pick(eventTokens) : eventTokens.prefix(count).joined())
    }
    return variant(of: random.pick(Self.tokens)) + (random.chance(30) ? random.pick(Self.tokens) : "")
  }

  /// Returns the string, often in another spelling.
  ///
  /// An identifier in the other spelling still matches the string.
  private mutating func variant(of string: String) -> String {
    switch random.number(in: 1...5) {
    case 1: string.uppercased()
    case 2: string.lowercased()
    case 3: ReferenceFolding.nfd(string)
    case 4: ReferenceFolding.nfc(string)
    default: string
    }
  }
}
