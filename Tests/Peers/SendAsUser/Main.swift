import Glibc
import UnixSocket

/// Sends a message to a socket as another user, and prints the reply.
///
/// The arguments are the id of the user, the path of the socket, and the message. A NUL is sent after the message. A
/// NUL in the reply is printed as a newline.
@main enum SendAsUser {
  static func main() throws {
    let arguments = CommandLine.arguments
    guard arguments.count == 4, let user = uid_t(arguments[1]), setgid(user) == 0, setuid(user) == 0 else {
      exit(1)
    }
    let socket = try StreamSocket.connect(to: SocketAddress(path: arguments[2]), nonblocking: false)
    let message = Array(arguments[3].utf8) + [0]
    guard case .bytes(message.count) = try socket.write(message.span) else { exit(1) }
    socket.shutdown(.writing)
    var bytes = [UInt8](repeating: 0, count: 64 << 10)
    var buffer = bytes.mutableSpan
    while case .bytes(let count) = try socket.read(into: &buffer) {
      for index in 0..<count { putchar(buffer[index] == 0 ? 10 : CInt(buffer[index])) }
    }
  }
}
