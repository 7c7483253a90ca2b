import DesktopEntries
package import SystemPackage

package enum FileContents {
  /// There is no file, or only a broken symbolic link.
  case missing
  /// Users link a file to `/dev/null` to hide the files of the same name in less important directories.
  case nullDevice
  case file([UInt8], Stat)
  case unreadable(reason: String)

  /// One byte more than ``DesktopEntryFile/maximumSize`` is read at most, so that the caller sees that a file is too
  /// large.
  ///
  /// Only regular files are opened, because opening a pipe could block, and opening a device could have an effect on
  /// it. If the directory listing reports a regular file, `isRegular` saves a system call.
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
      // Another file may have replaced the file since its type was read.
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

  static func text(at path: String) -> String? {
    guard case .file(let bytes, _) = read(path) else { return nil }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Major 1, minor 3 (Documentation/admin-guide/devices.txt in Linux).
  private static var nullDeviceNumber: CInterop.DeviceID { 0x103 }

  private static func bytes(of file: FileDescriptor, size: Int) throws -> [UInt8] {
    let most = DesktopEntryFile.maximumSize + 1
    var bytes: [UInt8] = []
    // Files in `/proc` report the size 0 and are read until the end; the size of others saves a last call of `read`.
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
