import Glibc
import SystemPackage

/// The users whose entries may claim hosts; other entries may come from an unpacked archive by accident.
package struct FileOwners: Hashable, Sendable {
  private let users: Set<UInt32>

  package init(_ users: Set<UInt32>) { self.users = users }

  /// Root, or the overflow user if this process sees root as that user.
  ///
  /// Some user namespaces have no id for root, for example those of user services with `PrivateUsers=`. The files of
  /// root then seem to belong to the overflow user, like those of all users without an id (user_namespaces(7)).
  package static var root: FileOwners {
    let map = FileContents.text(at: "/proc/self/uid_map") ?? ""
    let overflow = FileContents.text(at: "/proc/sys/kernel/overflowuid") ?? ""
    return FileOwners(seenThrough: map, overflow: UInt32(overflow.prefix { $0.isNumber }))
  }

  /// `map` is the text of `/proc/self/uid_map`, whose lines begin with the first id of a range in this namespace.
  init(seenThrough map: String, overflow: UInt32?) {
    let isMapped = map.split(separator: "\n").contains { $0.split(separator: " ").first == "0" }
    users = isMapped || map.isEmpty ? [0] : overflow.map { [$0] } ?? []
  }

  /// The group can have write access, because a user's files are often writable for the user's private group.
  func keep(_ status: Stat) -> Bool {
    (users.contains(status.userID.rawValue) || status.userID.rawValue == geteuid())
      && !status.permissions.contains(.otherWrite)
  }

  func own(_ status: Stat) -> Bool {
    users.contains(status.userID.rawValue)
      && status.permissions.isDisjoint(with: [.groupWrite, .otherWrite])
  }
}
