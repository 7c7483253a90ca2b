import RandomNumbers

extension ScenarioGenerator {
  /// Returns the URL in another spelling, which often names the same page or file.
  ///
  /// If `isSame` is false, the end of the URL is changed too. The result then often names another page or file.
  mutating func respelled(_ url: String, isSame: Bool = true) -> String {
    var url = URLParts(url)
    for _ in 0..<random.pick([0, 1, 1, 2, 3]) { respell(&url) }
    if !isSame { url.tail += random.pick(["x", "?", "?x", "/", "%41", "/%2E"]) }
    return url.description
  }

  private mutating func respell(_ url: inout URLParts) {
    switch random.number(in: 1...9) {
    case 1: url.scheme = random.chance(50) ? url.scheme.uppercased() : url.scheme.lowercased()
    case 2:
      url.authority = random.chance(50) ? asciiUppercased(url.authority) : asciiLowercased(url.authority)
    case 3 where !url.authority.isEmpty: url.authority += random.pick([":", ":443", ":80", ":8080"])
    case 4, 5: url.tail = encodedOnce(url.tail)
    case 6: url.authority = encodedOnce(url.authority)
    case 7 where url.tail.hasPrefix("/"):
      url.tail = random.pick(["/.", "/a/..", "/%2e", "/..", "/a/b/../.."]) + url.tail
    case 8 where url.scheme.utf8.count == 4 && url.tail.hasPrefix("/"):
      url.authority = random.pick(["//", "", "//localhost", "//LocalHost", "//BOX", "//box", "//server"])
    case 9 where url.tail.utf8.contains(UInt8(ascii: "#")) && random.chance(50):
      let end = url.tail.utf8.firstIndex(of: UInt8(ascii: "#")) ?? url.tail.endIndex
      url.tail = url.tail[..<end] + random.pick(["", "#", "#/m/2", "#/m/1"])
    default:
      if !url.tail.utf8.contains(UInt8(ascii: "#")) { url.tail += random.pick(["#", "#4711", "#/"]) }
    }
  }

  /// The text with a random scalar percent-encoded.
  ///
  /// If the scalar is a delimiter, the text stays as it is.
  private mutating func encodedOnce(_ text: String) -> String {
    let scalars = Array(text.unicodeScalars)
    guard !scalars.isEmpty else { return text }
    let place = random.number(in: 0...scalars.count - 1)
    guard !"/:?#@%".unicodeScalars.contains(scalars[place]) else { return text }
    let isCapital = random.chance(50)
    let triplets = String(scalars[place]).utf8.map { byte in
      let digits = String(byte, radix: 16, uppercase: isCapital)
      return "%" + (digits.utf8.count == 1 ? "0" : "") + digits
    }
    var result = ""
    result.unicodeScalars += scalars[..<place]
    result += triplets.joined()
    result.unicodeScalars += scalars[(place + 1)...]
    return result
  }
}

/// A URL in three pieces.
private struct URLParts {
  /// The scheme, without the colon.
  var scheme: String
  /// The authority, with the `//`; empty if the URL has no authority.
  var authority: String
  /// Path, query and fragment.
  var tail: String

  init(_ url: String) {
    let scalars = url.unicodeScalars
    let colon = scalars.firstIndex(of: ":") ?? scalars.startIndex
    scheme = String(scalars[..<colon])
    let rest = scalars[colon...].dropFirst()
    guard rest.starts(with: "//".unicodeScalars) else {
      (authority, tail) = ("", String(rest))
      return
    }
    let host = rest.dropFirst(2).prefix { !"/?#".unicodeScalars.contains($0) }
    authority = "//" + String(host)
    tail = String(rest[host.endIndex...])
  }

  var description: String { "\(scheme):\(authority)\(tail)" }
}

private func asciiUppercased(_ string: String) -> String {
  String(decoding: string.utf8.map { (0x61...0x7A).contains($0) ? $0 - 0x20 : $0 }, as: UTF8.self)
}

private func asciiLowercased(_ string: String) -> String {
  String(decoding: string.utf8.map { (0x41...0x5A).contains($0) ? $0 + 0x20 : $0 }, as: UTF8.self)
}
