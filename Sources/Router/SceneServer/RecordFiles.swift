import Glibc
import RouterInterface
import SystemPackage
import UnixSocket
import Varlink

/// Records of ended events outlive the service as lines of JSON in `history`.
///
/// A full file is renamed to `history.old`, in place of any file of this name. Lines are only appended, so that an
/// interrupted write can spoil only the last line.
struct RecordFiles: ~Copyable {
  /// In bytes; this program makes no file that is larger than half of this size.
  private static let mostRead = 2 * EventHistory.mostBytes

  /// At the beginning of a line in place of a removed record.
  private static let blank = UInt8(ascii: " ")

  private let directory: String
  private var file: OwnedDescriptor
  /// Without an incomplete last line.
  private var size = 0
  private var lineCount = 0

  /// Makes a missing directory, but not its parent; throws if another process has locked the file, or if it is no
  /// regular file of this user.
  init(in directory: String) throws(StateFileError) {
    // If the directory is missing afterwards, opening the file fails.
    _ = unsafe mkdir(directory, 0o700)
    let file = try StateFile.open(Self.path(in: directory), O_RDWR | O_CREAT | O_APPEND)
    try Self.lock(file, Self.path(in: directory))
    self.directory = directory
    self.file = file
  }

  deinit {
    // A child that has not yet executed its program has a copy of the descriptor, which would keep the lock.
    flock(file.rawValue, LOCK_UN)
  }

  static func remove(in directory: String) {
    unsafe unlink(path(in: directory))
    unsafe unlink(oldPath(in: directory))
  }

  private static func path(in directory: String) -> String { directory + "/history" }
  private static func oldPath(in directory: String) -> String { path(in: directory) + ".old" }
}

// MARK: - Writing

extension RecordFiles {
  /// After an error the file is cut back to the lines before; if this fails too, a part of the new lines stays.
  mutating func append(_ lines: [UInt8], count: Int) throws(StateFileError) {
    if size + lines.count > EventHistory.mostBytes || lineCount + count > EventHistory.mostRecords {
      try rotate()
    }
    do {
      try FileDescriptor(rawValue: file.rawValue).writeAll(lines)
    } catch {
      ftruncate(file.rawValue, off_t(size))
      throw StateFileError("write", Self.path(in: directory), error as? Errno ?? .ioError)
    }
    size += lines.count
    lineCount += count
  }

  private mutating func rotate() throws(StateFileError) {
    let path = Self.path(in: directory)
    guard unsafe rename(path, Self.oldPath(in: directory)) == 0 else {
      throw StateFileError("rename", path, Errno(rawValue: errno))
    }
    file = try StateFile.open(path, O_RDWR | O_CREAT | O_EXCL | O_APPEND)
    try Self.lock(file, path)
    (size, lineCount) = (0, 0)
  }

  /// Overwrites the line of the record with spaces, so that all other lines keep their places.
  func remove(_ decisionID: String) throws(StateFileError) {
    let start = Array("{\"decisionId\":\"\(decisionID)\"".utf8)
    for path in [Self.oldPath(in: directory), Self.path(in: directory)] where unsafe access(path, F_OK) == 0 {
      // With O_APPEND, a write would go to the end of the file.
      let file = try StateFile.open(path, O_RDWR)
      for line in try Self.contents(of: file, path).split(separator: UInt8(ascii: "\n"))
      where line.starts(with: start) {
        do {
          try FileDescriptor(rawValue: file.rawValue)
            .writeAll(toAbsoluteOffset: Int64(line.startIndex), line.map { _ in Self.blank })
        } catch {
          throw StateFileError("write", path, error as? Errno ?? .ioError)
        }
      }
    }
  }

  mutating func removeAll() throws(StateFileError) {
    unsafe unlink(Self.oldPath(in: directory))
    try cut(to: 0)
    (size, lineCount) = (0, 0)
  }

  private func cut(to size: Int) throws(StateFileError) {
    guard ftruncate(file.rawValue, off_t(size)) == 0 else {
      throw StateFileError("ftruncate", Self.path(in: directory), Errno(rawValue: errno))
    }
  }
}

// MARK: - Reading

extension RecordFiles {
  /// `length` is that of the line.
  typealias Line = (record: EventRecord, length: Int)

  /// Reads `history.old`, then `history`; returns the lines in the order in which the events were routed.
  ///
  /// Each file is read up to the first line that is not a record. The rest of `history` is removed, so that new lines
  /// follow good lines. `report` gets each fault in the content of a file, and the reason if `history.old` cannot be
  /// read.
  mutating func read(reporting report: (StateFileError) -> Void) throws(StateFileError) -> [Line] {
    var lines: [Line] = []
    let oldPath = Self.oldPath(in: directory)
    do throws(StateFileError) {
      if unsafe access(oldPath, F_OK) == 0 {
        let old = try StateFile.open(oldPath, O_RDONLY)
        _ = try Self.read(old, oldPath, into: &lines, reporting: report)
      }
    } catch {
      report(error)
    }
    let oldCount = lines.count
    size = try Self.read(file, Self.path(in: directory), into: &lines, reporting: report)
    lineCount = lines.count - oldCount
    try cut(to: size)
    return Self.inOrderOfRouting(lines)
  }

  /// Returns the length of the part that was read.
  private static func read(
    _ file: borrowing OwnedDescriptor,
    _ path: String,
    into lines: inout [Line],
    reporting report: (StateFileError) -> Void
  ) throws(StateFileError) -> Int {
    let bytes = try contents(of: file, path)
    guard bytes.count <= mostRead else {
      report(StateFileError("'\(path)' is longer than this program makes it, and is not read."))
      return 0
    }
    var document = JSONDocument()
    var start = 0
    while let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) {
      if bytes[start] != blank {
        do {
          let value = try document.parse(bytes.span.extracting(start..<end)).decoding(.ignored)
          lines.append((try EventRecord(from: value), end + 1 - start))
        } catch {
          report(
            StateFileError("'\(path)' is not read any further than byte \(start), which begins no record.")
          )
          return start
        }
      }
      start = end + 1
    }
    return start
  }

  /// By run of the service, then by the number in the event's id; the given runs are in the right order.
  private static func inOrderOfRouting(_ lines: [Line]) -> [Line] {
    var runs: [Substring: Int] = [:]
    let keys = lines.indices.map { index in
      let parts = lines[index].record.decisionID.split(separator: "-", maxSplits: 1)
      let run = runs[parts.first ?? "", default: runs.count]
      runs[parts.first ?? ""] = run
      return (run, parts.last.flatMap { UInt64($0) } ?? 0, index)
    }
    return keys.sorted(by: <).map { lines[$0.2] }
  }
}

// MARK: - Files

extension RecordFiles {
  /// As long as the file is open.
  private static func lock(_ file: borrowing OwnedDescriptor, _ path: String) throws(StateFileError) {
    guard flock(file.rawValue, LOCK_EX | LOCK_NB) == 0 else {
      if errno == EWOULDBLOCK { throw StateFileError("'\(path)' is in use by another process.") }
      throw StateFileError("flock", path, Errno(rawValue: errno))
    }
  }

  /// One byte more than ``mostRead`` at most, which shows the caller that the file is too long.
  private static func contents(
    of file: borrowing OwnedDescriptor,
    _ path: String
  ) throws(StateFileError) -> [UInt8] {
    var status = stat()
    guard unsafe fstat(file.rawValue, &status) == 0 else {
      throw StateFileError("fstat", path, Errno(rawValue: errno))
    }
    let file = FileDescriptor(rawValue: file.rawValue)
    var bytes = [UInt8](repeating: 0, count: min(Int(status.st_size), mostRead + 1))
    do {
      let count = try unsafe bytes.withUnsafeMutableBytes { buffer in
        var count = 0
        while count < buffer.count {
          let part = try unsafe file.read(
            fromAbsoluteOffset: Int64(count),
            into: UnsafeMutableRawBufferPointer(rebasing: buffer[count...])
          )
          if part == 0 { break }
          count += part
        }
        return count
      }
      bytes.removeLast(bytes.count - count)
      return bytes
    } catch {
      throw StateFileError("read", path, error as? Errno ?? .ioError)
    }
  }
}
