import SystemPackage

/// The content of a process's files in /proc (proc(5)), read with six system calls.
package struct RunningProcess: Equatable, Sendable {
  /// The longest path of a control group has 4096 bytes; the text before it fits into 256.
  private static let readSize = 4096 + 256

  /// Cut by the kernel after 15 bytes; nil if the process has ended or cannot be seen.
  package let name: String?
  package let controlGroups: String?

  /// If the process has ended, another one can have the same id.
  package init(reading processID: CInt) {
    name = Self.contents(of: "/proc/\(processID)/comm").map { name in
      // The kernel adds one line break at the end. Any other belongs to the name.
      String(decoding: name.last == UInt8(ascii: "\n") ? name.dropLast() : name[...], as: UTF8.self)
    }
    controlGroups = Self.contents(of: "/proc/\(processID)/cgroup").map { String(decoding: $0, as: UTF8.self) }
  }

  /// The process that started a process, or that took it over when the starter ended; nil if it cannot be seen.
  package static func parent(of processID: CInt) -> CInt? {
    guard let stat = contents(of: "/proc/\(processID)/stat"),
      let end = stat.lastIndex(of: UInt8(ascii: ")"))
    else { return nil }
    // After the name in parentheses come the state and the parent.
    let fields = stat[end...].split(separator: UInt8(ascii: " "), maxSplits: 3)
    return fields.count > 2 ? CInt(String(decoding: fields[2], as: UTF8.self)) : nil
  }

  /// The first arguments of a process, with the name of the program; empty if they cannot be seen.
  package static func arguments(of processID: CInt) -> [String] {
    (contents(of: "/proc/\(processID)/cmdline") ?? []).split(separator: 0, omittingEmptySubsequences: false)
      .map { String(decoding: $0, as: UTF8.self) }
  }

  private static func contents(of path: String) -> [UInt8]? {
    guard let file = unsafe try? FileDescriptor.open(path, .readOnly, options: .closeOnExec) else {
      return nil
    }
    defer { try? file.close() }
    return unsafe try? [UInt8](unsafeUninitializedCapacity: readSize) { buffer, count in
      count = unsafe try file.read(into: UnsafeMutableRawBufferPointer(buffer))
    }
  }
}
