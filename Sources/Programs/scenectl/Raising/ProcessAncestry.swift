import SystemPackage

/// A process and all its ancestors, without process 1.
struct ProcessAncestry {
  /// The process itself, its parent, and so on.
  let processIDs: [CInt]

  /// The largest number of processes in the list.
  ///
  /// Without a limit, the search might never end, because new processes can get the ids of ended processes.
  private static let most = 64

  init(of process: CInt) {
    var ids: [CInt] = []
    var next = process
    while next > 1, ids.count < Self.most {
      ids.append(next)
      next = Self.parent(of: next) ?? 0
    }
    processIDs = ids
  }

  /// Returns the parent of a process (proc(5), `/proc/PID/stat`); nil if the process has ended.
  private static func parent(of process: CInt) -> CInt? {
    guard let bytes = Host.contents(of: FilePath("/proc/\(process)/stat")) else { return nil }
    // The name of the program is in parentheses, and may contain any character.
    guard let end = bytes.lastIndex(of: UInt8(ascii: ")")) else { return nil }
    let fields = bytes[end...].split(separator: UInt8(ascii: " "))
    return fields.count > 2 ? CInt(String(decoding: fields[2], as: UTF8.self)) : nil
  }
}
