package import Varlink

extension Wire {
  /// Registers an open scene and streams the events routed to it (requires `more`).
  ///
  /// The scene is open for as long as the connection is. The first reply is `opened`; the final one,
  /// `closed`, comes only after ``CloseScene`` or when the service goes away.
  package struct OpenScene: Sendable, Equatable {
    /// The part of the scene its owner decides.
    package var context: SceneContext
    /// Set if this answers an ``OpenRequest``.
    package var openRequestID: String?
    /// How many unsettled deliveries to see at once, at least 1.
    ///
    /// More wait in the router. Defaults to 16.
    package var maxPendingDeliveries: Int64?

    /// Makes a call.
    package init(context: SceneContext, openRequestID: String? = nil, maxPendingDeliveries: Int64? = nil) {
      self.context = context
      self.openRequestID = openRequestID
      self.maxPendingDeliveries = maxPendingDeliveries
    }

    /// One of the replies to ``OpenScene``.
    package enum Reply: Sendable, Equatable {
      /// The scene is open: the first reply.
      case opened(SceneOpened)
      /// An event to settle.
      case delivery(Delivery)
      /// A delivery is no longer to be settled.
      case withdrawn(Withdrawal)
      /// The final reply: `requested` or `shutdown`.
      ///
      /// More may be added.
      case closed(String)
      /// Nothing that this version knows: to be skipped.
      case unrecognized
    }
  }
}

extension Wire.OpenScene: Wire.Method {
  /// `io.scened.Router.OpenScene`.
  package static var method: StaticString { "io.scened.Router.OpenScene" }

  /// Reads the parameters of a call.
  package init(from object: inout ObjectReader) throws(ParameterError) {
    context = try object.required("context")
    openRequestID = try object.optional("openRequestId")
    maxPendingDeliveries = try object.optional("maxPendingDeliveries", atLeast: 1)
  }

  /// Writes the parameters of a call.
  package func encodeMembers(to object: inout JSONWriter) {
    object.member("context", context)
    object.member("openRequestId", ifPresent: openRequestID)
    object.member("maxPendingDeliveries", ifPresent: maxPendingDeliveries)
  }
}

extension Wire.OpenScene.Reply: ObjectDecodable, ObjectEncodable {
  /// Reads a reply.
  package init(from object: inout ObjectReader) throws(ParameterError) {
    if let opened: Wire.SceneOpened = try object.optional("opened") {
      self = .opened(opened)
    } else if let delivery: Wire.Delivery = try object.optional("delivery") {
      self = .delivery(delivery)
    } else if let withdrawn: Wire.Withdrawal = try object.optional("withdrawn") {
      self = .withdrawn(withdrawn)
    } else if let closed: String = try object.optional("closed") {
      self = .closed(closed)
    } else {
      self = .unrecognized
    }
  }

  /// Writes a reply.
  package func encodeMembers(to object: inout JSONWriter) {
    switch self {
    case .opened(let opened): object.member("opened", opened)
    case .delivery(let delivery):
      object.beginObject("delivery")
      delivery.encodeMembers(to: &object)
      object.endObject()
    case .withdrawn(let withdrawn): object.member("withdrawn", withdrawn)
    case .closed(let closed): object.member("closed", closed)
    case .unrecognized: break
    }
  }
}
