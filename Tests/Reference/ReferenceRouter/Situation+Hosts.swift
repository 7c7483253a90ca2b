/// An application that is asked alone, before all others.
struct Turn {
  var applicationId: String
  var because: ReferenceRouter.Because
  /// The claims that give it this turn.
  var hostClaims: Set<String> = []
}

extension Situation {
  /// The turns before the user's default; one application may have several.
  ///
  /// First those that the user chose for the sender and for the host, then those that claim the host, the closest claim
  /// first.
  var turns: [Turn] { senderTurn + hostTurns }

  /// The application that the user chose for what the sender's application sends.
  private var senderTurn: [Turn] {
    guard case .url = event.content, let sender = event.sender else { return [] }
    let choices = scenario.senderChoices.filter { $0.sender == sender }
    // Of a file the closest type, then the scheme.
    let types = kinds.indices.flatMap { distance in
      names(ofTypeAt: distance).flatMap { name in choices.filter { $0.subject == .mimeType(name) } }
    }
    let schemes = choices.filter { $0.subject == .scheme(scheme ?? "") }
    let known = (types + schemes).filter { choice in
      applications.contains { $0.id == choice.applicationId }
    }
    return known.prefix(1).map { Turn(applicationId: $0.applicationId, because: .userSender) }
  }

  private var hostTurns: [Turn] {
    guard case .url(let url) = event.content, let address = Address(url: url) else { return [] }
    let present = inOrder(applications.filter { !$0.isForNamedEventsOnly }, of: [scenario.preferences.others])
    let chosen = closest(scenario.hostChoices.keys.map { $0 }, to: address).compactMap { claim in
      applications.first { $0.id == scenario.hostChoices[claim] }
    }
    let claiming: [(claim: Closeness, place: Int, application: Scenario.Application)] =
      present.enumerated().compactMap { place, application in
        closestTrustedClaim(of: application, to: address).map { (Closeness($0), place, application) }
      }
    let sorted = claiming.sorted { left, right in
      left.claim == right.claim ? left.place < right.place : left.claim > right.claim
    }
    return chosen.prefix(1).map { Turn(applicationId: $0.id, because: .userHost) }
      + sorted.map { claim in
        let equals = (claim.application.claims?.hosts ?? []).filter { host in
          address.isCovered(by: host) && Closeness(host) == claim.claim
        }
        return Turn(applicationId: claim.application.id, because: .hostClaim, hostClaims: Set(equals))
      }
  }

  private func closestTrustedClaim(of application: Scenario.Application, to address: Address) -> String? {
    if case .file(isTrusted: false) = application.source { return nil }
    return closest(application.claims?.hosts ?? [], to: address).first
  }

  private func closest(_ claims: [String], to address: Address) -> [String] {
    claims.filter(address.isCovered).sorted { Closeness($0) > Closeness($1) }
  }
}

private typealias Bytes = [UInt8]

extension Bytes {
  fileprivate init(_ string: String) { self = Array(string.utf8) }
}

/// What a claim is compared with.
private struct Address {
  var host: Bytes
  var path: Bytes

  /// Nil for a URL that is not of the web, or that has no host.
  init?(url: String) {
    let parts = Bytes(url).split(separator: UInt8(ascii: ":"), maxSplits: 1).map(Bytes.init)
    guard ["http", "https"].map(Bytes.init).contains(lowercased(parts[0])), parts.count == 2,
      parts[1].starts(with: "//".utf8)
    else { return nil }
    let rest = parts[1].dropFirst(2)
    let end = rest.firstIndex { "/\\?#".utf8.contains($0) } ?? rest.endIndex
    let authority = rest[..<end].split(separator: UInt8(ascii: "@"), omittingEmptySubsequences: false)
    var host = lowercased(Bytes(authority.last!))
    let digits = host.reversed().prefix { "0123456789".utf8.contains($0) }.count
    if host.dropLast(digits).last == UInt8(ascii: ":") { host.removeLast(digits + 1) }
    if host.isEmpty { return nil }
    self.host = host
    path = Bytes(rest[end...].prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") })
  }

  func isCovered(by claim: String) -> Bool {
    let claim = Closeness(claim)
    let hostIsCovered =
      claim.isExact ? host == claim.host : host.count > claim.host.count && host.hasSuffix(claim.host)
    return hostIsCovered
      && (claim.path.isEmpty || path == claim.path || path.starts(with: claim.path + "/".utf8))
  }
}

/// A claim in its parts, of two that cover a URL the closer one is the greater.
private struct Closeness: Comparable {
  var isExact: Bool
  /// Without the `*`, with the `.` after it.
  var host: Bytes
  var path: Bytes

  init(_ claim: String) {
    let slash = claim.utf8.firstIndex(of: UInt8(ascii: "/")) ?? claim.utf8.endIndex
    host = lowercased(Bytes(claim.utf8[..<slash]))
    isExact = host.first != UInt8(ascii: "*")
    if !isExact { host.removeFirst() }
    path = Bytes(claim.utf8[slash...])
    while path.last == UInt8(ascii: "/") { path.removeLast() }
  }

  static func < (left: Closeness, right: Closeness) -> Bool {
    if left.isExact != right.isExact { return right.isExact }
    if left.host.count != right.host.count { return left.host.count < right.host.count }
    return left.path.count < right.path.count
  }
}

extension Bytes {
  fileprivate func hasSuffix(_ suffix: Bytes) -> Bool { reversed().starts(with: suffix.reversed()) }
}

private func lowercased(_ bytes: Bytes) -> Bytes {
  bytes.map { (0x41...0x5A).contains($0) ? $0 + 0x20 : $0 }
}
