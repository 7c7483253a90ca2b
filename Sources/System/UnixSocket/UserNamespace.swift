import SystemPackage

/// The user namespace of this process (user_namespaces(7)).
package enum UserNamespace {
  /// The user that stands for every user without a mapping in the namespace, unless an administrator has changed it.
  private static let overflowID: UInt32 = 65534

  /// Returns the user id that root of the parent namespace has in this namespace: usually 0, or ``overflowID`` if the
  /// namespace has no mapping for root.
  ///
  /// systemd's `PrivateUsers=` maps no root for a user's own services. All other users then have the same id as root.
  /// To let in root alone, set the mode of the socket: it keeps out the other users but not root.
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

  /// Returns the user of ``rootID()`` from the text of the map.
  ///
  /// Each line has the first user of a range in this namespace, the first user of the same range in the parent
  /// namespace, and the number of users.
  package static func rootID(inMap text: String) -> UInt32 {
    for line in text.split(separator: "\n") {
      let numbers = line.split(separator: " ").compactMap { UInt32($0) }
      if numbers.count == 3, numbers[1] == 0, numbers[2] > 0 { return numbers[0] }
    }
    return text.isEmpty ? 0 : overflowID
  }
}
