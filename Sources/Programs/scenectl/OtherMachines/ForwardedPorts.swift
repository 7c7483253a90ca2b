import CProcess
import Dispatch
import Glibc
import SceneRouting
import SceneTypes
import Synchronization
import SystemPackage
import UnixSocket
import VarlinkClient

/// The ports of this machine that lead to another, so that a browser here reaches a sign-in that waits there.
final class ForwardedPorts: Sendable {
  private static let limit = 16

  private let machine: String
  /// The socket of ssh's master connection.
  private let control: String
  private let time: Seconds
  /// When each port is closed.
  private let ends = Mutex<[UInt16: ContinuousClock.Instant]>([:])

  init(to machine: String, through control: String, for time: Seconds) {
    (self.machine, self.control, self.time) = (machine, control, time)
  }

  /// Opens the ports that a link leads back to.
  ///
  /// False if that fails, which the terminal then says, because the sign-in could not end.
  func open(for url: String) -> Bool {
    // One link at a time, so that two links do not open one port.
    ends.withLock { ends in
      for port in url.portsLedBackTo {
        let end = ContinuousClock.now + time.duration
        if ends[port] != nil {
          ends[port] = end
          continue
        }
        if let reason = ends.count < Self.limit
          ? refusal(of: port)
          : "\(Self.limit) ports lead there already; end this session, or wait for \(time) seconds"
        {
          Terminal.showErrorOfSession(
            "\(url) is not opened, because it leads back to port \(port) of \(machine): \(reason)."
          )
          return false
        }
        ends[port] = end
        close(port, at: end)
        Terminal.showErrorOfSession(
          "Port \(port) here leads to \(machine) for \(time.inMinutes), for \(url)"
        )
      }
      return true
    }
  }

  private func refusal(of port: UInt16) -> String? {
    if port < 1024 { return "only ports from 1024 on lead there" }
    if LoopbackPort.isTaken(port) { return "a program on this machine has taken this port" }
    return ssh("forward", port) ? nil : "ssh cannot forward it"
  }

  private func close(_ port: UInt16, at end: ContinuousClock.Instant) {
    let left = ContinuousClock.now.duration(to: end)
    DispatchQueue.global().asyncAfter(deadline: .now() + .microseconds(Int(max(0, left.microseconds)))) {
      [self] in
      let later: ContinuousClock.Instant? = ends.withLock { ends in
        if let now = ends[port], now > end { return now }
        ends[port] = nil
        _ = ssh("cancel", port)
        return nil
      }
      if let later { close(port, at: later) }
    }
  }

  /// Asks the master connection; false if it refuses.
  private func ssh(_ operation: String, _ port: UInt16) -> Bool {
    let forward = "localhost:\(port):localhost:\(port)"
    let command = ["ssh", "-S", control, "-O", operation, "-L", forward, "--", machine]
    guard let null = try? FileDescriptor.open(FilePath("/dev/null"), .readWrite, options: .closeOnExec) else {
      return false
    }
    defer { try? null.close() }
    var messages: CInt = -1
    let process = unsafe command.withCStrings { unsafe scened_start_companion($0, null.rawValue, &messages) }
    guard process > 0 else { return false }
    Glibc.close(messages)
    var status: CInt = -1
    while unsafe waitpid(process, &status, 0) == -1, errno == EINTR {}
    return status == 0
  }
}

private enum LoopbackPort {
  /// ssh itself would be content with one of the two addresses, and a browser may use the other.
  static func isTaken(_ port: UInt16) -> Bool {
    var four = sockaddr_in()
    four.sin_family = sa_family_t(AF_INET)
    four.sin_port = port.bigEndian
    four.sin_addr.s_addr = INADDR_LOOPBACK.bigEndian
    var six = sockaddr_in6()
    six.sin6_family = sa_family_t(AF_INET6)
    six.sin6_port = port.bigEndian
    unsafe withUnsafeMutableBytes(of: &six.sin6_addr) { unsafe $0[15] = 1 }
    return isInUse(four, AF_INET) || isInUse(six, AF_INET6)
  }

  /// False where the machine has no such address.
  private static func isInUse<Address>(_ address: Address, _ family: CInt) -> Bool {
    let socket = OwnedDescriptor(socket(family, CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0))
    // As ssh does, so that only a program that listens has taken a port, and not a connection that has ended.
    var yes: CInt = 1
    unsafe setsockopt(socket.rawValue, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<CInt>.size))
    return unsafe withUnsafeBytes(of: address) { bytes in
      let address = unsafe bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self)
      return unsafe bind(socket.rawValue, address, socklen_t(bytes.count)) == -1 && errno == EADDRINUSE
    }
  }
}

extension String {
  /// Ports of the loopback interface that this link or its `redirect_uri` (RFC 6749, 4.1.1) names.
  fileprivate var portsLedBackTo: Set<UInt16> {
    let parts = URLParts(utf8.span)
    let name = "redirect_uri="
    let targets = utf8[parts.query].dropFirst().split(separator: UInt8(ascii: "&"))
      .filter { $0.starts(with: name.utf8) }
      .map { String(decoding: URLSyntax.percentDecoded($0.dropFirst(name.utf8.count)), as: UTF8.self) }
    return Set(([self] + targets).compactMap(\.loopbackPort))
  }

  private var loopbackPort: UInt16? {
    // A server that listens everywhere calls itself 0.0.0.0.
    guard ["localhost", "127.0.0.1", "[::1]", "0.0.0.0"].contains(urlHost) else { return nil }
    if let digits = URLParts(utf8.span).port, !digits.isEmpty {
      return UInt16(String(decoding: utf8[digits], as: UTF8.self))
    }
    return ["http": 80, "https": 443][urlScheme ?? ""]
  }
}

extension Seconds {
  fileprivate var inMinutes: String { description == "600" ? "ten minutes" : "\(description) s" }
}

extension Terminal {
  /// A line while a session of another machine has the terminal, which then may not return the carriage by itself.
  static func showErrorOfSession(_ line: String) { showError(line.printable + "\r") }
}
