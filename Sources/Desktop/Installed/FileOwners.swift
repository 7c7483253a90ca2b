import Glibc
import SystemPackage

/// The users whose entries may claim hosts.
///
/// Entries of other users must not claim hosts, because such entries may come from an unpacked archive by accident.
///
/// A file or directory is trusted if only the users of this set can change it.
package struct FileOwners: Hashable, Sendable {
  private let users: Set<UInt32>

  /// Makes a set of trusted users.
  package init(_ users: Set<UInt32>) { self.users = users }

  /// Root, with root's user id in this process's user namespace.
  ///
  /// A user namespace may not map root; an example is the namespace of a user service with `PrivateUsers=`. Root's
  /// files then seem to belong to the overflow user (user_namespaces(7)).
  package static var root: FileOwners {
    let map = FileContents.text(at: "/proc/self/uid_map") ?? ""
    let overflow = FileContents.text(at: "/proc/sys/kernel/overflowuid") ?? ""
    return FileOwners(seenThrough: map, overflow: UInt32(overflow.prefix { $0.isNumber }))
  }

  /// Reads the contents of `uid_map`.
  ///
  /// Each line of `uid_map` describes a range of ids with three numbers: the first id in this namespace, the first id
  /// in the parent namespace, and the length of the range.
  init(seenThrough map: String, overflow: UInt32?) {
    let isMapped = map.split(separator: "\n").contains { $0.split(separator: " ").first == "0" }
    users = isMapped || map.isEmpty ? [0] : overflow.map { [$0] } ?? []
  }

  /// Whether a trusted user or this process's user owns a file that only its owner and its group can change.
  ///
  /// The group may be able to change the file, because a user's files are often writable for the user's private group.
  func keep(_ status: Stat) -> Bool {
    (users.contains(status.userID.rawValue) || status.userID.rawValue == geteuid())
      && !status.permissions.contains(.otherWrite)
  }

  /// Whether a trusted user owns a file or directory that only its owner can change.
  func own(_ status: Stat) -> Bool {
    users.contains(status.userID.rawValue)
      && status.permissions.isDisjoint(with: [.groupWrite, .otherWrite])
  }
}
