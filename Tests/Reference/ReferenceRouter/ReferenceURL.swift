/// A URL in the form in which shown URLs are compared.
///
/// `init` makes this form by following the steps of the routing contract.
package struct ReferenceURL: Equatable, Sendable, CustomStringConvertible {
  private typealias Bytes = [UInt8]

  private var scheme: [UInt8]
  /// The authority; nil if the URL has no `//`.
  private var authority: Authority?
  private var path: [UInt8]
  /// The query without the `?`; nil if the URL has no query.
  private var query: [UInt8]?

  private struct Authority: Equatable, Sendable {
    /// The userinfo without the `@`; nil if the URL has no userinfo.
    var userinfo: [UInt8]?
    var host: [UInt8]
    /// The port without the `:`; nil if the URL has no port.
    var port: [UInt8]?
  }

  /// Normalizes a URL; returns nil for a string that is no URL.
  ///
  /// In a `file:` URL, the host `machineName` means this machine.
  package init?(_ string: String, machineName: String? = nil) {
    guard Self.isURL(string) else { return nil }
    (scheme, authority, path, query) = Self.parts(of: Array(string.utf8))
    foldCaseAndDefaults()
    normalizePercentEncoding()
    removeDotSegments()
    removeHostOfFiles(machineName)
  }

  /// The normalized URL.
  package var description: String {
    var bytes = scheme + ":".utf8
    if let authority {
      bytes += "//".utf8
      if let userinfo = authority.userinfo { bytes += userinfo + "@".utf8 }
      bytes += authority.host
      if let port = authority.port { bytes += ":".utf8 + port }
    }
    bytes += path
    if let query { bytes += "?".utf8 + query }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Whether a scene that shows the first URL gets the events with the second URL.
  package static func areSame(_ first: String, _ second: String, machineName: String?) -> Bool {
    guard let first = ReferenceURL(first, machineName: machineName) else { return false }
    return first == ReferenceURL(second, machineName: machineName)
  }

  /// Whether two URLs, which are the same, have the same fragment after normalization, or none.
  package static func haveSameFragment(_ first: String, _ second: String) -> Bool {
    ReferenceURL(first)?.fragment(of: first) == ReferenceURL(second)?.fragment(of: second)
  }

  private func fragment(of string: String) -> [UInt8]? {
    guard let mark = string.utf8.firstIndex(of: UInt8(ascii: "#")) else { return nil }
    return normalized(Array(string.utf8[mark...].dropFirst()), allowing: ":@/?")
  }

  private static func isURL(_ string: String) -> Bool {
    let scalars = Array(string.unicodeScalars)
    guard let colon = scalars.firstIndex(of: ":"), let first = scalars.first, isLetter(first) else {
      return false
    }
    return scalars[..<colon].allSatisfy {
      isLetter($0) || ("0"..."9").contains($0) || "+.-".unicodeScalars.contains($0)
    }
      && scalars.allSatisfy { $0.value > 0x20 && $0.value != 0x7F }
  }

  private static func isLetter(_ scalar: Unicode.Scalar) -> Bool {
    ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar)
  }
}

// MARK: - The parts (RFC 3986, appendix B)

extension ReferenceURL {
  private static func parts(
    of url: [UInt8]
  ) -> (scheme: [UInt8], authority: Authority?, path: [UInt8], query: [UInt8]?) {
    let withoutFragment = Array(url.prefix { $0 != UInt8(ascii: "#") })
    let scheme = Array(withoutFragment.prefix { $0 != UInt8(ascii: ":") })
    var rest = Array(withoutFragment.dropFirst(scheme.count + 1))
    var query: [UInt8]?
    if let mark = rest.firstIndex(of: UInt8(ascii: "?")) {
      query = Array(rest[(mark + 1)...])
      rest = Array(rest[..<mark])
    }
    guard rest.starts(with: "//".utf8) else { return (scheme, nil, rest, query) }
    let authority = Array(rest.dropFirst(2).prefix { $0 != UInt8(ascii: "/") })
    return (scheme, self.authority(authority), Array(rest.dropFirst(2 + authority.count)), query)
  }

  private static func authority(_ bytes: [UInt8]) -> Authority {
    var authority = Authority(userinfo: nil, host: bytes, port: nil)
    if let at = bytes.lastIndex(of: UInt8(ascii: "@")) {
      authority.userinfo = Array(bytes[..<at])
      authority.host = Array(bytes[(at + 1)...])
    }
    if let colon = authority.host.lastIndex(of: UInt8(ascii: ":")) {
      let port = Array(authority.host[(colon + 1)...])
      if port.allSatisfy({ "0123456789".utf8.contains($0) }) {
        authority.host = Array(authority.host[..<colon])
        authority.port = port
      }
    }
    return authority
  }
}

// MARK: - The steps

extension ReferenceURL {
  private var isFile: Bool { scheme == Array("file".utf8) }

  private static let defaultPorts = ["http": "80", "ws": "80", "https": "443", "wss": "443", "ftp": "21"]

  private mutating func foldCaseAndDefaults() {
    scheme = lowercased(scheme)
    guard var authority else { return }
    authority.host = lowercased(authority.host)
    let port = authority.port.map { String(decoding: $0, as: UTF8.self) }
    if port == "" || port != nil && port == Self.defaultPorts[String(decoding: scheme, as: UTF8.self)] {
      authority.port = nil
    }
    if path.isEmpty, authority != Authority(host: []) { path = Array("/".utf8) }
    self.authority = authority
  }

  private mutating func normalizePercentEncoding() {
    if let authority {
      let isBracketed = authority.host.first == UInt8(ascii: "[") && authority.host.last == UInt8(ascii: "]")
      self.authority = Authority(
        userinfo: authority.userinfo.map { normalized($0, allowing: ":") },
        host: normalized(authority.host, allowing: isBracketed ? "[:]" : ""),
        port: authority.port
      )
    }
    path = normalized(path, allowing: ":@/")
    query = query.map { normalized($0, allowing: ":@/?") }
  }

  /// Normalizes the percent-encoding of a component.
  ///
  /// - Unreserved characters are decoded.
  /// - `sub-delims` and the characters of `others` are decoded in a `file:` URL, except for an encoded `/`. In other
  ///   URLs, each of them stays encoded or unencoded, as it is in the component.
  /// - All other characters are percent-encoded.
  private func normalized(_ component: [UInt8], allowing others: String) -> [UInt8] {
    let allowed = Array(("!$&'()*+,;=" + others).utf8)
    var result: [UInt8] = []
    var rest = component[...]
    while let byte = rest.first {
      let triplet = String(decoding: rest.prefix(3), as: UTF8.self)
      if byte == UInt8(ascii: "%"), rest.count >= 3, rest.dropFirst().prefix(2).allSatisfy(isHexDigit),
        let value = UInt8(triplet.dropFirst(), radix: 16)
      {
        rest = rest.dropFirst(3)
        let isDecoded =
          isFile
          ? value != UInt8(ascii: "/") && value != 0 && (isUnreserved(value) || allowed.contains(value))
          : isUnreserved(value)
        result += isDecoded ? [value] : percentEncoded(value)
      } else {
        rest = rest.dropFirst()
        result += isUnreserved(byte) || allowed.contains(byte) ? [byte] : percentEncoded(byte)
      }
    }
    return result
  }

  /// Removes dot segments as in RFC 3986, section 5.2.4.
  ///
  /// The RFC describes an input buffer and an output buffer, and five steps from A to E. The code uses the same names.
  private mutating func removeDotSegments() {
    var input = String(decoding: path, as: UTF8.self)[...]
    var output: [Substring] = []
    while !input.isEmpty {
      if input.hasPrefix("../") {  // A
        input = input.dropFirst(3)
      } else if input.hasPrefix("./") {
        input = input.dropFirst(2)
      } else if input.hasPrefix("/./") {  // B
        input = input.dropFirst(2)
      } else if input == "/." {
        input = "/"
      } else if input.hasPrefix("/../") {  // C
        input = input.dropFirst(3)
        _ = output.popLast()
      } else if input == "/.." {
        input = "/"
        _ = output.popLast()
      } else if input == "." || input == ".." {  // D
        input = ""
      } else {  // E
        let segment = input.prefix(1) + input.dropFirst().prefix { $0 != "/" }
        output.append(segment)
        input = input.dropFirst(segment.count)
      }
    }
    let isRooted = path.starts(with: "//".utf8)
    path = Array(output.joined().utf8)
    if !isRooted, path.starts(with: "//".utf8) { path = "/.".utf8 + path }
  }

  private mutating func removeHostOfFiles(_ machineName: String?) {
    guard isFile else { return }
    if authority == nil, path.first == UInt8(ascii: "/") { authority = Authority(host: []) }
    let names = ["localhost", machineName].compactMap { $0 }.map { lowercased(Array($0.utf8)) }
    if let host = authority?.host, names.contains(host) { authority?.host = [] }
  }
}

private func lowercased(_ bytes: [UInt8]) -> [UInt8] {
  bytes.map { (0x41...0x5A).contains($0) ? $0 + 0x20 : $0 }
}

private func isHexDigit(_ byte: UInt8) -> Bool {
  "0123456789abcdefABCDEF".utf8.contains(byte)
}

private func isUnreserved(_ byte: UInt8) -> Bool {
  "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~".utf8.contains(byte)
}

private func percentEncoded(_ byte: UInt8) -> [UInt8] {
  let digits = Array("0123456789ABCDEF".utf8)
  return [UInt8(ascii: "%"), digits[Int(byte / 16)], digits[Int(byte % 16)]]
}
