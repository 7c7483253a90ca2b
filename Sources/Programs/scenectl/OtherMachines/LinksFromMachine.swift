import CProcess
import DesktopEntries
import Dispatch
import Glibc
import SceneTypes
import SystemPackage
import UnixSocket
import VarlinkClient

/// Passes on the links of a session on another machine, each connection on a thread of its own.
///
/// This is done by a process beside ssh, so that ssh takes the place of the command, with its terminal, its signals and
/// its status.
final class LinksFromMachine: Sendable {
  /// Before the session's process id, its directory, the machine, the router's socket and the time of a port.
  private static let marker = "--pass-on-links"
  /// At the same time; further ones wait.
  private static let connectionLimit = 64

  private let machine: String
  private let router: String
  private let ports: ForwardedPorts
  private let places = DispatchSemaphore(value: connectionLimit)

  private init(_ machine: String, _ ports: ForwardedPorts, router: String) {
    (self.machine, self.ports, self.router) = (machine, ports, router)
  }

  /// The process ends with this one, and then removes the directory of the session.
  static func startProcess(
    _ listener: borrowing ListeningSocket,
    _ directory: SessionDirectory,
    _ machine: String,
    router: String,
    portTime: Seconds
  ) throws(BridgeError) {
    let arguments = [
      "scenectl", marker, "\(getpid())", directory.path, machine, router, portTime.description,
    ]
    let input = listener.descriptor.rawValue
    let process = unsafe arguments.withCStrings { unsafe scened_start_self($0, input) }
    guard process > 0 else {
      throw BridgeError(description: "scenectl could not be started again: \(Host.text(ofError: -process)).")
    }
  }

  /// Does the work of that process if the first argument is ``marker``.
  static func runIfAsked() {
    let arguments = CommandLine.arguments
    guard arguments.count == 7, arguments[1] == marker, let session = pid_t(arguments[2]),
      let portTime = Seconds(argument: arguments[6])
    else { return }
    Host.prepareStandardStreams()
    // The router knows senders by this name, which would be "exe", after /proc/self/exe.
    if let name = try? FileDescriptor.open(FilePath("/proc/self/comm"), .writeOnly) {
      _ = try? name.closeAfter { try name.writeAll("scenectl".utf8) }
    }
    let directory = SessionDirectory(path: arguments[3])
    let end = scened_open_process(session)
    // A later process may have the id of a session that has ended.
    if end >= 0, getppid() == session,
      let listener = try? ListeningSocket.adopt(OwnedDescriptor(STDIN_FILENO))
    {
      let ports = ForwardedPorts(to: arguments[4], through: directory.control, for: portTime)
      try? LinksFromMachine(arguments[4], ports, router: arguments[5]).receive(listener, until: end)
    }
    directory.remove()
    exit(EXIT_SUCCESS)
  }

  /// Returns when the session has ended; throws if no connection can be accepted any more.
  private func receive(_ listener: consuming ListeningSocket, until end: CInt) throws(SocketError) {
    while StandardStreams.isNext(FileDescriptor(rawValue: listener.descriptor.rawValue), before: end) {
      places.wait()
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
    guard url.urlScheme == "file" else { return ports.open(for: url) ? url : nil }
    let parts = URLParts(url.utf8.span)
    func text(_ part: Range<Int>) -> String { String(decoding: url.utf8[part], as: UTF8.self) }
    // Whatever machine the URL names: a program there must reach no file of this machine.
    guard let path = FileURL.path(of: "file://" + text(parts.path)) else {
      Terminal.showErrorOfSession("\(url) is not opened, because it names no file of \(machine).")
      return nil
    }
    return "file://" + machine + FileURL.url(ofPath: path).dropFirst("file://".count) + text(parts.fragment)
  }
}
