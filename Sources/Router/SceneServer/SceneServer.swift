package import Dispatch
import Glibc
package import Logging
import QueueExecution
package import RouterInterface
package import SceneRouting
package import UnixSocket
import Varlink
import VarlinkServer

/// Whom a server is for.
package enum Instance: Sendable {
  /// One user: it serves that user and root.
  case user
  /// The whole system: it serves whom the mode of its socket lets in.
  case system
}

/// The router as a service on a socket.
package struct SceneServer: Sendable {
  /// The version of the program and of the service.
  package static let version = "1.0.0"

  private let server: VarlinkServer

  /// The queue that owns all state; for timers and signals that have to do with the server.
  package var queue: DispatchQueue { server.executor.queue }

  /// Makes a server; nothing is accepted before ``start(ended:)``.
  ///
  /// - Parameters:
  ///   - listener: where clients connect.
  ///   - instance: whom it is for.
  ///   - limits: what one user may hold.
  ///   - history: how much is remembered of events.
  ///   - log: for what an administrator should know.
  ///   - launcher: starts applications that no connection declares; without it they cannot be.
  ///   - reload: reads the files of applications again, and reports once, on any thread, when what they say is in place;
  ///     without it no files are read.
  ///   - statusChanged: called with the counts when they have changed, at most once a second.
  /// - Throws: `SocketError` if the system has no room for the server.
  package init(
    listener: consuming ListeningSocket,
    instance: Instance = .user,
    limits: Limits = Limits(),
    history: HistoryDetail = .short,
    log: Logger,
    launcher: (any ApplicationLauncher)? = nil,
    reload: (@Sendable (_ ended: @escaping @Sendable (Wire.Reload.Reply) -> Void) -> Void)? = nil,
    statusChanged: @escaping @Sendable (ServerCounts) -> Void = { _ in }
  ) throws(SocketError) {
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
        limits: limits,
        history: history,
        log: log,
        status: StatusReporter(statusChanged)
      )
    }
    if let launcher { queue.sync { use(launcher) } }
    if let reload { queue.sync { use(reload) } }
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

  private init(_ server: VarlinkServer) { self.server = server }

  /// Has the service do something that no connection asks for; to be called on ``queue``.
  private func perform(_ action: @Sendable (RouterService) -> Void) {
    server.assumeIsolated { server in
      server.perform { service in
        if let service = service as? RouterService { action(service) }
      }
    }
  }

  /// Accepts from now on; `ended` is called once, with the error if there was one.
  package func start(ended: @escaping @Sendable ((any Error)?) -> Void) throws(SocketError) {
    let server = server
    let started: Result<Void, SocketError> = queue.sync {
      server.assumeIsolated { server in
        Result { () throws(SocketError) in try server.start(ended: ended) }
      }
    }
    try started.get()
  }

  /// Puts all that files say of applications in the place of what they said before, in one exchange.
  ///
  /// To be called on ``queue``, or before ``start(ended:)``, so that no event is decided without them.
  package func replaceFiles(with files: FileDeclarations) {
    perform { $0.replaceFiles(with: files) }
  }

  /// Ends in order: every stream gets its final reply, every waiting sender `ServiceStopping`.
  ///
  /// To be called on ``queue``.
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
