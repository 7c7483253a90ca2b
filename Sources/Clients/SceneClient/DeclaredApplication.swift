import RouterInterface
import Synchronization
import VarlinkClient

/// An application that this process has declared to the router.
///
/// The declaration ends with ``close()``, or when the object and all of its streams are out of use, or when a
/// task that iterates over one of the streams is cancelled. If the connection is lost, the application is
/// declared again over the next connection.
public final class DeclaredApplication: Sendable, Identifiable {
  /// The router's answer to the declaration.
  final class State: Sendable {
    private let declared = Mutex<Wire.ApplicationDeclared?>(nil)

    var latest: Wire.ApplicationDeclared? { declared.withLock(\.self) }

    /// Notes the reply if it opens the declaration, and returns whether it does.
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

  /// The generation of the registry that has the declaration; decisions of this or a later generation have
  /// seen it.
  public var generation: Int64 { state.latest?.generation ?? 0 }
  /// The capability for all calls about the application.
  private var handle: String { state.latest?.applicationHandle ?? "" }
  private var router: RouterConnection { replies.router }

  /// The requests to open scenes.
  ///
  /// The stream takes its elements from the same source as ``messages``, and drops all other messages.
  public var openRequests: RouterStream<OpenRequest> {
    RouterStream(replies) { reply in
      guard case .openRequest(let request) = reply else { return nil }
      return OpenRequest(request, application: self.id, handle: self.handle, router: self.router)
    }
  }

  /// All messages of the router to the application.
  ///
  /// The stream has one source with ``openRequests``, and each message goes to one of the two streams.
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

  /// Withdraws the declaration, and ends the streams.
  public func close() {
    replies.close()
  }
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
