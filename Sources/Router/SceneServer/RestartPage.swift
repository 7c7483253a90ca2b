import Glibc
import SystemPackage
import UnixSocket

/// The number of scenes and declarations for which the next service waits.
///
/// The number is in a file that outlives the service. The file is a mapped page. So a written number is in the file
/// immediately, and stays there if the process is killed. Before the page is mapped, room for the file is reserved. So
/// a full disk cannot stop a write.
@safe struct RestartPage: ~Copyable {
  /// The size of the file in bytes: the size of a page on most machines.
  ///
  /// Only the first 16 bytes have a meaning.
  static let size = 4096
  /// The first eight bytes: a name, and the version of the file's format.
  private static let mark = UInt64(littleEndian: 0x0100_6465_6e65_6373)

  private let words: UnsafeMutableBufferPointer<UInt64>

  /// Opens the page's file in a directory.
  ///
  /// A missing directory is made, but its parent must exist.
  ///
  /// - Throws: An error if the file cannot be opened or mapped, or if the disk has no room.
  init(in directory: String) throws(StateFileError) {
    // A failure of this call is noticed when the file is opened.
    _ = unsafe mkdir(directory, 0o700)
    let path = Self.path(in: directory)
    let file = try StateFile.open(path, O_RDWR | O_CREAT)
    let failure = posix_fallocate(file.rawValue, 0, off_t(Self.size))
    guard failure == 0 else { throw StateFileError("posix_fallocate", path, Errno(rawValue: failure)) }
    guard let page = unsafe mmap(nil, Self.size, PROT_READ | PROT_WRITE, MAP_SHARED, file.rawValue, 0),
      unsafe page != MAP_FAILED
    else { throw StateFileError("mmap", path, Errno(rawValue: errno)) }
    unsafe words = UnsafeMutableBufferPointer(
      start: page.assumingMemoryBound(to: UInt64.self),
      count: Self.size / MemoryLayout<UInt64>.stride
    )
  }

  deinit { unsafe munmap(words.baseAddress, Self.size) }

  static func path(in directory: String) -> String { directory + "/open" }

  /// The number in the page; 0 if the page does not begin with ``mark``.
  var count: Int { unsafe words[0] == Self.mark ? Int(clamping: words[1]) : 0 }

  /// Writes the number.
  func write(_ count: Int) {
    unsafe words[1] = UInt64(count)
    unsafe words[0] = Self.mark
  }
}
