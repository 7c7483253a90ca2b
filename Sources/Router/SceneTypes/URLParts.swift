/// The parts of a URL, as ranges of its bytes.
///
/// A text without a scheme has parts too: it is a relative reference. Source: RFC 3986, section 3.
package struct URLParts {
  /// Without its `:`; empty if the text is no URL.
  package let scheme: Range<Int>
  /// Without its `@`, which is the last one before the path; `nil` if there is none.
  package let user: Range<Int>?
  /// `nil` if no `//` comes before it.
  package let host: Range<Int>?
  /// The digits after the last `:` of the host; `nil` if that `:` is missing, or if other characters follow it.
  package let port: Range<Int>?
  package let path: Range<Int>
  /// With its `?`; empty if there is none.
  package let query: Range<Int>
  /// With its `#`; empty if there is none.
  package let fragment: Range<Int>

  /// From the user to the port, without the `//` before it.
  package var authority: Range<Int>? { host.map { (user ?? $0).lowerBound..<path.lowerBound } }

  package init(_ url: Span<UInt8>) {
    func end(of range: Range<Int>, at byte: UInt8) -> Int {
      var index = range.lowerBound
      while index < range.upperBound, url[index] != byte { index += 1 }
      return index
    }
    let length = Self.schemeLength(url)
    scheme = 0..<(length ?? 0)
    var start = length.map { $0 + 1 } ?? 0
    let hash = end(of: start..<url.count, at: UInt8(ascii: "#"))
    let mark = end(of: start..<hash, at: UInt8(ascii: "?"))
    (query, fragment) = (mark..<hash, hash..<url.count)
    guard mark - start >= 2, url[start] == UInt8(ascii: "/"), url[start + 1] == UInt8(ascii: "/") else {
      (user, host, port, path) = (nil, nil, nil, start..<mark)
      return
    }
    start += 2
    let slash = end(of: start..<mark, at: UInt8(ascii: "/"))
    path = slash..<mark
    var first = slash
    while first > start, url[first - 1] != UInt8(ascii: "@") { first -= 1 }
    user = first > start ? start..<first - 1 : nil
    var digits = slash
    while digits > first, UInt8(ascii: "0")...UInt8(ascii: "9") ~= url[digits - 1] { digits -= 1 }
    let hasPort = digits > first && url[digits - 1] == UInt8(ascii: ":")
    host = first..<(hasPort ? digits - 1 : slash)
    port = hasPort ? digits..<slash : nil
  }

  /// `nil` if the text does not begin with a scheme and a `:`; "A URL is" in the routing contract.
  @inlinable
  package static func schemeLength(_ url: Span<UInt8>) -> Int? {
    for index in url.indices {
      let byte = url[index]
      // Nearly all characters of a scheme are letters.
      if (byte | 0x20) &- UInt8(ascii: "a") < 26 { continue }
      guard index > 0 else { return nil }
      switch byte {
      case UInt8(ascii: ":"): return index
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "."), UInt8(ascii: "-"):
        break
      default: return nil
      }
    }
    return nil
  }
}

extension String.UTF8View {
  package subscript(range: Range<Int>) -> SubSequence { prefix(range.upperBound).dropFirst(range.lowerBound) }
}
