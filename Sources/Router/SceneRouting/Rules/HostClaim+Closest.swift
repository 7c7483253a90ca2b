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
