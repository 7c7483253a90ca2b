import DesktopEntries
package import SystemPackage

/// The result of reading a path.
package enum FileContents {
  /// There is no file at the path, or only a broken symbolic link.
  case missing
  /// The path leads to `/dev/null`.
  ///
  /// Users link a file to `/dev/null` to hide the files of the same name in less important directories.
  case nullDevice
  /// The bytes of a file, and its status.
  case file([UInt8], Stat)
  /// The file cannot be read; `reason` says why.
  case unreadable(reason: String)

  /// Reads a file.
  ///
  /// A file larger than ``DesktopEntryFile/maximumSize`` is cut to one byte more than this size. The caller then sees
  /// that the file is too large. Only regular files are opened, because opening a pipe could block, and opening a
  /// device could have an effect on the device.
  ///
  /// - Parameters:
  ///   - path: The path of the file.
  ///   - isRegular: Whether the directory listing reports a regular file. If so, a system call is saved.
  /// - Returns: The result.
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
      // Another file may have replaced the file since its type was read, so the type of the opened file is checked.
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

  /// Returns the text of a short file in `/proc`; nil if the file cannot be read.
  static func text(at path: String) -> String? {
    guard case .file(let bytes, _) = read(path) else { return nil }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The device number of `/dev/null`: major 1, minor 3 (Documentation/admin-guide/devices.txt in Linux).
  private static var nullDeviceNumber: CInterop.DeviceID { 0x103 }

  private static func bytes(of file: FileDescriptor, size: Int) throws -> [UInt8] {
    let most = DesktopEntryFile.maximumSize + 1
    var bytes: [UInt8] = []
    // Files in `/proc` report the size 0, so they are read until the end. Other files are read until their size is
    // reached, which saves a last call of `read`.
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
