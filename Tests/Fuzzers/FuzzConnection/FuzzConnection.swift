import Glibc
import Logging
import RouterInterface
import SceneServer
import UnixSocket
import Varlink

/// Sends the input to a router in this process over a new connection, and reads up to the end of the connection.
///
/// The first byte says in how many pieces the bytes are sent. Every reply must be JSON, and another connection must
/// still be served afterwards.
@c(LLVMFuzzerTestOneInput)
public func fuzzConnection(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let input = Array(UnsafeBufferPointer(start: start, count: count))
  guard let pieces = input.first else { return 0 }
  let router = RunningRouter.shared
  check(router.replies(to: Array(input.dropFirst()), pieces: Int(pieces) + 1))
  let question = Array(#"{"method":"org.varlink.service.GetInfo"}"#.utf8) + [0]
  let answer = router.replies(to: question, pieces: 1)
  precondition(String(decoding: answer, as: UTF8.self).contains(#""product":"scened""#), "no answer")
  return 0
}

/// Checks that the router's output consists of JSON objects, each with a NUL byte after it.
private func check(_ bytes: [UInt8]) {
  precondition(bytes.isEmpty || bytes.last == 0, "half a message")
  var document = JSONDocument()
  for message in bytes.split(separator: 0) {
    do {
      let kind = try document.parse(Array(message).span).kind
      precondition(kind == .object)
    } catch {
      preconditionFailure("\(error): \(String(decoding: message, as: UTF8.self))")
    }
  }
}

/// A router that serves this process, on a socket in the directory of temporary files.
private struct RunningRouter {
  static let shared = RunningRouter()

  private let path: String
  private let server: SceneServer

  private init() {
    path = "\(getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp")/scened-fuzz.\(getpid())"
    let log = Logger(label: "silent") { _ in SwiftLogNoOpLogHandler() }
    do {
      server = try SceneServer(listener: .listen(at: path), log: log)
      try server.start { error in preconditionFailure("the server ended: \(String(describing: error))") }
    } catch {
      preconditionFailure("\(error)")
    }
  }

  /// Sends bytes, and returns all bytes that the router sends before the end of the connection.
  func replies(to bytes: [UInt8], pieces: Int) -> [UInt8] {
    do {
      let socket = try StreamSocket.connect(to: SocketAddress(path: path), nonblocking: false)
      let length = max(1, bytes.count / pieces)
      for start in stride(from: 0, to: bytes.count, by: length) {
        var rest = bytes.span.extracting(start..<min(start + length, bytes.count))
        while !rest.isEmpty, case .bytes(let count) = try socket.write(rest) {
          rest = rest.extracting(count...)
        }
      }
      socket.shutdown(.writing)
      return try end(of: socket)
    } catch {
      preconditionFailure("\(error)")
    }
  }

  private func end(of socket: borrowing StreamSocket) throws(SocketError) -> [UInt8] {
    var received: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      var span = buffer.mutableSpan
      // The client gets a reset if the router closes the connection without reading all input. Such a reset counts as
      // the end of the connection.
      guard case .bytes(let count) = try socket.read(into: &span) else { return received }
      received += buffer[..<count]
    }
  }
}
