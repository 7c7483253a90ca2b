import SystemPackage

/// The user namespace of this process (user_namespaces(7)).
package enum UserNamespace {
  /// The user id that the kernel, by default, shows for every user who is not mapped into this namespace.
  private static let overflowID: UInt32 = 65534

  /// Returns the user id that root of the parent namespace has in this namespace.
  ///
  /// The id is usually 0. If the namespace has no mapping for root, the id is ``overflowID``.
  ///
  /// If a user's own service has systemd's `PrivateUsers=`, its namespace maps only that user. Root and all other users
  /// then have the same id, so the service cannot accept root and refuse the other users. Only the mode of the socket
  /// file can keep the other users out.
  package static func rootID() -> UInt32 {
    var buffer = [UInt8](repeating: 0, count: 4096)
    guard let file = unsafe try? FileDescriptor.open("/proc/self/uid_map", .readOnly, options: .closeOnExec)
    else {
      return 0
    }
    defer { try? file.close() }
    guard let count = unsafe try? buffer.withUnsafeMutableBytes({ unsafe try file.read(into: $0) }) else {
      return 0
    }
    return rootID(inMap: String(decoding: buffer.prefix(count), as: UTF8.self))
  }

  /// Returns the user id that root of the parent namespace has in this namespace, according to `text`.
  ///
  /// `text` is the content of `/proc/self/uid_map`. Each line describes a range of users with three numbers:
  /// 1. the range's first user in this namespace
  /// 2. the range's first user in the parent namespace
  /// 3. the number of users
  ///
  /// If no range has the root of the parent namespace, returns ``overflowID``, or 0 if `text` is empty.
  package static func rootID(inMap text: String) -> UInt32 {
    for line in text.split(separator: "\n") {
      let numbers = line.split(separator: " ").compactMap { UInt32($0) }
      if numbers.count == 3, numbers[1] == 0, numbers[2] > 0 { return numbers[0] }
    }
    return text.isEmpty ? 0 : overflowID
  }
}
