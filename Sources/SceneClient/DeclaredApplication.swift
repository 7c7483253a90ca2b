import RouterInterface
import VarlinkClient

/// An application whose scenes are declared to the router.
///
/// It is declared until ``close()``, or until neither it nor one of its streams is in use any more, or until the task
/// that iterates over one of them is cancelled.
public final class DeclaredApplication: Sendable, Identifiable {
  /// Identifies the application.
  public let id: String
  /// The state of the registry that has the declaration; decisions of this or a later one have seen it.
  public let generation: Int64

  private let router: RouterConnection
  /// The capability for all calls about the application.
  private let handle: String
  private let replies: VarlinkReplies<Wire.DeclareApplication.Reply>

  init(
    id: String,
    _ replies: VarlinkReplies<Wire.DeclareApplication.Reply>,
    router: RouterConnection
  ) async throws(RouterError) {
    guard case .declared(let declared)? = try await replies.nextReply(within: router.timeout) else {
      throw .unexpectedReply
    }
    self.id = id
    generation = declared.generation
    handle = declared.applicationHandle
    self.router = router
    self.replies = replies
  }

  /// The requests to open scenes.
  ///
  /// Takes from the same source as ``messages``, and passes over all else.
  public var openRequests: RouterStream<OpenRequest> {
    RouterStream(replies) { [id, handle, router] reply in
      guard case .openRequest(let request) = reply else { return nil }
      return OpenRequest(request, application: id, handle: handle, router: router)
    }
  }

  /// All that the router reports to the application.
  public var messages: RouterStream<ApplicationMessage> {
    RouterStream(replies) { [id, handle, router] reply in
      switch reply {
      case .openRequest(let request):
        .openRequest(OpenRequest(request, application: id, handle: handle, router: router))
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
