/// Identifiers like those of real applications, and texts with a complete or an incomplete identifier.
///
/// Identifiers and texts are the same in every run. The identifiers have 4 to 200 bytes. 90 % begin with one of 50
/// common prefixes of URLs, and the rest are UUIDs and short words. The benchmark makes identifiers from their numbers
/// each time, so that only the router keeps identifiers in memory.
enum IdentifierCorpus {
  private static let prefixCount = 50
  /// The length of every text, in bytes.
  static let textLength = 100

  /// Returns an identifier; different numbers give different identifiers, and no identifier contains another
  /// identifier.
  static func identifier(_ number: Int) -> String {
    var random = mixed(UInt64(number))
    let kind = random % 20
    random /= 20
    if kind == 0 { return uuid(number) }
    if kind == 1 { return "~\(String(number, radix: 36))~".padded(to: 4) }
    let text = "\(prefix(number))item/\(String(number, radix: 36))/"
    return text.padded(to: Int(random % 200) + 1)
  }

  /// Returns a text that contains one of the first `count` identifiers.
  static func hit(_ number: Int, of count: Int) -> String {
    // If an identifier is too long for the text, the next identifier that is short enough takes its place.
    var candidate = Int(mixed(UInt64(number)) % UInt64(count))
    while identifier(candidate).utf8.count > 80 { candidate = (candidate + 1) % count }
    let identifier = identifier(candidate)
    let start = identifier.hasPrefix("https:") ? "" : "https://example.org/"
    return (start + identifier).padded(to: textLength, with: "q")
  }

  /// Returns a text that contains the beginning of an identifier, but no complete identifier.
  static func miss(_ number: Int) -> String {
    // In identifiers, a slash follows the number. This text has a dot there, so it contains no whole identifier.
    "\(prefix(number))item/\(String(number * 31, radix: 36)).".padded(to: textLength, with: "q")
  }

  private static func prefix(_ number: Int) -> String {
    let site = Int(mixed(UInt64(number) ^ 0x5EED) % UInt64(prefixCount))
    return
      "https://site\(site).example.com/\(["articles", "photos", "users/profile", "d", "open"][site % 5])/"
  }

  private static func uuid(_ number: Int) -> String {
    let digits = [mixed(UInt64(number) ^ 0xA), mixed(UInt64(number) ^ 0xB)].map { part in
      let text = String(part, radix: 16)
      return String(repeating: "0", count: 16 - text.utf8.count) + text
    }.joined()
    var uuid = ""
    for (place, digit) in digits.enumerated() {
      if [8, 12, 16, 20].contains(place) { uuid += "-" }
      uuid.append(digit)
    }
    return uuid
  }

  /// Returns a pseudorandom number that depends only on the seed, by the algorithm SplitMix64.
  private static func mixed(_ seed: UInt64) -> UInt64 {
    var value = (seed &+ 1) &* 0x9E37_79B9_7F4A_7C15
    value = (value ^ value >> 30) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ value >> 27) &* 0x94D0_49BB_1331_11EB
    return value ^ value >> 31
  }
}

extension String {
  /// Returns the text, with filler at the end if the text has less than `length` bytes.
  func padded(to length: Int, with filler: Character = "x") -> String {
    self + String(repeating: filler, count: max(0, length - utf8.count))
  }
}
