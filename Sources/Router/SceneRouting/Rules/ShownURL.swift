/// The form in which URLs are compared byte by byte: pure ASCII, without a fragment.
///
/// Sources: "What a scene shows" in the routing contract, and RFC 3986, sections 3 and 6.2.
package struct ShownURL: Hashable, Sendable {
  private(set) var bytes: [UInt8] = []

  /// Equals no URL.
  init() {}

  package init(_ url: String, machineName: [UInt8]) {
    if Self.isNormal(url.utf8.span) {
      bytes = Array(url.utf8)
    } else {
      replace(with: url, machineName: machineName)
    }
  }

  /// `url` must be normalised.
  @inline(__always)
  func equals(_ url: Span<UInt8>) -> Bool {
    bytes.count == url.count && bytes.span.commonCount(with: url) == url.count
  }

  /// `machineName` is in lower case; empty if not known.
  ///
  /// The memory of the old URL is used again.
  mutating func replace(with url: String, machineName: [UInt8]) {
    bytes.removeAll(keepingCapacity: true)
    let url = url.utf8.span
    let parts = URLParts(url)
    append(parts.scheme, of: url, allowed: .scheme, inLowerCase: true)
    bytes.append(UInt8(ascii: ":"))
    let isFile = hasScheme("file:")

    let authority = bytes.count
    let host = appendAuthority(parts, of: url, decodesAll: isFile)
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

  /// The URLs must be equal otherwise.
  static func haveSameFragment(_ left: String, _ right: String) -> Bool {
    fragment(of: left) == fragment(of: right)
  }

  private static func fragment(of url: String) -> [UInt8]? {
    let range = URLParts(url.utf8.span).fragment
    if range.isEmpty { return nil }
    var fragment = ShownURL()
    let isFile = URLSyntax.scheme(of: url) == "file"
    fragment.append(range.dropFirst(), of: url.utf8.span, allowed: .query, decodesAll: isFile)
    return fragment.bytes
  }

  /// The scheme is that at the start of ``bytes``.
  private var defaultPort: String? {
    if hasScheme("http:") || hasScheme("ws:") { return "80" }
    if hasScheme("https:") || hasScheme("wss:") { return "443" }
    return hasScheme("ftp:") ? "21" : nil
  }

  private func hasScheme(_ scheme: String) -> Bool { bytes.starts(with: scheme.utf8) }
}

// MARK: - URLs that need no change

extension ShownURL {
  /// A quick check that misses some normalised URLs, in a fifth of the time of ``replace(with:machineName:)``.
  @inline(__always)
  static func isNormal(_ url: Span<UInt8>) -> Bool {
    guard url.count >= 16, let path = normalPath(url) else { return false }
    return !mayChange(url, from: path) && !url.extracting(path...).hasDotAfterSlash
  }

  /// `nil` if the text before the path might change; accepted are a scheme of lower-case letters and a plain host.
  private static func normalPath(_ url: Span<UInt8>) -> Int? {
    func isSmallLetter(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "a") < 26 }
    var index = 0
    while unsafe index < url.count && isSmallLetter(url[unchecked: index]) { index &+= 1 }
    guard index > 0, index &+ 3 < url.count, url[index] == UInt8(ascii: ":"), url.hasSlash(at: index &+ 1),
      url.hasSlash(at: index &+ 2)
    else { return nil }
    index &+= 3
    // Normalising can remove the host of a `file:` URL, so a scheme that begins with `f` passes only without a host.
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

  /// The loop compares 16 bytes at a time, so the URL must have at least 16; the last step can begin before `start`.
  ///
  /// The result can be `true` even if nothing has to change. Dot segments are not looked for.
  private static func mayChange(_ url: Span<UInt8>, from start: Int) -> Bool {
    typealias Bytes = SIMD16<UInt8>
    var union = Bytes()
    // The top bit of each byte stays 1 until a character is found that normalising can change. For the characters that
    // one of the first five lines looks for, the part before `&+` is 0, and the top bit of the sum is 0. For every
    // other ASCII character, this bit is 1.
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
  /// Returns the range of the host in ``bytes``.
  private mutating func appendAuthority(
    _ parts: URLParts,
    of url: Span<UInt8>,
    decodesAll: Bool
  ) -> Range<Int>? {
    guard let host = parts.host else { return nil }
    bytes.append(contentsOf: "//".utf8)
    if let user = parts.user {
      append(user, of: url, allowed: .user, decodesAll: decodesAll)
      bytes.append(UInt8(ascii: "@"))
    }
    let isLiteral =
      !host.isEmpty && url[host.lowerBound] == UInt8(ascii: "[")
      && url[host.upperBound - 1] == UInt8(ascii: "]")
    let allowed: ByteSet = isLiteral ? .literal : .host
    let start = bytes.count
    append(host, of: url, allowed: allowed, decodesAll: decodesAll, inLowerCase: true)
    let end = bytes.count
    guard let port = parts.port, !port.isEmpty else { return start..<end }
    bytes.append(UInt8(ascii: ":"))
    append(port, of: url, allowed: .digits)
    if let defaultPort, bytes[(end + 1)...].elementsEqual(defaultPort.utf8) {
      bytes.removeLast(bytes.count - end)
    }
    return start..<end
  }

  /// Triplets (`%41`) of unreserved characters are decoded; with `decodesAll`, all except those of `/` and NUL.
  ///
  /// Bytes that are not allowed in the component become triplets.
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
  /// A path that begins with `//` only because segments were removed gets a `/.` before it.
  ///
  /// Source: RFC 3986, section 5.2.4.
  private mutating func removeDotSegments(from start: Int) {
    guard mayHaveDotSegment(from: start) else { return }
    let begins = bytes.count > start + 1 && isSlash(start) && isSlash(start + 1)
    var read = start
    var end = start
    // Each kept segment moves to `end` with the `/` before it; a `..` moves `end` back over the segment before.
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
        // The `/` before a last dot segment stays as the end of the path.
        if next == bytes.count {
          bytes[end] = UInt8(ascii: "/")
          end += 1
        }
      } else if next < bytes.count {
        // No `/` is left before this dot segment, so the `/` after it goes too.
        read += 1
      }
    }
    bytes.removeLast(bytes.count - end)
    if !begins, bytes.count > start + 1, isSlash(start), isSlash(start + 1) {
      bytes.insert(contentsOf: "/.".utf8, at: start)
    }
  }

  private func mayHaveDotSegment(from start: Int) -> Bool {
    let path = bytes.span.extracting(start...)
    return path.hasDotAfterSlash || !path.isEmpty && path[0] == UInt8(ascii: ".")
  }

  private func isSlash(_ index: Int) -> Bool { bytes[index] == UInt8(ascii: "/") }

  /// 0 for any segment other than `.` or `..`.
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
  fileprivate func hasSlash(at index: Int) -> Bool { index < count && self[index] == UInt8(ascii: "/") }

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
