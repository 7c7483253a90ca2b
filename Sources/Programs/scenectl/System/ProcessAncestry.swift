import SystemPackage

/// A process and all its ancestors, without process 1.
struct ProcessAncestry {
  let processIDs: [CInt]

  /// New processes can get the ids of ended ones, so the search might never end.
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

  /// proc(5), `/proc/PID/stat`; nil if the process has ended.
  private static func parent(of process: CInt) -> CInt? {
    guard let bytes = Host.contents(of: FilePath("/proc/\(process)/stat")) else { return nil }
    // The name of the program, in parentheses, may contain any character.
    guard let end = bytes.lastIndex(of: UInt8(ascii: ")")) else { return nil }
    let fields = bytes[end...].split(separator: UInt8(ascii: " "))
    return fields.count > 2 ? CInt(String(decoding: fields[2], as: UTF8.self)) : nil
  }
}
