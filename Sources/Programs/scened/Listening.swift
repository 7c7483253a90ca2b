import CSystemd
import Glibc
import Logging
import UnixSocket

/// The reason why the program cannot listen, as a sentence.
struct ListeningError: Error, CustomStringConvertible {
  let description: String
}

/// Chooses the socket and listens on it.
enum Listening {
  /// Returns the socket that systemd passed, or a new socket.
  ///
  /// A new socket listens at the first of these paths that is known:
  /// 1. the path from the options,
  /// 2. the path in `$SCENED_SOCKET`,
  /// 3. the default path, whose directory is created.
  static func socket(_ options: Options, log: Logger) throws -> ListeningSocket {
    if let passed = try passedSocket() { return passed }
    let path = options.socket ?? variable("SCENED_SOCKET")
    return try ListeningSocket.listen(
      at: path ?? defaultPath(options),
      directoryMode: path == nil ? ListeningSocket.privateDirectory : nil
    ) { directory in
      log.notice("Waiting for another process that has locked the directory '\(directory)'.")
    }
  }

  /// Returns the directory for files that outlive the process.
  ///
  /// - If systemd made a directory for the daemon, returns this directory.
  /// - If the socket is at the default path, returns the directory `state` beside the socket.
  /// - Otherwise returns nil, because several instances may have their sockets in one directory.
  static func stateDirectory(_ options: Options, _ listener: borrowing ListeningSocket) -> String? {
    if let made = variable("RUNTIME_DIRECTORY") { return made.split(separator: ":").first.map(String.init) }
    guard let path = try? defaultPath(options), listener.path == path, let end = path.lastIndex(of: "/")
    else {
      return nil
    }
    return path[..<end] + "/state"
  }

  private static func passedSocket() throws -> ListeningSocket? {
    var names = [CChar](repeating: 0, count: 4096)
    let count = unsafe scened_listen_descriptors(&names, names.count)
    guard count >= 0 else {
      throw ListeningError(
        description: "The sockets passed by systemd are malformed (\(Errno.text(-count)))."
      )
    }
    guard count > 0 else { return nil }
    guard count == 1 else {
      throw ListeningError(description: "systemd passed \(count) sockets; scened accepts only one.")
    }
    return try ListeningSocket.adopt(OwnedDescriptor(CInt(SCENED_LISTEN_DESCRIPTORS_START)))
  }

  private static func defaultPath(_ options: Options) throws(ListeningError) -> String {
    if options.isSystem { return "/run/scened/io.scened.Router" }
    guard let directory = variable("XDG_RUNTIME_DIR") else {
      throw ListeningError(
        description:
          "The socket has no path: set --socket, $SCENED_SOCKET or $XDG_RUNTIME_DIR."
      )
    }
    return directory + "/scened/io.scened.Router"
  }

  private static func variable(_ name: String) -> String? {
    guard let value = unsafe getenv(name) else { return nil }
    let text = unsafe String(cString: value)
    return text.isEmpty ? nil : text
  }
}

private enum Errno {
  static func text(_ code: CInt) -> String { unsafe String(cString: strerror(code)) }
}
