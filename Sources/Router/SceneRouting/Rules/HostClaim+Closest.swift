extension HostClaim {
  /// Returns the closest of the claims that cover a URL; nil if no claim covers the URL.
  ///
  /// The claim with the longer host is closer. Of two claims with the same host, the claim with the longer path
  /// is closer.
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
