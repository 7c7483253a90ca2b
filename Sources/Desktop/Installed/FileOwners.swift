import SystemPackage

/// The users whose files nobody unpacks by accident: files and directories that only they can change are trusted.
package struct FileOwners: Hashable, Sendable {
  private let users: Set<UInt32>

  /// Trusts some users.
  package init(_ users: Set<UInt32>) { self.users = users }

  /// Root, under the number by which this process sees it.
  ///
  /// In a user namespace that does not map root, as a user's service with `PrivateUsers=` has it, root's files seem to
  /// belong to the overflow user (user_namespaces(7)).
  package static var root: FileOwners {
    let map = FileContents.text(at: "/proc/self/uid_map") ?? ""
    let overflow = FileContents.text(at: "/proc/sys/kernel/overflowuid") ?? ""
    return FileOwners(seenThrough: map, overflow: UInt32(overflow.prefix { $0.isNumber }))
  }

  /// Each line of `uid_map` has the first of some numbers in this namespace, its number in the one around it, and how
  /// many they are.
  init(seenThrough map: String, overflow: UInt32?) {
    let isMapped = map.split(separator: "\n").contains { $0.split(separator: " ").first == "0" }
    users = isMapped || map.isEmpty ? [0] : overflow.map { [$0] } ?? []
  }

  /// Whether one of them owns a file or directory, and neither group nor others can change it.
  func own(_ status: Stat) -> Bool {
    users.contains(status.userID.rawValue)
      && status.permissions.isDisjoint(with: [.groupWrite, .otherWrite])
  }
}
