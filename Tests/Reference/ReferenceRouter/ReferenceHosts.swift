/// The rules of the routing contract for claims of hosts.
package enum ReferenceHosts {
  /// Returns the claims that cover a URL, the closest claim first.
  ///
  /// A claim covers a URL that lies within its host and path. ``Closeness`` says which of two claims is closer.
  /// All `claims` have to be well-formed.
  package static func covering(_ url: String, of claims: [String]) -> [String] {
    Address(url: url).map { inOrder(claims, of: $0) } ?? []
  }

  /// The claims that cover an address, the closest first.
  static func inOrder(_ claims: [String], of address: Address) -> [String] {
    claims.filter(address.isCovered).sorted { Closeness($0) > Closeness($1) }
  }
}

/// The part of a URL that a claim is compared with.
struct Address {
  var host: [UInt8]
  var path: [UInt8]

  /// Nil for a URL without a host, and for a URL with a scheme other than `http` and `https`.
  init?(url: String) {
    let parts = Array(url.utf8).split(separator: UInt8(ascii: ":"), maxSplits: 1).map(Array.init)
    guard ["http", "https"].contains(String(decoding: lowercased(parts[0]), as: UTF8.self)), parts.count == 2,
      parts[1].starts(with: "//".utf8)
    else { return nil }
    let rest = parts[1].dropFirst(2)
    let end = rest.firstIndex { "/\\?#".utf8.contains($0) } ?? rest.endIndex
    let authority = rest[..<end].split(separator: UInt8(ascii: "@"), omittingEmptySubsequences: false)
    var host = lowercased(Array(authority.last!))
    let digits = host.reversed().prefix { "0123456789".utf8.contains($0) }.count
    if host.dropLast(digits).last == UInt8(ascii: ":") { host.removeLast(digits + 1) }
    if host.isEmpty { return nil }
    self.host = host
    path = Array(rest[end...].prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") })
  }

  func isCovered(by claim: String) -> Bool {
    let claim = Closeness(claim)
    let hostIsCovered =
      claim.isExact ? host == claim.host : host.count > claim.host.count && host.hasSuffix(claim.host)
    return hostIsCovered
      && (claim.path.isEmpty || path == claim.path || path.starts(with: claim.path + "/".utf8))
  }
}

/// The parts of a claim, which say how close the claim is to a URL that it covers.
///
/// The closer of two claims is the greater one. An exact host is closer than a family such as `*.example.org`. Then a
/// longer host is closer, and then a longer path.
struct Closeness: Comparable {
  var isExact: Bool
  /// The host; a family of hosts is written without its `*`: `.example.org`.
  var host: [UInt8]
  var path: [UInt8]

  init(_ claim: String) {
    let slash = claim.utf8.firstIndex(of: UInt8(ascii: "/")) ?? claim.utf8.endIndex
    host = lowercased(Array(claim.utf8[..<slash]))
    isExact = host.first != UInt8(ascii: "*")
    if !isExact { host.removeFirst() }
    path = Array(claim.utf8[slash...])
    while path.last == UInt8(ascii: "/") { path.removeLast() }
  }

  static func < (left: Closeness, right: Closeness) -> Bool {
    if left.isExact != right.isExact { return right.isExact }
    if left.host.count != right.host.count { return left.host.count < right.host.count }
    return left.path.count < right.path.count
  }
}

extension [UInt8] {
  fileprivate func hasSuffix(_ suffix: [UInt8]) -> Bool { reversed().starts(with: suffix.reversed()) }
}

private func lowercased(_ bytes: [UInt8]) -> [UInt8] {
  bytes.map { (0x41...0x5A).contains($0) ? $0 + 0x20 : $0 }
}
