import Foundation
import Glibc
import Synchronization
import TestSupport
import UnixSocket

/// A proxy that passes messages to and from a service, and ends connections after chosen messages.
///
/// The service stays alive. A real connection ends like this if it exceeds a limit, or if a network is lost.
package final class CuttingProxy: Sendable {
  /// A way to lose connections.
  package enum Fault: Sendable, CaseIterable {
    /// The connection that carried the chosen message ends immediately.
    case cutConnection
    /// All connections end immediately.
    case cutAll
    /// No message passes any more, and all connections end a little later.
    case stall
  }

  private struct State {
    var fault: Fault
    /// For each fault that is still to come, the number of messages between the previous fault and this fault.
    ///
    /// Before the first fault, the number counts from the start.
    var intervals: [Int]
    var messages = 0
    var connections: [ProxyConnection] = []
    /// Whether a fault has begun, but has not yet ended all connections that the fault has to end.
    var isFaulty = false
  }

  /// The path of the socket for clients.
  package let path: String
  private let service: String
  private let directory: TemporaryDirectory
  private let listener: ListeningSocket
  private let state: Mutex<State>

  /// How long a stall lasts before the proxy ends all connections, in seconds.
  private static let stallTime = 0.02

  /// Listens at a path in a new temporary directory.
  ///
  /// - Parameters:
  ///   - service: The path of the service's socket.
  ///   - fault: The way in which connections are lost.
  ///   - intervals: For each fault, the number of messages that pass between the previous fault and this fault. The
  ///     messages of both directions are added. For the first fault, the number counts from the start.
  /// - Throws: An error if the directory or the socket cannot be made.
  package init(to service: String, _ fault: Fault, after intervals: [Int]) throws {
    self.service = service
    directory = try TemporaryDirectory()
    path = directory.appending("proxy")
    listener = try ListeningSocket.listen(at: path)
    state = Mutex(State(fault: fault, intervals: intervals))
    Thread.detachNewThread { self.acceptAll() }
  }

  /// Whether no fault is under way or still to come.
  package var isDone: Bool { state.withLock { $0.intervals.isEmpty && !$0.isFaulty } }

  /// Ends all connections, and accepts no new connections.
  package func close() {
    shutdown(listener.descriptor.rawValue, CInt(SHUT_RDWR))
    cutAll()
  }

  private func acceptAll() {
    while isReady(listener.descriptor.rawValue, for: POLLIN) {
      guard case .connection(let client)? = try? listener.accept() else { return }
      guard let server = try? StreamSocket.connect(to: SocketAddress(service), nonblocking: true) else {
        return
      }
      let connection = ProxyConnection(client: client, server: server)
      state.withLock { $0.connections.append(connection) }
      for direction in ProxyConnection.Direction.allCases {
        Thread.detachNewThread {
          connection.passOn(direction) {
            self.state.withLock { !($0.isFaulty && $0.fault == .stall) }
          } afterEach: {
            self.note(connection)
          }
          self.state.withLock { state in state.connections.removeAll { $0 === connection } }
        }
      }
    }
  }

  /// Counts a message.
  ///
  /// Causes the next fault if enough messages have been counted.
  private func note(_ connection: ProxyConnection) {
    let fault: Fault? = state.withLock { state in
      state.messages += 1
      guard state.messages == state.intervals.first else { return nil }
      state.messages = 0
      state.intervals.removeFirst()
      state.isFaulty = true
      return state.fault
    }
    switch fault {
    case .cutConnection?:
      connection.cut()
      state.withLock { $0.isFaulty = false }
    case .cutAll?: cutAll()
    case .stall?:
      Thread.detachNewThread {
        Thread.sleep(forTimeInterval: Self.stallTime)
        self.cutAll()
      }
    case nil: break
    }
  }

  private func cutAll() {
    state.withLock { state in
      for connection in state.connections { connection.cut() }
      state.isFaulty = false
    }
  }
}

/// The two ends of one connection through the proxy.
final class ProxyConnection: Sendable {
  enum Direction: CaseIterable {
    case toServer
    case toClient
  }

  private let client: StreamSocket
  private let server: StreamSocket

  init(client: consuming StreamSocket, server: consuming StreamSocket) {
    self.client = client
    self.server = server
  }

  func cut() {
    client.shutdown(.both)
    server.shutdown(.both)
  }

  /// Passes messages on until one end is closed; then closes the other end.
  ///
  /// While `passes` is false, messages are dropped, because the connection is about to end.
  func passOn(_ direction: Direction, while passes: () -> Bool, afterEach note: () -> Void) {
    defer { cut() }
    while let bytes = read(direction) {
      for message in bytes.split(after: 0) where passes() {
        guard write(message, direction) else { return }
        if message.last == 0 { note() }
      }
    }
  }

  private func read(_ direction: Direction) -> [UInt8]? {
    let descriptor = direction == .toServer ? client.descriptor.rawValue : server.descriptor.rawValue
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while isReady(descriptor, for: POLLIN) {
      var span = buffer.mutableSpan
      let result = direction == .toServer ? try? client.read(into: &span) : try? server.read(into: &span)
      switch result {
      case .bytes(let count)?: return Array(buffer[..<count])
      case .wouldBlock?: continue
      case .end?, .reset?, nil: return nil
      }
    }
    return nil
  }

  private func write(_ bytes: ArraySlice<UInt8>, _ direction: Direction) -> Bool {
    let bytes = Array(bytes)
    var sent = 0
    while sent < bytes.count {
      let rest = bytes.span.extracting(sent...)
      switch direction == .toServer ? try? server.write(rest) : try? client.write(rest) {
      case .bytes(let count)?: sent += count
      case .wouldBlock?:
        _ = isReady(
          direction == .toServer ? server.descriptor.rawValue : client.descriptor.rawValue,
          for: POLLOUT
        )
      case .closed?, nil: return false
      }
    }
    return true
  }
}

extension [UInt8] {
  /// Splits the bytes after each occurrence of `byte`; bytes after the last occurrence are a part too.
  fileprivate func split(after byte: UInt8) -> [ArraySlice<UInt8>] {
    var parts: [ArraySlice<UInt8>] = []
    var rest = self[...]
    while let end = rest.firstIndex(of: byte) {
      parts.append(rest[...end])
      rest = rest[(end + 1)...]
    }
    return rest.isEmpty ? parts : parts + [rest]
  }
}

/// Waits until a descriptor is ready; returns false if the descriptor has been closed.
private func isReady(_ descriptor: CInt, for events: CInt) -> Bool {
  var ready = [pollfd(fd: descriptor, events: Int16(events), revents: 0)]
  while true {
    let count = poll(&ready, 1, -1)
    if count == 1 { return ready[0].revents & Int16(POLLNVAL) == 0 }
    guard errno == EINTR else { return false }
  }
}
