import Glibc
import SystemPackage
import UnixSocket

/// Tells the next service for how many scenes and declarations it has to wait.
///
/// A number is in the mapped file as soon as it is written, even if the process is killed right afterwards. Room on the
/// disk is reserved first, so that a full disk cannot stop a write.
@safe struct RestartPage: ~Copyable {
  /// A page on most machines, of which only the first 16 bytes have a meaning.
  static let size = 4096
  /// The text `scened`, a zero byte, and 1 as the version of the format.
  private static let mark = UInt64(littleEndian: 0x0100_6465_6e65_6373)

  private let words: UnsafeMutableBufferPointer<UInt64>

  /// Makes a missing directory, but not its parent.
  init(in directory: String) throws(StateFileError) {
    // If the directory is missing afterwards, opening the file fails.
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

  var count: Int { unsafe words[0] == Self.mark ? Int(clamping: words[1]) : 0 }

  func write(_ count: Int) {
    unsafe words[1] = UInt64(count)
    unsafe words[0] = Self.mark
  }
}
