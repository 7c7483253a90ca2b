import SystemPackage

package enum UserNamespace {
  /// The kernel's default for every user who is not mapped into this namespace.
  private static let overflowID: UInt32 = 65534

  /// The user id that root of the parent namespace has here, usually 0; ``overflowID`` without a mapping.
  ///
  /// A user's service with systemd's `PrivateUsers=` has a namespace that maps only that user. Root and all other users
  /// then have the same id, so the service cannot accept root and refuse the others; only the mode of the socket file
  /// can.
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

  /// `text` is `/proc/self/uid_map`: the first user of a range here, the first in the parent namespace, the number of
  /// users.
  package static func rootID(inMap text: String) -> UInt32 {
    for line in text.split(separator: "\n") {
      let numbers = line.split(separator: " ").compactMap { UInt32($0) }
      if numbers.count == 3, numbers[1] == 0, numbers[2] > 0 { return numbers[0] }
    }
    return text.isEmpty ? 0 : overflowID
  }
}
