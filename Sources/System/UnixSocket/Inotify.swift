import Glibc
package import SystemPackage

/// Reports changes in directories (inotify(7)).
package struct Inotify: ~Copyable, Sendable {
  /// The descriptor, readable while changes wait.
  package let descriptor: OwnedDescriptor

  /// Identifies a watched directory.
  ///
  /// Watching the same directory again gives an equal `Watch`.
  package struct Watch: Hashable, Sendable {
    fileprivate let rawValue: CInt
  }

  /// A change in a watched directory.
  package struct Change: Equatable, Sendable {
    /// The directory; nil if the kernel lost changes.
    ///
    /// After a loss, anything may have changed.
    package let watch: Watch?
    /// The name of the changed entry; nil if the directory itself has changed or is not watched any more.
    package let name: String?
  }

  /// The kinds of changes that are reported.
  ///
  /// - An entry of the directory appears, disappears, gets other attributes, or is closed after writing.
  /// - The directory itself is moved, is deleted, or gets other attributes.
  private static let mask = UInt32(
    IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_CLOSE_WRITE | IN_ATTRIB | IN_DELETE_SELF
      | IN_MOVE_SELF | IN_ONLYDIR
  )

  /// Makes an instance that does not watch anything yet.
  package init() throws(SocketError) {
    let flags = CInt(IN_NONBLOCK | IN_CLOEXEC)
    descriptor = OwnedDescriptor(try systemCall { inotify_init1(flags) }.get("inotify_init1"))
  }

  /// Watches the directory at a path.
  ///
  /// Links are followed.
  ///
  /// Fails with `Errno.noSpace` if the user may not watch more directories.
  package borrowing func watch(_ path: String) -> Result<Watch, Errno> {
    systemCall { unsafe inotify_add_watch(descriptor.rawValue, path, Self.mask) }.map(Watch.init)
  }

  /// Stops watching a directory.
  package borrowing func remove(_ watch: Watch) {
    // The result is not checked. The call fails if the directory was removed, because the kernel has then already ended
    // the watch.
    _ = inotify_rm_watch(descriptor.rawValue, watch.rawValue)
  }

  /// Takes out waiting changes, the oldest first.
  ///
  /// Does not wait for a change, and may leave later changes in the queue.
  package borrowing func takeChanges() -> [Change] {
    // The kernel keeps the events that do not fit into this buffer.
    var bytes = [UInt8](repeating: 0, count: 16 << 10)
    let read = systemCall { unsafe Glibc.read(descriptor.rawValue, &bytes, bytes.count) }
    guard case .success(let count) = read else { return [] }
    var changes: [Change] = []
    var rest = bytes[..<count]
    let headerSize = MemoryLayout<inotify_event>.size
    while rest.count >= headerSize {
      let event = unsafe rest.withUnsafeBytes { unsafe $0.loadUnaligned(as: inotify_event.self) }
      let name = rest.dropFirst(headerSize).prefix(Int(event.len)).prefix { $0 != 0 }
      changes.append(
        Change(
          watch: event.wd < 0 ? nil : Watch(rawValue: event.wd),
          name: name.isEmpty ? nil : String(decoding: name, as: UTF8.self)
        )
      )
      rest = rest.dropFirst(headerSize + Int(event.len))
    }
    return changes
  }
}
