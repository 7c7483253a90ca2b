import DesktopEntries
import Dispatch
import Glibc
import SystemPackage
import UnixSocket

/// Passes on the links of another machine, each connection on a thread of its own.
final class LinksFromMachine: Sendable {
  /// At the same time; further ones wait.
  private static let connectionLimit = 64

  private let listener: ListeningSocket
  private let machine: String
  private let ports: ForwardedPorts
  private let router: String
  private let places = DispatchSemaphore(value: connectionLimit)

  init(_ listener: consuming ListeningSocket, _ machine: String, _ ports: ForwardedPorts, router: String) {
    self.listener = listener
    (self.machine, self.ports, self.router) = (machine, ports, router)
  }

  /// Returns only if no connection can be accepted any more.
  func receive() throws(SocketError) {
    while true {
      places.wait()
      var ready = pollfd(fd: listener.descriptor.rawValue, events: Int16(POLLIN), revents: 0)
      _ = unsafe poll(&ready, 1, -1)
      guard case .connection(let connection) = try listener.accept() else {
        places.signal()
        continue
      }
      let client = FileDescriptor(rawValue: try connection.releaseWaiting().release())
      DispatchQueue(label: "io.scened.link").async { [self] in
        serve(client)
        places.signal()
      }
    }
  }

  func removeSocket() { try? listener.removeFile() }

  private func serve(_ client: FileDescriptor) {
    defer { try? client.close() }
    do {
      let socket = try StreamSocket.connect(to: SocketAddress(router), nonblocking: false)
      try SendOnlyBridge(socket, client: (client, client), admission: admitted).run()
    } catch let error as SocketError {
      Terminal.showErrorOfSession("The router cannot be reached. \(error)")
    } catch {
      // The client there has broken the protocol or left, and only its user wants to know.
    }
  }

  /// The URL as a program on this machine has to know it; nil if the link is not opened.
  private func admitted(_ url: String) -> String? {
    if let path = FileURL.path(of: url) {
      return "file://" + machine + FileURL.url(ofPath: path).dropFirst("file://".count)
    }
    return ports.open(for: url) ? url : nil
  }
}
