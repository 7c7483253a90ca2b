import DesktopEntries
import SceneRouting

extension Linter {
  /// A link goes only to the applications that claim it, and without any only to applications without claims.
  ///
  /// An identifier that shows neither a scheme nor a host nor a file type is not checked.
  func claimedByOthers(_ scene: LintedScene, of application: LintedApplication?) -> [Finding] {
    guard application?.takesPart ?? true else { return [] }
    let own = application?.countingClaims ?? Claims()
    var unreached: [(identifier: String, link: ProbableLink, claimants: [LintedApplication])] = []
    for identifier in scene.preferring {
      guard let link = link(containing: identifier), own.isEmpty || link.isCertain, !covers(own, link)
      else { continue }
      let claimants = (applications + others).filter { $0.takesPart && covers($0.countingClaims, link) }
      if claimants.isEmpty, own.isEmpty { continue }
      unreached.append((identifier, link, claimants))
    }
    guard let first = unreached.first else { return [] }
    let more = unreached.count > 1 ? " and \(unreached.count - 1) more" : ""
    let reason =
      if let claimant = first.claimants.first {
        "'\(claimant.id)' claims them, and '\(scene.applicationID)' does not"
      } else {
        "nobody claims them, and '\(scene.applicationID)' claims others"
      }
    return [
      Finding(
        .claimedByOthers,
        at: scene.place,
        "The scene prefers '\(first.identifier)'\(more), but never gets such links: \(reason).",
        advice: first.link.advice
      )
    ]
  }

  /// The kind of link that probably contains an identifier.
  private struct ProbableLink {
    var scheme: String
    var host: String?
    var path: Substring = ""
    /// Nil if the link names no file.
    var type: String?
    /// False for an identifier such as `example.org`, because a host without `//` can stand anywhere in a link.
    var isCertain = true

    var advice: String {
      let claim =
        if let host { "claim the host '\(host)'" } else if let type {
          "claim the type '\(type)'"
        } else {
          "claim the scheme '\(scheme)'"
        }
      return "Let the scene show the page or file instead of preferring it, or \(claim) with its application."
    }
  }

  private func link(containing identifier: String) -> ProbableLink? {
    if URLSyntax.isAbsolute(identifier) {
      let scheme = identifier.prefix { $0 != ":" }.lowercased()
      let rest = identifier.dropFirst(scheme.count + 1)
      if scheme == "file" { return file(rest.drop { $0 == "/" }) }
      guard scheme == "http" || scheme == "https" else { return ProbableLink(scheme: scheme) }
      return page(rest.drop { $0 == "/" }, scheme: scheme, isCertain: true)
    }
    if identifier.hasPrefix("//") { return page(identifier.dropFirst(2), isCertain: true) }
    if identifier.hasPrefix("/") { return file(identifier.dropFirst()) }
    let labels = identifier.prefix { $0 != "/" }.split(separator: ".", omittingEmptySubsequences: false)
    let isHost =
      labels.count > 1
      && labels.allSatisfy { !$0.isEmpty && $0.allSatisfy { $0.isLetter || $0.isNumber || $0 == "-" } }
      // A name with a known filename extension is a file. Files of Emacs end in '.org', but 'wiki.example.org' is a
      // host.
      && (labels.count > 2 && labels.last == "org"
        || database.type(ofFileNamed: Array(identifier.utf8)) == nil)
    return isHost ? page(identifier[...], isCertain: false) : nil
  }

  private func page(_ text: Substring, scheme: String = "https", isCertain: Bool) -> ProbableLink? {
    let host = text.prefix { !"/?#:".contains($0) }
    guard !host.isEmpty else { return nil }
    let path = text[host.endIndex...].prefix { $0 != "?" && $0 != "#" }
    return ProbableLink(scheme: scheme, host: host.lowercased(), path: path, isCertain: isCertain)
  }

  private func file(_ path: Substring) -> ProbableLink? {
    let name = path.split(separator: "/", omittingEmptySubsequences: false).last ?? ""
    return database.type(ofFileNamed: Array(name.utf8)).map { ProbableLink(scheme: "file", type: $0) }
  }

  private func covers(_ claims: Claims, _ link: ProbableLink) -> Bool {
    claims.schemes.contains { $0.lowercased() == link.scheme }
      || link.type.map { type in claims.mimeTypes.contains { covers($0, type) } } ?? false
      || link.host.map { host in
        claims.hosts.contains { claim in
          let claimed = claim.prefix { $0 != "/" }.lowercased()
          let path = claim.dropFirst(claimed.count)
          let isHost = claimed.hasPrefix("*.") ? host.hasSuffix(claimed.dropFirst()) : host == claimed
          return isHost && link.path.hasPrefix(path)
        }
      } ?? false
  }
}

extension LintedApplication {
  /// Claims of hosts in an entry count only if root alone can change the entry.
  fileprivate var countingClaims: Claims {
    var claims = claims
    if case .file(_, _, isTrusted: false) = declaration.source { claims.hosts = [] }
    return claims
  }
}
