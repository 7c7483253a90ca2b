import SystemPackage

/// The content of a process's files in /proc at the time of reading (proc(5)).
package struct RunningProcess: Equatable, Sendable {
  /// The most bytes that are read from a file.
  ///
  /// The longest path of a control group has 4096 bytes. The text before the path fits into 256 bytes.
  private static let readSize = 4096 + 256

  /// The name of the program, cut by the kernel after 15 bytes; nil if the process has ended or cannot be seen.
  package let name: String?
  /// The control groups of the process, as text (cgroups(7)); nil if the process has ended or cannot be seen.
  ///
  /// Each line names the control group of the process in one hierarchy.
  package let controlGroups: String?

  /// Reads two files of the process in /proc, with six system calls.
  ///
  /// If the process has ended, another process can have the same id by now. The files then describe that other process.
  package init(reading processID: CInt) {
    name = Self.contents(of: "/proc/\(processID)/comm").map { name in
      // The kernel adds one line break at the end. Any other line break belongs to the name.
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

  /// Returns the beginning of a file; nil if the file cannot be read.
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
