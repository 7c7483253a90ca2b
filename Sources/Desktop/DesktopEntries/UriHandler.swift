/// Source: the freedesktop drafts "XDG Intents", which can still change.
///
/// An entry with `Implements=org.freedesktop.UriHandler;` has a group of this name that lists hosts. A group of the
/// same name in `intentapps.list` has the user's choices.
package enum UriHandler {
  static let name = "org.freedesktop.UriHandler"

  /// In the order of reading: the name in the draft, and the name that KService reads.
  package static let fileNames = ["intentapps.list", "intentapp.list"]

  static func hosts(claimedBy main: inout GroupReader) -> [String] {
    let isImplemented = main.strings("Implements")?.contains(name) == true
    guard let group = main.file.group(name) else { return [] }
    var reader = GroupReader(main.file, group: group)
    defer { main.complaints += reader.complaints }
    guard isImplemented else {
      let line = reader.line
      reader.complaints.warn(
        line,
        "Group '\(name)' is ignored; add 'Implements=\(name);' to '\(main.name)'."
      )
      return []
    }
    var hosts: [String] = []
    for host in reader.strings("Supports") ?? [] {
      guard isHostClaim(host), !host.utf8.contains(UInt8(ascii: "/")) else {
        reader.warn("Supports", "'\(host)' in 'Supports' is ignored; write only a host.")
        continue
      }
      hosts.append(host)
    }
    for pattern in reader.strings("Patterns") ?? [] {
      guard let host = host(ofPattern: pattern) else {
        reader.warn(
          "Patterns",
          "'\(pattern)' in 'Patterns' is ignored; write 'https://HOST/*' or 'https://HOST/PATH/*'."
        )
        continue
      }
      hosts.append(host)
    }
    hosts.removeRepeated()
    return hosts
  }

  private static func host(ofPattern pattern: String) -> String? {
    let prefix = "https://"
    guard pattern.hasPrefix(prefix), pattern.hasSuffix("/*") else { return nil }
    let claim = String(pattern.dropFirst(prefix.count).dropLast(2))
    return isHostClaim(claim) ? claim : nil
  }

  /// `HOST` or `HOST/PATH` ("Hosts" in the routing contract).
  package static func isHostClaim(_ text: String) -> Bool {
    // A comparison of characters would overlook a `/` before a combining mark.
    let host = text.utf8.prefix { $0 != UInt8(ascii: "/") }
    let path = text.utf8[host.endIndex...]
    let name = host.starts(with: "*.".utf8) ? host.dropFirst(2) : host
    let labels = name.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    return labels.allSatisfy { !$0.isEmpty } && !name.contains { "*:@[]".utf8.contains($0) }
      && !path.contains(UInt8(ascii: "*"))
      && text.utf8.allSatisfy { 0x20 < $0 && $0 != 0x7F && !"?#\\".utf8.contains($0) }
  }
}

package struct HostChoices: Hashable, Sendable {
  package struct Choice: Hashable, Sendable {
    package let id: String
    /// An index of the files that were read.
    package let file: Int
    package let line: Int
  }

  /// By `HOST` or `HOST/PATH`, with the host in lower case; in the order of preference.
  package private(set) var choices: [String: [Choice]] = [:]

  package var applications: [String: [String]] { choices.mapValues { $0.map(\.id) } }

  package init() {}

  /// The most important file comes first.
  package static func read(_ files: [[UInt8]]) -> (choices: HostChoices, complaints: [[Complaint]]) {
    var choices = HostChoices()
    var complaints: [[Complaint]] = []
    for (file, bytes) in files.enumerated() {
      let list = AssociationList(bytes, groups: [AssociationGroup.hosts.name])
      complaints.append(list.complaints)
      for item in list.groups[0] {
        let host = item.key.prefix { $0 != "/" }
        let claim = host.lowercased() + item.key[host.endIndex...]
        choices.choices[claim, default: []] += item.ids.map { Choice(id: $0, file: file, line: item.line) }
      }
    }
    for index in choices.choices.values.indices {
      var seen: Set<String> = []
      choices.choices.values[index].removeAll { !seen.insert($0.id).inserted }
    }
    return (choices, complaints)
  }
}
