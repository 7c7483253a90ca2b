import SystemPackage

/// The user namespace of this process (user_namespaces(7)).
package enum UserNamespace {
  /// The user that all have who have none in the namespace, unless an administrator has changed it.
  private static let overflowID: UInt32 = 65534

  /// The user as which root of the parent namespace is seen here: 0, unless the namespace leaves it out, as
  /// `PrivateUsers=` does for a user's own services.
  ///
  /// If it does, other users look the same, and only the mode of a socket tells them apart.
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

  /// The same, from the text of the map: lines of the first user here, the first user there, and their number.
  package static func rootID(inMap text: String) -> UInt32 {
    for line in text.split(separator: "\n") {
      let numbers = line.split(separator: " ").compactMap { UInt32($0) }
      if numbers.count == 3, numbers[1] == 0, numbers[2] > 0 { return numbers[0] }
    }
    return text.isEmpty ? 0 : overflowID
  }
}
