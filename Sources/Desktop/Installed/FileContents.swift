import DesktopEntries
package import SystemPackage

/// What is at a path where a file is looked for.
package enum FileContents {
  /// Nothing, or a link to nothing.
  case missing
  /// The null device, which stands for a file that is not to be there.
  case nullDevice
  /// A file, and what the system says of it.
  case file([UInt8], Stat)
  /// Something that is not read, and why.
  case unreadable(reason: String)

  /// Reads a file, of one that is too large one byte more than the most that a desktop entry has.
  ///
  /// Only regular files are opened: to open another may block, or make a device do something.
  ///
  /// - Parameters:
  ///   - path: Where it is looked for.
  ///   - isRegular: Whether its directory says that it is a regular file, which saves asking.
  /// - Returns: What is there.
  package static func read(_ path: String, isRegular: Bool = false) -> FileContents {
    let path = FilePath(path)
    do {
      if !isRegular {
        let status = try Stat(path)
        if status.type == .characterSpecial, status.specialDeviceID.rawValue == Self.nullDeviceNumber {
          return .nullDevice
        }
        guard status.type == .regular else { return .unreadable(reason: "it is not a regular file") }
      }
      // Another may have taken its place meanwhile.
      let file = try FileDescriptor.open(path, .readOnly, options: [.nonBlocking, .closeOnExec])
      return try file.closeAfter {
        let status = try file.stat()
        guard status.type == .regular else { return .unreadable(reason: "it is not a regular file") }
        return .file(try bytes(of: file, size: Int(status.size)), status)
      }
    } catch Errno.noSuchFileOrDirectory, Errno.notDirectory {
      return .missing
    } catch {
      return .unreadable(reason: "\(error)")
    }
  }

  /// A short file of the kernel's, or nil.
  static func text(at path: String) -> String? {
    guard case .file(let bytes, _) = read(path) else { return nil }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// 1, 3 (Documentation/admin-guide/devices.txt in Linux).
  private static var nullDeviceNumber: CInterop.DeviceID { 0x103 }

  private static func bytes(of file: FileDescriptor, size: Int) throws -> [UInt8] {
    let most = DesktopEntryFile.maximumSize + 1
    var bytes: [UInt8] = []
    // Files of the kernel have no size; of others it saves asking whether there is more.
    var room = min(max(size + 1, 4096), most)
    while bytes.count < most, size == 0 || bytes.count != size {
      let part = try unsafe [UInt8](unsafeUninitializedCapacity: room) { buffer, count in
        count = try unsafe file.read(into: UnsafeMutableRawBufferPointer(buffer))
      }
      if part.isEmpty { break }
      if bytes.isEmpty { bytes = part } else { bytes += part }
      room = min(64 << 10, most - bytes.count)
    }
    return bytes
  }
}
