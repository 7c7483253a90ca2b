/// A URL in the form in which shown URLs and the URLs of events are compared.
///
/// Two URLs are the same when their bytes in this form are equal. The form is pure ASCII and has no fragment.
///
/// Source: "What a scene shows" in the routing contract, and RFC 3986, sections 3 and 6.2.
package struct ShownURL: Hashable, Sendable {
  private(set) var bytes: [UInt8] = []

  /// Makes an empty value, which equals no URL.
  init() {}

  /// Normalises a URL; see ``replace(with:machineName:)``.
  package init(_ url: String, machineName: [UInt8]) {
    if Self.isNormal(url.utf8.span) {
      bytes = Array(url.utf8)
    } else {
      replace(with: url, machineName: machineName)
    }
  }

  /// Whether this URL equals `url`, which must be normalised.
  @inline(__always)
  func equals(_ url: Span<UInt8>) -> Bool {
    bytes.count == url.count && bytes.span.commonCount(with: url) == url.count
  }

  /// Replaces this URL with the normalised form of `url`.
  ///
  /// The memory of the old URL is used again if it is large enough.
  ///
  /// `machineName` is the name of this machine in lower case; it is empty if the name is not known.
  mutating func replace(with url: String, machineName: [UInt8]) {
    bytes.removeAll(keepingCapacity: true)
    let url = url.utf8.span
    let parts = Parts(url)
    append(parts.scheme, of: url, allowed: .scheme, inLowerCase: true)
    bytes.append(UInt8(ascii: ":"))
    let isFile = hasScheme("file:")

    let authority = bytes.count
    var host: Range<Int>?
    if let written = parts.authority {
      bytes.append(contentsOf: "//".utf8)
      host = append(authority: written, of: url, decodesAll: isFile)
    }
    let path = bytes.count
    if parts.path.isEmpty, path > authority + 2 { bytes.append(UInt8(ascii: "/")) }
    append(parts.path, of: url, allowed: .path, decodesAll: isFile)
    removeDotSegments(from: path)
    if isFile, path == authority, bytes.count > path, isSlash(path) {
      bytes.insert(contentsOf: "//".utf8, at: path)
    }
    append(parts.query, of: url, allowed: .query, decodesAll: isFile)
    if isFile, let host,
      bytes[host].elementsEqual("localhost".utf8) || bytes[host].elementsEqual(machineName)
    {
      bytes.removeSubrange(host)
    }
  }

  /// Whether two URLs, which are equal otherwise, have equal fragments after the normalisation, or none.
  static func haveSameFragment(_ left: String, _ right: String) -> Bool {
    guard let left = fragment(of: left), let right = fragment(of: right) else {
      return fragment(of: left) == nil && fragment(of: right) == nil
    }
    return left == right
  }

  /// The normalised fragment of a URL; `nil` if the URL has none.
  private static func fragment(of url: String) -> [UInt8]? {
    let bytes = url.utf8.span
    let start = bytes.index(of: "#", in: 0..<bytes.count) + 1
    guard start <= bytes.count else { return nil }
    var fragment = ShownURL()
    let isFile = URLSyntax.scheme(of: url) == "file"
    fragment.append(start..<bytes.count, of: bytes, allowed: .query, decodesAll: isFile)
    return fragment.bytes
  }

  /// The default port of the scheme at the start of ``bytes``; `nil` if the scheme has none.
  private var defaultPort: String? {
    if hasScheme("http:") || hasScheme("ws:") { return "80" }
    if hasScheme("https:") || hasScheme("wss:") { return "443" }
    return hasScheme("ftp:") ? "21" : nil
  }

  private func hasScheme(_ scheme: String) -> Bool { bytes.starts(with: scheme.utf8) }
}

// MARK: - URLs that need no change

extension ShownURL {
  /// Whether a quick check finds that a URL is already normalised, as most URLs are.
  ///
  /// The check misses some normalised URLs. It takes a fifth of the time of ``replace(with:machineName:)``.
  @inline(__always)
  static func isNormal(_ url: Span<UInt8>) -> Bool {
    guard url.count >= 16, let path = normalPath(url) else { return false }
    return !mayChange(url, from: path) && !url.extracting(path...).hasDotAfterSlash
  }

  /// The index at which the path begins; `nil` if the text before the path might have to be changed.
  ///
  /// That text is accepted only if it is a scheme of lower-case letters, `://`, and a host of lower-case letters,
  /// digits, dots and hyphens.
  private static func normalPath(_ url: Span<UInt8>) -> Int? {
    func isSmallLetter(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "a") < 26 }
    var index = 0
    while unsafe index < url.count && isSmallLetter(url[unchecked: index]) { index &+= 1 }
    guard index > 0, index &+ 3 < url.count, url[index] == UInt8(ascii: ":"), url.hasSlash(at: index &+ 1),
      url.hasSlash(at: index &+ 2)
    else { return nil }
    index &+= 3
    // Normalising can remove the host of a `file:` URL. So a URL whose scheme begins with `f` passes this check only
    // without a host.
    if url[0] == UInt8(ascii: "f"), !url.hasSlash(at: index) { return nil }
    while index < url.count {
      let byte = unsafe url[unchecked: index]
      if !isSmallLetter(byte) {
        if byte == UInt8(ascii: "/") { return index }
        guard UInt8(ascii: "-")...UInt8(ascii: "9") ~= byte else { return nil }
      }
      index &+= 1
    }
    return nil
  }

  /// Whether the part of a URL from `start` on possibly has a `#`, or a character that normalising changes.
  ///
  /// The result can be `true` even if the part has no such character. Dot segments are not looked for.
  ///
  /// The loop compares 16 bytes at a time, so the URL must have at least 16 bytes. The last step takes the last 16
  /// bytes of the URL. It can compare some bytes a second time, or bytes before `start`.
  private static func mayChange(_ url: Span<UInt8>, from start: Int) -> Bool {
    typealias Bytes = SIMD16<UInt8>
    var union = Bytes()
    // In each byte of `passed`, the top bit is 1 until the loop finds a character that normalising can change.
    //
    // Each of the first five lines with `passed &=` looks for one, two or four characters. For these characters, the
    // part before `&+` is 0. The sum is then 0x7F, and its top bit is 0. For every other ASCII character, the part
    // before `&+` is 1 to 0x7F, and the top bit of the sum is 1.
    var passed = Bytes(repeating: 0x80)
    var index = start
    while index < url.count {
      index = min(index, url.count &- 16)
      // This is safe, because the 16 bytes from `index` on lie within the URL.
      let byte = unsafe url.bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: index, as: Bytes.self)
      let small = byte | 0x20
      union |= byte
      passed &= ((byte & 0xFC) ^ 0x20) &+ 0x7F  // space ! " #
      passed &= (byte ^ UInt8(ascii: "%")) &+ 0x7F
      passed &= ((byte | 2) ^ UInt8(ascii: ">")) &+ 0x7F  // < >
      passed &= (byte ^ UInt8(ascii: "^")) &+ 0x7F
      passed &= (byte ^ UInt8(ascii: "`")) &+ 0x7F
      passed &= (small &- UInt8(ascii: "{")) | (small &+ 2)  // [ \ ] { | }
      index &+= 16
    }
    let halves = unsafe unsafeBitCast(passed & ~union, to: SIMD2<UInt64>.self)
    return halves.x & halves.y & 0x8080_8080_8080_8080 != 0x8080_8080_8080_8080
  }
}

// MARK: - Components

extension ShownURL {
  /// The components of a URL.
  private struct Parts {
    let scheme: Range<Int>
    /// The authority without the `//`; `nil` if there is no `//`.
    let authority: Range<Int>?
    let path: Range<Int>
    /// The query with its `?`; empty if there is no `?`.
    let query: Range<Int>

    init(_ url: Span<UInt8>) {
      let end = url.index(of: "#", in: 0..<url.count)
      scheme = 0..<url.index(of: ":", in: 0..<end)
      var start = min(scheme.upperBound + 1, end)
      if start + 1 < end, url.hasSlash(at: start), url.hasSlash(at: start + 1) {
        let slash = url.index(of: "/", in: start + 2..<end)
        authority = start + 2..<url.index(of: "?", in: start + 2..<slash)
        start = authority?.upperBound ?? start
      } else {
        authority = nil
      }
      path = start..<url.index(of: "?", in: start..<end)
      query = path.upperBound..<end
    }
  }

  /// Appends user, host and port, and returns the range of the host in ``bytes``.
  ///
  /// The host begins after the last `@`. The text after the last `:` is the port if it consists of digits.
  private mutating func append(
    authority: Range<Int>,
    of url: Span<UInt8>,
    decodesAll: Bool
  ) -> Range<Int> {
    var host = authority
    if let at = url.lastIndex(of: "@", in: authority) {
      append(authority.lowerBound..<at, of: url, allowed: .user, decodesAll: decodesAll)
      bytes.append(UInt8(ascii: "@"))
      host = at + 1..<authority.upperBound
    }
    var port: Range<Int>?
    if let colon = url.lastIndex(of: ":", in: host) {
      var end = colon + 1
      while end < host.upperBound, ByteSet.digits.contains(url[end]) { end += 1 }
      if end == host.upperBound { (host, port) = (host.lowerBound..<colon, colon + 1..<end) }
    }
    let isLiteral =
      !host.isEmpty && url[host.lowerBound] == UInt8(ascii: "[")
      && url[host.upperBound - 1] == UInt8(ascii: "]")
    let allowed: ByteSet = isLiteral ? .literal : .host
    let start = bytes.count
    append(host, of: url, allowed: allowed, decodesAll: decodesAll, inLowerCase: true)
    let end = bytes.count
    guard let port, !port.isEmpty else { return start..<end }
    bytes.append(UInt8(ascii: ":"))
    append(port, of: url, allowed: .digits)
    if let defaultPort, bytes[(end + 1)...].elementsEqual(defaultPort.utf8) {
      bytes.removeLast(bytes.count - end)
    }
    return start..<end
  }

  /// Appends a component.
  ///
  /// Triplets (such as `%41`) of unreserved characters are decoded. With `decodesAll`, all triplets are decoded except
  /// the triplets of `/` and NUL. Bytes that are not allowed in the component become triplets.
  private mutating func append(
    _ component: Range<Int>,
    of url: Span<UInt8>,
    allowed: ByteSet,
    decodesAll: Bool = false,
    inLowerCase: Bool = false
  ) {
    let text = url.extracting(component)
    let unchanged = inLowerCase ? allowed.withoutCapitals : allowed
    var index = 0
    while index < text.count {
      // Nearly all bytes stay as they are, and are copied together.
      let start = index
      while index < text.count, unsafe unchanged.contains(text[unchecked: index]) { index += 1 }
      bytes.append(copying: text.extracting(start..<index))
      guard index < text.count else { return }
      let byte = text[index]
      index += 1
      if byte == UInt8(ascii: "%"), index + 1 < text.count, let high = hexValue(text[index]),
        let low = hexValue(text[index + 1])
      {
        index += 2
        let decoded = high << 4 | low
        let isDecoded =
          decodesAll ? decoded != UInt8(ascii: "/") && decoded != 0 : ByteSet.unreserved.contains(decoded)
        append(decoded, isTriplet: !isDecoded || !allowed.contains(decoded))
      } else {
        append(inLowerCase ? asciiLowercased(byte) : byte, isTriplet: !allowed.contains(byte))
      }
    }
  }

  private mutating func append(_ byte: UInt8, isTriplet: Bool) {
    guard isTriplet else { return bytes.append(byte) }
    bytes.append(UInt8(ascii: "%"))
    bytes.append(hexDigit(byte >> 4))
    bytes.append(hexDigit(byte & 0xF))
  }
}

// MARK: - Dot segments

extension ShownURL {
  /// Removes the dot segments of the path, which reaches from `start` to the end of ``bytes``.
  ///
  /// A path that begins with `//` only because segments were removed gets a `/.` before it.
  ///
  /// Source: RFC 3986, section 5.2.4.
  private mutating func removeDotSegments(from start: Int) {
    guard mayHaveDotSegment(from: start) else { return }
    let begins = bytes.count > start + 1 && isSlash(start) && isSlash(start + 1)
    var read = start
    var end = start
    // The loop copies each segment that is not a dot segment to the index `end`, together with the `/` before the
    // segment. A `..` moves `end` back, and so drops the segment before it if there is one.
    while read < bytes.count {
      let segment = read + (isSlash(read) ? 1 : 0)
      var next = segment
      while next < bytes.count, !isSlash(next) { next += 1 }
      let dots = dots(segment..<next)
      if dots == 0 || dots > 2 {
        while read < next {
          bytes[end] = bytes[read]
          (end, read) = (end + 1, read + 1)
        }
        continue
      }
      let isRooted = segment > read
      if dots == 2, isRooted {
        while end > start, !isSlash(end - 1) { end -= 1 }
        if end > start { end -= 1 }
      }
      read = next
      if isRooted {
        // If the last segment is a dot segment, the `/` before it stays as the end of the path.
        if next == bytes.count {
          bytes[end] = UInt8(ascii: "/")
          end += 1
        }
      } else if next < bytes.count {
        // No `/` is left before this dot segment. So the `/` after the segment is removed with the segment.
        read += 1
      }
    }
    bytes.removeLast(bytes.count - end)
    if !begins, bytes.count > start + 1, isSlash(start), isSlash(start + 1) {
      bytes.insert(contentsOf: "/.".utf8, at: start)
    }
  }

  /// Whether a segment of the path begins with a dot.
  ///
  /// If no segment begins with a dot, the path has no `.` or `..` to remove.
  private func mayHaveDotSegment(from start: Int) -> Bool {
    let path = bytes.span.extracting(start...)
    return path.hasDotAfterSlash || !path.isEmpty && path[0] == UInt8(ascii: ".")
  }

  private func isSlash(_ index: Int) -> Bool { bytes[index] == UInt8(ascii: "/") }

  /// The number of dots of a segment that is `.` or `..`; 0 for any other segment.
  private func dots(_ segment: Range<Int>) -> Int {
    segment.count <= 2 && segment.allSatisfy { bytes[$0] == UInt8(ascii: ".") } ? segment.count : 0
  }
}

extension [UInt8] {
  fileprivate mutating func append(copying span: Span<UInt8>) {
    unsafe span.withUnsafeBufferPointer { unsafe append(contentsOf: $0) }
  }
}

extension Span<UInt8> {
  /// The index at which a character first occurs in a range; if the range lacks the character, the end of the range.
  fileprivate func index(of character: Unicode.Scalar, in range: Range<Int>) -> Int {
    var index = range.lowerBound
    while index < range.upperBound, self[index] != UInt8(ascii: character) { index += 1 }
    return index
  }

  /// The index at which a character last occurs in a range.
  fileprivate func lastIndex(of character: Unicode.Scalar, in range: Range<Int>) -> Int? {
    var index = range.upperBound
    while index > range.lowerBound, self[index - 1] != UInt8(ascii: character) { index -= 1 }
    return index > range.lowerBound ? index - 1 : nil
  }

  fileprivate func hasSlash(at index: Int) -> Bool { index < count && self[index] == UInt8(ascii: "/") }

  /// Whether a `.` comes directly after a `/`, anywhere in the bytes.
  ///
  /// The loop has no early exit, so that the compiler compares many bytes with one instruction.
  fileprivate var hasDotAfterSlash: Bool {
    guard count > 1 else { return false }
    var nearest: UInt8 = .max
    for index in 1..<count {
      let isSlash = unsafe self[unchecked: index - 1] ^ UInt8(ascii: "/")
      let isDot = unsafe self[unchecked: index] ^ UInt8(ascii: ".")
      nearest = min(nearest, isSlash | isDot)
    }
    return nearest == 0
  }
}
