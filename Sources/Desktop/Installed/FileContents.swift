import DesktopEntries
package import SystemPackage

/// The result of reading a path.
package enum FileContents {
  /// There is no file, or a link to no file.
  case missing
  /// The path leads to the null device, which masks files of less important directories.
  case nullDevice
  /// The bytes of a file, and its status.
  case file([UInt8], Stat)
  /// The path leads to something that cannot be read, for this reason.
  case unreadable(reason: String)

  /// Reads a file.
  ///
  /// A file larger than ``DesktopEntryFile/maximumSize`` is cut to one byte more than this size. The caller then sees
  /// that the file is too large. Only regular files are opened, because opening another file may block or have an
  /// effect on a device.
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
      // The file is checked again, because another file may have taken its place.
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

  /// Returns the text of a short file of the kernel; nil if the file cannot be read.
  static func text(at path: String) -> String? {
    guard case .file(let bytes, _) = read(path) else { return nil }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The device number 1, 3 (Documentation/admin-guide/devices.txt in Linux).
  private static var nullDeviceNumber: CInterop.DeviceID { 0x103 }

  private static func bytes(of file: FileDescriptor, size: Int) throws -> [UInt8] {
    let most = DesktopEntryFile.maximumSize + 1
    var bytes: [UInt8] = []
    // Files of the kernel report the size 0. For other files, the known size saves a last read that only finds the end.
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
