import Glibc
import SceneClient
import SystemPackage

/// Calls to the operating system.
enum Host {
  static func prepareStandardStreams() {
    // A command of --exec may not read its input, which would end the tool. The commands still get the signal.
    _ = signal(SIGPIPE, SIG_IGN)
    // A socket could get the number of a closed stream and receive the printed text.
    while true {
      let descriptor = unsafe open("/dev/null", O_RDONLY)
      guard descriptor <= STDERR_FILENO else { return _ = close(descriptor) }
      if descriptor < 0 { return }
    }
  }

  static var machineName: String? { FileNames.machineName }

  /// Nil if it is unset or empty.
  static func variable(_ name: String) -> String? {
    guard let value = unsafe getenv(name) else { return nil }
    let text = unsafe String(cString: value)
    return text.isEmpty ? nil : text
  }

  /// With `~` for the user's home.
  static func abbreviated(_ path: String) -> String {
    guard let home = variable("HOME"), path.hasPrefix(home + "/") else { return path }
    return "~" + path.dropFirst(home.utf8.count)
  }

  /// Since 1970 (`CLOCK_REALTIME`).
  static var now: Duration {
    var time = timespec()
    unsafe clock_gettime(CLOCK_REALTIME, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }

  /// `time` is since 1970; the result is in the user's time zone.
  fileprivate static func local(_ time: Duration) -> tm {
    var seconds = time_t(time.components.seconds)
    var local = unsafe tm()
    unsafe localtime_r(&seconds, &local)
    return unsafe local
  }

  /// Without links, `.` and `..`; nil for a missing file.
  static func canonicalPath(_ path: FilePath) -> FilePath? {
    unsafe path.withPlatformString { path in
      guard let resolved = unsafe realpath(path, nil) else { return nil }
      defer { unsafe free(resolved) }
      return unsafe FilePath(platformString: resolved)
    }
  }

  /// The error of access(2); nil if this user has the access.
  static func refusal(of mode: CInt, _ path: FilePath) -> CInt? {
    unsafe path.withPlatformString { unsafe access($0, mode) == 0 ? nil : errno }
  }

  /// The first 4096 bytes; nil for an unreadable file.
  static func contents(of path: FilePath) -> [UInt8]? {
    guard let file = try? FileDescriptor.open(path, .readOnly, options: .closeOnExec) else { return nil }
    return try? file.closeAfter {
      try unsafe [UInt8](unsafeUninitializedCapacity: 4096) { buffer, count in
        count = try unsafe file.read(into: UnsafeMutableRawBufferPointer(buffer))
      }
    }
  }

  static func isRegularFile(_ path: FilePath) -> Bool { (try? Stat(path))?.type == .regular }

  /// The empty path stands for the working directory.
  static func isDirectory(_ path: FilePath) -> Bool {
    (try? Stat(path.isEmpty ? "." : path))?.type == .directory
  }

  /// Empty for an unreadable directory.
  static func names(in directory: FilePath) -> [String] {
    guard let stream = unsafe directory.withPlatformString({ unsafe opendir($0) }) else { return [] }
    defer { unsafe closedir(stream) }
    var names: [String] = []
    while let entry = unsafe readdir(stream) {
      let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { name in
        unsafe name.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(validatingCString: $0) }
      }
      name.map { names.append($0) }
    }
    return names
  }

  static func text(ofError code: CInt) -> String { unsafe String(cString: strerror(code)) }

  /// In `/tmp`, because the path of `$TMPDIR` may be too long for a socket (unix(7)); mkdtemp(3) replaces the Xs.
  static func makeTemporaryDirectory(_ prefix: String) -> String? {
    var template = Array("/tmp/\(prefix)-XXXXXX".utf8CString)
    guard let path = unsafe mkdtemp(&template) else { return nil }
    return unsafe String(cString: path)
  }

  static func removeDirectory(_ path: String) { _ = unsafe rmdir(path) }
}

extension Duration {
  var microseconds: Int64 { components.seconds * 1_000_000 + components.attoseconds / 1_000_000_000_000 }

  /// Of a time since 1970, in the user's time zone: `13:05:09.042`.
  var timeOfDay: String {
    let local = unsafe Host.local(self)
    let parts = unsafe [local.tm_hour, local.tm_min, local.tm_sec].map { $0.text(digits: 2) }
    return parts.joined(separator: ":") + "."
      + (components.attoseconds / 1_000_000_000_000_000).text(digits: 3)
  }

  /// Of a time since 1970, in the user's time zone: `2026-11-23`.
  var localDate: String {
    let local = unsafe Host.local(self)
    return
      unsafe "\(local.tm_year + 1900)-\((local.tm_mon + 1).text(digits: 2))-\(local.tm_mday.text(digits: 2))"
  }
}
