/// `HOST` or `*.HOST`, and with `/PATH` only the paths at and below it; "Hosts" in the routing contract.
package struct HostClaim: Hashable, Sendable {
  /// In bytes; because of this limit, no URL takes long to compare with claims, however long its host is.
  static let maximumLength = Limits().stringLength

  /// In lower case; begins with `.` if the claim covers only subdomains.
  let host: ArraySlice<UInt8>
  /// With a `/` before each segment and none at the end; empty for all paths.
  let path: ArraySlice<UInt8>

  package init?(_ text: String) {
    guard text.utf8.count <= Self.maximumLength else { return nil }
    let isOnSubdomains = text.utf8.starts(with: "*.".utf8)
    let bytes = text.utf8.dropFirst(isOnSubdomains ? 2 : 0)
    guard !bytes.contains(where: { $0 <= 0x20 || $0 == 0x7F || "*?#".utf8.contains($0) }) else { return nil }

    let name = bytes.prefix { $0 != UInt8(ascii: "/") }
    let isAddress = name.first == UInt8(ascii: "[") && name.last == UInt8(ascii: "]")
    guard !name.contains(where: { "@\\".utf8.contains($0) || $0 == UInt8(ascii: ":") && !isAddress }),
      name.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).allSatisfy({ !$0.isEmpty })
    else { return nil }
    host = ((isOnSubdomains ? [UInt8(ascii: ".")] : []) + name.map(asciiLowercased))[...]

    var path = Array(bytes[name.endIndex...])[...]
    while path.last == UInt8(ascii: "/") { path.removeLast() }
    self.path = path
  }
}

package struct WebAddress {
  // A long host or path is cut to `maximumLength` + 1 bytes, which is still too long to equal that of a claim.
  package let host: ArraySlice<UInt8>
  private let path: ArraySlice<UInt8>

  /// `nil` for a URL with another scheme or without a host.
  package init?(_ url: String) {
    guard let scheme = URLSyntax.scheme(of: url), scheme == "http" || scheme == "https" else { return nil }
    let bytes = url.utf8.span
    var parts = URLParts(bytes)
    // A `\` ends the authority. The path after it counts as empty, so that only claims without a path cover it.
    if let end = parts.authority?.first(where: { bytes[$0] == UInt8(ascii: "\\") }) {
      parts = URLParts(bytes.extracting(..<end))
    }
    guard let host = parts.host, !host.isEmpty else { return nil }
    self.host = url.utf8[host.suffix(HostClaim.maximumLength + 1)].map(asciiLowercased)[...]
    path = Array(url.utf8[parts.path.prefix(HostClaim.maximumLength + 1)])[...]
  }

  /// The URL's own host, then each parent domain with a `.` before it.
  var hosts: [ArraySlice<UInt8>] {
    let parents = host.indices.dropFirst().filter { host[$0] == UInt8(ascii: ".") }.map { host[$0...] }
    return host.first == UInt8(ascii: ".") ? parents : [host] + parents
  }

  var paths: [ArraySlice<UInt8>] {
    [path] + path.indices.reversed().filter { path[$0] == UInt8(ascii: "/") }.map { path[..<$0] }
  }
}

extension HostClaim {
  /// The longer host is closer; with the same host, the longer path.
  ///
  /// Source: "Hosts" in the routing contract.
  package static func closest(to url: String, among claims: [HostClaim]) -> HostClaim? {
    guard let address = WebAddress(url) else { return nil }
    for host in address.hosts {
      for path in address.paths {
        if let claim = claims.first(where: { $0.host == host && $0.path == path }) { return claim }
      }
    }
    return nil
  }
}
