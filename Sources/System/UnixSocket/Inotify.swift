import Glibc
package import SystemPackage

package struct Inotify: ~Copyable, Sendable {
  package let descriptor: OwnedDescriptor

  package struct Watch: Hashable, Sendable {
    fileprivate let rawValue: CInt
  }

  package struct Change: Equatable, Sendable {
    /// Nil if the kernel lost changes, after which anything may have changed.
    package let watch: Watch?
    /// Nil if the directory itself has changed or is not watched any more.
    package let name: String?
  }

  private static let mask = UInt32(
    IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_CLOSE_WRITE | IN_ATTRIB | IN_DELETE_SELF
      | IN_MOVE_SELF | IN_ONLYDIR
  )

  package init() throws(SocketError) {
    let flags = CInt(IN_NONBLOCK | IN_CLOEXEC)
    descriptor = OwnedDescriptor(try systemCall { inotify_init1(flags) }.get("inotify_init1"))
  }

  /// Follows links; fails with `Errno.noSpace` if the user may not watch more directories.
  package borrowing func watch(_ path: String) -> Result<Watch, Errno> {
    systemCall { unsafe inotify_add_watch(descriptor.rawValue, path, Self.mask) }.map(Watch.init)
  }

  package borrowing func remove(_ watch: Watch) {
    // Fails if the directory was removed, because the kernel has then already ended the watch.
    _ = inotify_rm_watch(descriptor.rawValue, watch.rawValue)
  }

  /// Takes out the oldest changes without waiting, maybe not all.
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
