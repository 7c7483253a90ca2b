/// The names and formats from the freedesktop drafts "XDG Intents", about programs that open links to certain hosts.
///
/// An entry with `Implements=org.freedesktop.UriHandler;` has a group `org.freedesktop.UriHandler`. The keys `Supports`
/// and `Patterns` of this group list the hosts. In the file `intentapps.list`, a group with the same name has the
/// user's choices. The drafts can still change.
package enum UriHandler {
  /// The name of the interface in `Implements`, and of the groups in desktop entries and in `intentapps.list`.
  static let name = "org.freedesktop.UriHandler"

  /// The possible names of the file of choices, in the order of reading.
  ///
  /// The draft has the first name; KService reads the second name.
  package static let fileNames = ["intentapps.list", "intentapp.list"]

  /// Returns the hosts that an entry claims, each as `HOST` or `HOST/PATH`.
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

  /// Whether a text is `HOST` or `HOST/PATH` ("Hosts" in the routing contract).
  package static func isHostClaim(_ text: String) -> Bool {
    // The check compares bytes. A comparison of characters would overlook a `/` before a combining mark, because Swift
    // joins the two into one character.
    let host = text.utf8.prefix { $0 != UInt8(ascii: "/") }
    let path = text.utf8[host.endIndex...]
    let name = host.starts(with: "*.".utf8) ? host.dropFirst(2) : host
    let labels = name.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    return labels.allSatisfy { !$0.isEmpty } && !name.contains { "*:@[]".utf8.contains($0) }
      && !path.contains(UInt8(ascii: "*"))
      && text.utf8.allSatisfy { 0x20 < $0 && $0 != 0x7F && !"?#\\".utf8.contains($0) }
  }
}

/// The applications that the user chose for hosts: `intentapps.list`.
package struct HostChoices: Hashable, Sendable {
  /// A chosen application, and the place of the choice in the files.
  package struct Choice: Hashable, Sendable {
    /// The desktop id of the application.
    package let id: String
    /// The index of the file among the files that were read.
    package let file: Int
    /// The number of the choice's line in the file, from 1.
    package let line: Int
  }

  /// The choices for each `HOST` or `HOST/PATH`, in the order of preference; the host is in lower case.
  package private(set) var choices: [String: [Choice]] = [:]

  /// The desktop ids for each `HOST` or `HOST/PATH`, in the order of preference.
  package var applications: [String: [String]] { choices.mapValues { $0.map(\.id) } }

  /// Makes an empty set of choices.
  package init() {}

  /// Reads files, the most important file first.
  ///
  /// - Returns: The choices, and the complaints about each file.
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
