import CSystemd
import Glibc
import Logging
import UnixSocket

struct ListeningError: Error, CustomStringConvertible {
  let description: String
}

enum Listening {
  /// The socket that systemd passed, else a new one: at the path from the options, in `$SCENED_SOCKET`, or by default,
  /// where the directory is created.
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

  /// For files that outlive the process: the one that systemd made, or `state` beside the default socket.
  ///
  /// Beside another socket there is none, because several instances may have theirs in one directory.
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
