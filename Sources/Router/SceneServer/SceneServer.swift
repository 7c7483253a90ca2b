package import Dispatch
import Glibc
package import Logging
import QueueExecution
package import RouterInterface
package import SceneRouting
package import UnixSocket
import Varlink
import VarlinkServer

/// The users that a server serves.
package enum Instance: Sendable {
  /// The server's own user and root.
  case user
  /// Every user whom the file mode of the socket allows to connect.
  case system
}

/// The router as a service on a socket.
package struct SceneServer: Sendable {
  /// The version of the program and of the service.
  package static let version = "1.0.0"

  private let server: VarlinkServer
  private let stateDirectory: String?

  /// The queue that owns all state.
  ///
  /// Timers and signals that concern the server must be handled on this queue.
  package var queue: DispatchQueue { server.executor.queue }

  /// Makes a server; ``start(ended:)`` lets it accept connections.
  ///
  /// - Parameters:
  ///   - listener: the socket to which clients connect.
  ///   - instance: the users that the server serves.
  ///   - machineName: the name of this machine; `file:` URLs may have this name as their host.
  ///   - limits: the limits of one user.
  ///   - history: how much of each event is remembered.
  ///   - stateDirectory: the directory in which the history and the number of open scenes are kept for the next server.
  ///     A missing directory is made, but its parent must exist. Without a directory, the history is lost when the
  ///     server ends, and after a restart events do not wait for scenes to open again.
  ///   - log: receives messages for administrators.
  ///   - launcher: starts applications that no connection declares; without a launcher the router does not start them.
  ///   - reload: reads the files of applications again. When the new declarations are in place, `reload` calls `ended`
  ///     once, on any thread. Without `reload` no files are read.
  ///   - refresh: reads the files of applications again if other files count now, and then calls `ended` once, on any
  ///     thread, with whether this is known. It is called before calls are carried out, at most once a second.
  ///   - statusChanged: called with the counts after a change, at most once a second.
  /// - Throws: `SocketError` if the system has no room for the server.
  package init(
    listener: consuming ListeningSocket,
    instance: Instance = .user,
    machineName: String? = nil,
    limits: Limits = Limits(),
    history: HistoryDetail = .short,
    stateDirectory: String? = nil,
    log: Logger,
    launcher: (any ApplicationLauncher)? = nil,
    reload: (@Sendable (_ ended: @escaping @Sendable (Wire.Reload.Reply) -> Void) -> Void)? = nil,
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

  private func use(_ reload: @escaping @Sendable (@escaping @Sendable (Wire.Reload.Reply) -> Void) -> Void) {
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

  /// Calls `action` with the service; must be called on ``queue``.
  private func perform(_ action: @Sendable (RouterService) -> Void) {
    server.assumeIsolated { server in
      server.perform { service in
        if let service = service as? RouterService { action(service) }
      }
    }
  }

  /// Starts to accept connections.
  ///
  /// When the server has ended, it calls `ended` once. The argument is the error that ended the server, or `nil`.
  package func start(ended: @escaping @Sendable ((any Error)?) -> Void) throws(SocketError) {
    let (server, stateDirectory) = (server, stateDirectory)
    let started: Result<Void, SocketError> = queue.sync {
      // The router waits up to two seconds for the scenes and declarations of the last run. The wait begins here and
      // not in `init`, because clients cannot connect before this line.
      if let stateDirectory { perform { $0.awaitReturn(in: stateDirectory) } }
      return server.assumeIsolated { server in
        Result { () throws(SocketError) in try server.start(ended: ended) }
      }
    }
    try started.get()
  }

  /// Replaces all declarations that come from files, in one step.
  ///
  /// Must be called on ``queue``. The first call must come before ``start(ended:)``, so that no event is decided
  /// without the declarations.
  package func replaceFiles(with files: FileDeclarations) {
    perform { $0.replaceFiles(with: files) }
  }

  /// Stops the server.
  ///
  /// The server refuses new connections and new events. It ends each event that has not been shown to a scene or a
  /// program. Events that have been shown can be settled for two seconds more. Then every stream ends. A
  /// stream gets a last reply, unless it is a list. The sender of each event that the stop ends gets `ServiceStopping`.
  ///
  /// Must be called on ``queue``.
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
