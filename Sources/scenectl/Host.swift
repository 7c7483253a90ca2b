import Glibc

/// What the tool asks of the system it runs on.
enum Host {
  /// An environment variable; `nil` if it is not set or empty.
  static func variable(_ name: String) -> String? {
    guard let value = unsafe getenv(name) else { return nil }
    let text = unsafe String(cString: value)
    return text.isEmpty ? nil : text
  }

  /// The path without links, `.` and `..`; `nil` if it does not exist.
  static func canonicalPath(_ path: String) -> String? {
    guard let resolved = unsafe realpath(path, nil) else { return nil }
    defer { unsafe free(resolved) }
    return unsafe String(cString: resolved)
  }

  /// Whether a file is there, and may be used in that way (access(2)).
  static func allows(_ mode: CInt, _ path: String) -> Bool {
    unsafe access(path, mode) == 0
  }

  /// Makes a directory of its own for a socket.
  static func makeTemporaryDirectory(_ prefix: String) -> String? {
    var template = Array("/tmp/\(prefix)-XXXXXX".utf8CString)
    guard let path = unsafe mkdtemp(&template) else { return nil }
    return unsafe String(cString: path)
  }

  /// Removes an empty directory.
  static func removeDirectory(_ path: String) { _ = unsafe rmdir(path) }
}
