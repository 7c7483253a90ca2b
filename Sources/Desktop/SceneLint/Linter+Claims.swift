import SceneRouting

extension Linter {
  func unserved(by application: LintedApplication) -> [Finding] {
    guard application.takesPart else { return [] }
    let scenes = application.declaration.scenes
    let open = self.scenes.filter { $0.applicationID == application.id }
    let takesAll =
      scenes.contains {
        $0.isWithoutCondition || $0.kind == .windowGroup && $0.matching?.contains(wildcard) == true
      }
      || open.contains { $0.isWildcard || application.declaration.isSingleScene }
    guard !takesAll else { return [] }
    let claims = application.claims
    let types = scenes.filter { $0.kind == .documentGroup }.flatMap(\.supportedTypes)
    let unserved =
      claims.schemes.map { "\($0):" } + claims.hosts.map { "//\($0)" } + claims.activityTypes
      + claims.mimeTypes.filter { claim in !types.contains { covers($0, claim) } }
    guard !unserved.isEmpty else { return [] }
    let more = unserved.count > 3 ? " and \(unserved.count - 3) more" : ""
    return [
      Finding(
        .unserved,
        at: application.place(),
        "The application claims \(unserved.prefix(3).map { "'\($0)'" }.joined(separator: ", "))\(more), but "
          + "events that match no condition of its scenes go nowhere.",
        advice: "Add a scene without a condition, or claim less."
      )
    ]
  }

  /// If no application claims `https`, links that this application declines usually go nowhere.
  func claimedHosts(of application: LintedApplication) -> [Finding] {
    let hosts = application.claims.hosts
    guard application.takesPart, let first = hosts.first else { return [] }
    var findings: [Finding] = []
    for host in hosts where host.hasPrefix("*.") {
      let domain = String(host.dropFirst(2))
      let name = String(domain.prefix { $0 != "/" })
      guard !hosts.contains(where: { [domain, name].contains($0) }) else { continue }
      findings.append(
        Finding(
          .subdomainsOnly,
          at: application.place(),
          "'\(host)' does not cover '\(name)' itself, although it does in some other programs.",
          advice: "Claim '\(domain)' too."
        )
      )
    }
    let isTaken = (applications + others).contains { other in
      other.takesPart && other.claims.schemes.contains { $0.lowercased() == "https" }
    }
    if !isTaken {
      findings.append(
        Finding(
          .noFallback,
          at: application.place(),
          "No application claims 'https:', so a link to '\(first)' goes nowhere if this application does not take it.",
          advice: "Install a browser, or claim 'https' with an application that takes every link."
        )
      )
    }
    return findings
  }
}
