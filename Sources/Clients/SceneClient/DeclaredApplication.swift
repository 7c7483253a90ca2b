import Glibc
import RouterInterface
import Synchronization
import VarlinkClient

/// An application that this process has declared to the router.
///
/// The declaration ends in three cases:
/// - ``close()`` is called.
/// - Nothing uses the object or one of its streams any more.
/// - A task that iterates over one of the streams is cancelled.
///
/// If the connection is lost, the application is declared again over the next connection.
public final class DeclaredApplication: Sendable, Identifiable {
  final class State: LastingCall {
    private let call: Wire.DeclareApplicationCall
    private let declared = Mutex<Wire.ApplicationDeclared?>(nil)

    init(_ call: Wire.DeclareApplicationCall) {
      self.call = call
    }

    var applicationID: String { call.applicationID }

    func call(over router: RouterConnection, reportsShown: Bool) -> Wire.DeclareApplicationCall {
      var call = call
      if reportsShown { call.takenEventIDs = router.shown(by: applicationID) }
      return call
    }

    func passes(_ reply: Wire.DeclareApplicationCall.Reply, over router: RouterConnection) -> Bool {
      switch reply {
      case .openRequest(let request):
        if let id = request.eventID { router.noteShown(id, request.openRequestID, by: applicationID) }
        return true
      case .withdrawn(let withdrawal):
        if router.reconnects, withdrawal.isAtShutdown { return false }
        if let id = withdrawal.openRequestID { router.forgetShown(id, by: applicationID) }
        return true
      case .declared, .closed, .unrecognized: return true
      }
    }

    var latest: Wire.ApplicationDeclared? { declared.withLock(\.self) }

    func note(_ first: Wire.DeclareApplicationCall.Reply) -> Bool {
      guard case .declared(let reply) = first else { return false }
      declared.withLock { $0 = reply }
      return true
    }

    func isOwn(_ error: RouterError) -> Bool {
      guard case .applicationAlreadyDeclared(_, let process) = error.code else { return false }
      return process == Int64(getpid())
    }
  }

  /// Identifies the application.
  public let id: String
  private let replies: LastingReplies<State>
  private let state: State

  init(_ state: State, over router: RouterConnection) async throws(RouterError) {
    id = state.applicationID
    self.state = state
    replies = try await LastingReplies(state, over: router)
  }

  /// The first generation of the router's registry that contains the declaration.
  ///
  /// A decision takes the declaration into account if its ``RouteDecision/generation`` is at least this number.
  public var generation: Int64 { state.latest?.generation ?? 0 }
  /// The secret that authorizes this process to speak for the application.
  private var handle: String { state.latest?.applicationHandle ?? "" }
  private var router: RouterConnection { replies.router }

  /// The requests to open scenes.
  ///
  /// The stream drops all other messages. Each message goes either to this stream or to ``messages``, so use only
  /// one of these streams.
  public var openRequests: RouterStream<OpenRequest> {
    RouterStream(replies) { reply, number in
      guard case .openRequest(let request) = reply else { return nil }
      return self.offer(request, number)
    }
  }

  /// The messages of the router to the application, of every kind.
  ///
  /// Use either this stream or ``openRequests``, because each message goes to only one of them.
  public var messages: RouterStream<ApplicationMessage> {
    RouterStream(replies) { reply, number in
      switch reply {
      case .openRequest(let request): .openRequest(self.offer(request, number))
      case .withdrawn(let withdrawal): .withdrawn(withdrawal)
      case .closed(let reason): .closed(ClosingReason(rawValue: reason))
      case .declared, .unrecognized: nil
      }
    }
  }

  private func offer(_ request: Wire.SceneRequested, _ number: Int) -> OpenRequest {
    OpenRequest(request, application: id, handle: handle, router: router, connection: number)
  }

  /// Withdraws the declaration, and ends the streams.
  public func close() {
    replies.close()
  }
}

extension Wire.DeclareApplicationCall.Reply: LastingReply {
  var closingReason: String? { if case .closed(let reason) = self { reason } else { nil } }
}

/// A message of the router to an application.
public enum ApplicationMessage: Sendable {
  /// A request to open a scene, to be answered with a scene or declined.
  case openRequest(OpenRequest)
  /// A report that a request needs no answer any more.
  case withdrawn(Withdrawal)
  /// A report that the declaration has ended; no message follows.
  case closed(ClosingReason)
}
