package import Dispatch
import Glibc
package import Logging
import QueueExecution
package import RouterInterface
package import SceneRouting
package import UnixSocket
import Varlink
import VarlinkServer

package enum Instance: Sendable {
  /// The server's own user and root.
  case user
  /// Every user whom the file mode of the socket allows to connect.
  case system
}

package struct SceneServer: Sendable {
  package static let version = "1.0.0"

  private let server: VarlinkServer
  private let stateDirectory: String?

  /// Owns all state; timers and signals that concern the server must be handled on it.
  package var queue: DispatchQueue { server.executor.queue }

  /// ``start(ended:)`` lets the server accept connections.
  ///
  /// `stateDirectory` keeps the history and the number of open scenes for the next server; if it is missing it is made,
  /// but not its parent. `launcher` starts applications that no connection declares. `reload` calls `ended` once, on
  /// any thread, when the declarations from files are in place. `refresh` is called before calls are carried out, at
  /// most once a second. It reads the files again if others count now, and then calls `ended` once, on any thread, with
  /// whether this is known. `statusChanged` is called after a change, at most once a second.
  package init(
    listener: consuming ListeningSocket,
    instance: Instance = .user,
    machineName: String? = nil,
    limits: Limits = Limits(),
    history: HistoryDetail = .short,
    stateDirectory: String? = nil,
    log: Logger,
    launcher: (any ApplicationLauncher)? = nil,
    reload: (@Sendable (_ ended: @escaping @Sendable (Reload) -> Void) -> Void)? = nil,
    refresh: (@Sendable (_ ended: @escaping @Sendable (_ isAnswered: Bool) -> Void) -> Void)? = nil,
    statusChanged: @escaping @Sendable (ServerCounts) -> Void = { _ in }
  ) throws(SocketError) {
    self.stateDirectory = stateDirectory
    let interface = Self.serviceInterface
    var serverLimits = ServerLimits(descriptors: try DescriptorLimit.current().soft)
    serverLimits.connectionsPerUser = limits.connectionsPerUser
    server = try VarlinkServer(listener: listener, limits: serverLimits) { port in
      RouterService(
        port: port,
        serviceInterface: interface,
        instance: instance,
        owner: UserID(rawValue: geteuid()),
        root: UserID(rawValue: UserNamespace.rootID()),
        machineName: machineName,
        limits: limits,
        history: history,
        log: log,
        status: StatusReporter(statusChanged)
      )
    }
    if let stateDirectory { queue.sync { perform { $0.keepRecords(in: stateDirectory) } } }
    if let launcher { queue.sync { use(launcher) } }
    if let reload { queue.sync { use(reload) } }
    if let refresh { queue.sync { use(refresh: refresh) } }
  }

  private func use(refresh: @escaping @Sendable (@escaping @Sendable (Bool) -> Void) -> Void) {
    perform { [weak server] service in
      service.refreshing = Refreshing {
        refresh { [weak server] isAnswered in
          guard let server else { return }
          server.executor.queue.async { SceneServer(server).perform { $0.refreshed(isAnswered) } }
        }
      }
    }
  }

  private func use(
    _ reload: @escaping @Sendable (@escaping @Sendable (Reload) -> Void) -> Void
  ) {
    perform { [weak server] service in
      service.reload = { call in
        reload { [weak server] reply in
          guard let server else { return }
          server.executor.queue.async {
            SceneServer(server).perform { $0.port.reply(to: call, reply) }
          }
        }
      }
    }
  }

  private func use(_ launcher: any ApplicationLauncher) {
    perform { [weak server] service in
      service.launcher = { launch, start in
        launcher.launch(launch) { [weak server] failure in
          guard let server else { return }
          server.executor.queue.async {
            SceneServer(server).perform { $0.startEnded(start, failure: failure) }
          }
        }
      }
    }
  }

  private init(_ server: VarlinkServer) { (self.server, stateDirectory) = (server, nil) }

  /// Must be called on ``queue``.
  private func perform(_ action: @Sendable (RouterService) -> Void) {
    server.assumeIsolated { server in
      server.perform { service in
        if let service = service as? RouterService { action(service) }
      }
    }
  }

  /// `ended` is called once, with the error that ended the server, or `nil`.
  package func start(ended: @escaping @Sendable ((any Error)?) -> Void) throws(SocketError) {
    let (server, stateDirectory) = (server, stateDirectory)
    let started: Result<Void, SocketError> = queue.sync {
      // The wait for the scenes of the last run begins here, because clients cannot connect before this line.
      if let stateDirectory { perform { $0.awaitReturn(in: stateDirectory) } }
      return server.assumeIsolated { server in
        Result { () throws(SocketError) in try server.start(ended: ended) }
      }
    }
    try started.get()
  }

  /// Must be called on ``queue``, first before ``start(ended:)``, so that no event is decided without the declarations.
  package func replaceFiles(with files: FileDeclarations) {
    perform { $0.replaceFiles(with: files) }
  }

  /// Must be called on ``queue``.
  ///
  /// New connections and new events are refused, and events that have not been shown to a scene or a program end.
  /// Events that have been shown can be settled for two seconds more. Then every stream ends. The sender of each event
  /// that the stop ends gets `ServiceStopping`.
  package func stop() {
    server.assumeIsolated { $0.stop() }
  }

  private static var serviceInterface: ServiceInterface {
    do throws(InterfaceDescriptionError) {
      return try ServiceInterface(
        vendor: "scened",
        product: "scened",
        version: version,
        url: "",
        descriptions: [Wire.routerInterface, Wire.managerInterface]
      )
    } catch {
      preconditionFailure("The program's own interface: \(error)")
    }
  }
}
