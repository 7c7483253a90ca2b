import Glibc

/// What the tool asks of the system it runs on.
enum Host {
  /// Sees to it that whoever ends a pipe does not end the tool, and that no file takes the place of a standard stream.
  static func prepareStandardStreams() {
    // A command of --exec need not read its input. The commands themselves get the signal as usual.
    _ = signal(SIGPIPE, SIG_IGN)
    // A socket in the place of standard output would get what is printed.
    while true {
      let descriptor = unsafe open("/dev/null", O_RDONLY)
      guard descriptor <= STDERR_FILENO else { return _ = close(descriptor) }
      if descriptor < 0 { return }
    }
  }

  /// An environment variable; `nil` if it is not set or empty.
  static func variable(_ name: String) -> String? {
    guard let value = unsafe getenv(name) else { return nil }
    let text = unsafe String(cString: value)
    return text.isEmpty ? nil : text
  }

  /// The time since 1970 (`CLOCK_REALTIME`).
  static var now: Duration {
    var time = timespec()
    unsafe clock_gettime(CLOCK_REALTIME, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }

  /// The path without links, `.` and `..`; `nil` if it does not exist.
  static func canonicalPath(_ path: String) -> String? {
    guard let resolved = unsafe realpath(path, nil) else { return nil }
    defer { unsafe free(resolved) }
    return unsafe String(cString: resolved)
  }

  /// Why a file cannot be used in that way (access(2)), as an error of the system; `nil` if it can.
  static func refusal(of mode: CInt, _ path: String) -> CInt? {
    unsafe access(path, mode) == 0 ? nil : errno
  }

  /// An error of the system in words.
  static func text(ofError code: CInt) -> String { unsafe String(cString: strerror(code)) }

  /// Makes a directory of its own for a socket.
  ///
  /// Not in `$TMPDIR`, which may be longer than the path of a socket can be (unix(7)). mkdtemp(3) replaces the Xs.
  static func makeTemporaryDirectory(_ prefix: String) -> String? {
    var template = Array("/tmp/\(prefix)-XXXXXX".utf8CString)
    guard let path = unsafe mkdtemp(&template) else { return nil }
    return unsafe String(cString: path)
  }

  /// Removes an empty directory.
  static func removeDirectory(_ path: String) { _ = unsafe rmdir(path) }
}
