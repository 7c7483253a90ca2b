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

  /// The set of trusted users that has only root, or only the overflow user if this process sees root as that user.
  ///
  /// The user id of root is usually 0. Some user namespaces have no id for root, for example those of user services
  /// with `PrivateUsers=`. In such a namespace, root's files seem to belong to the overflow user (user_namespaces(7)).
  /// So the set has the overflow user in such a namespace. The files of all other users without an id seem to belong to
  /// the overflow user too.
  package static var root: FileOwners {
    let map = FileContents.text(at: "/proc/self/uid_map") ?? ""
    let overflow = FileContents.text(at: "/proc/sys/kernel/overflowuid") ?? ""
    return FileOwners(seenThrough: map, overflow: UInt32(overflow.prefix { $0.isNumber }))
  }

  /// Makes the set of trusted users that has only root, only the overflow user, or no user.
  ///
  /// `map` is the text of `/proc/self/uid_map`. Each line describes a range of ids by three numbers: the first id in
  /// this namespace, the first id in the parent namespace, and the length of the range. `overflow` is the id of the
  /// overflow user. If this namespace has no id for root, the set has the overflow user instead of root. If `overflow`
  /// is then nil, the set is empty.
  init(seenThrough map: String, overflow: UInt32?) {
    let isMapped = map.split(separator: "\n").contains { $0.split(separator: " ").first == "0" }
    users = isMapped || map.isEmpty ? [0] : overflow.map { [$0] } ?? []
  }

  /// Whether a file belongs to a trusted user or this process's user, and only owner and group can write to it.
  ///
  /// The group can have write access, because a user's files are often writable for the user's private group.
  func keep(_ status: Stat) -> Bool {
    (users.contains(status.userID.rawValue) || status.userID.rawValue == geteuid())
      && !status.permissions.contains(.otherWrite)
  }

  /// Whether a file or directory belongs to a trusted user, and only this user can write to it.
  func own(_ status: Stat) -> Bool {
    users.contains(status.userID.rawValue)
      && status.permissions.isDisjoint(with: [.groupWrite, .otherWrite])
  }
}
