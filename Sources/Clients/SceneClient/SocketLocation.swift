import Glibc

package enum SocketLocation {
  package static let system = "/run/scened/io.scened.Router"

  /// An empty variable counts as not set.
  ///
  /// - Throws: a ``RouterError`` with the code `noSocketPath` if both variables are missing or empty.
  package static func `default`(
    environment: (String) -> String? = variable
  ) throws(RouterError) -> String {
    if let path = environment("SCENED_SOCKET"), !path.isEmpty { return path }
    guard let directory = environment("XDG_RUNTIME_DIR"), !directory.isEmpty else {
      throw RouterError(
        .noSocketPath,
        "The router's socket is not known: neither $SCENED_SOCKET nor $XDG_RUNTIME_DIR is set."
      )
    }
    return directory + "/scened/io.scened.Router"
  }

  private static func variable(_ name: String) -> String? {
    unsafe getenv(name).map { unsafe String(cString: $0) }
  }
}
