import Glibc
import TestSupport
import Testing

/// Makes a socket file that no process listens on, like the file of a killed process.
func makeStaleFile(at path: String) throws {
  let descriptor = socket(AF_UNIX, CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
  defer { close(descriptor) }
  try bind(descriptor, toName: path)
}
