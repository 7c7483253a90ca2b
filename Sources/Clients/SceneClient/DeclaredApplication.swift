import RouterInterface
import Synchronization
import VarlinkClient

/// An application whose scenes are declared to the router.
///
/// It is declared until ``close()``, or until neither it nor one of its streams is in use any more, or until the task
/// that iterates over one of them is cancelled. If the connection is lost, it is declared again over the next one.
public final class DeclaredApplication: Sendable, Identifiable {
  /// What the router knows the application by.
  final class State: Sendable {
    private let declared = Mutex<Wire.ApplicationDeclared?>(nil)

    var latest: Wire.ApplicationDeclared? { declared.withLock(\.self) }

    /// Notes the reply to the call.
    func open(_ reply: Wire.DeclareApplication.Reply) -> Bool {
      guard case .declared(let reply) = reply else { return false }
      declared.withLock { $0 = reply }
      return true
    }
  }

  /// Identifies the application.
  public let id: String
  private let replies: LastingReplies<Wire.DeclareApplication>
  private let state: State

  init(id: String, _ replies: LastingReplies<Wire.DeclareApplication>, _ state: State) {
    self.id = id
    self.replies = replies
    self.state = state
  }

  /// The state of the registry that has the declaration; decisions of this or a later one have seen it.
  public var generation: Int64 { state.latest?.generation ?? 0 }
  /// The capability for all calls about the application.
  private var handle: String { state.latest?.applicationHandle ?? "" }
  private var router: RouterConnection { replies.router }

  /// The requests to open scenes.
  ///
  /// Takes from the same source as ``messages``, and passes over all else.
  public var openRequests: RouterStream<OpenRequest> {
    RouterStream(replies) { reply in
      guard case .openRequest(let request) = reply else { return nil }
      return OpenRequest(request, application: self.id, handle: self.handle, router: self.router)
    }
  }

  /// All that the router reports to the application.
  public var messages: RouterStream<ApplicationMessage> {
    RouterStream(replies) { reply in
      switch reply {
      case .openRequest(let request):
        .openRequest(OpenRequest(request, application: self.id, handle: self.handle, router: self.router))
      case .withdrawn(let withdrawal): .withdrawn(Withdrawal(withdrawal))
      case .closed(let reason): .closed(ClosingReason(rawValue: reason))
      case .declared, .unrecognized: nil
      }
    }
  }

  /// Takes the declaration back, and ends the streams.
  public func close() {
    replies.close()
  }
}

/// What the router reports to an application.
public enum ApplicationMessage: Sendable {
  /// A scene is to be opened, or the request declined.
  case openRequest(OpenRequest)
  /// A request that is no longer to be answered.
  case withdrawn(Withdrawal)
  /// The declaration is removed; nothing follows.
  case closed(ClosingReason)
}
