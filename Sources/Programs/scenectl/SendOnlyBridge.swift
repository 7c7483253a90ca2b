import UnixSocket
import Varlink

/// Passes on to the router the calls with which events are sent, and of its replies the results alone.
///
/// One call at a time: the next is read when the last has had its end.
struct SendOnlyBridge: ~Copyable {
  /// The longest reply: as much as the router queues for one client, 16 MiB.
  private static let replyLimit = 16 << 20
  /// A reply may hold what a call may hold, and wraps it.
  private static let replyNestingLimit = JSONDocument.nestingLimit + 4

  private let router: StreamSocket

  /// Passes on to a router, over a blocking socket.
  init(_ router: consuming StreamSocket) { self.router = router }

  /// Returns when standard input ends.
  ///
  /// - Throws: what is no call or no reply, and the end of the router or of standard output.
  func run() throws {
    var calls = FrameSplitter()
    var document = JSONDocument()
    var buffer = StandardStreams.buffer
    while true {
      guard StandardStreams.isNext(before: router.descriptor.rawValue) else { throw BridgeError.routerLeft }
      let count = try StandardStreams.read(into: &buffer)
      if count == 0 { return }
      var offset = 0
      while let message = try calls.nextMessage(of: buffer.span.extracting(..<count), at: &offset) {
        let call = try document.parseCall(message)
        if call.isAllowed {
          try router.writeAll(message)
          try router.writeAll([0].span)
          if call.mode != .oneway { try passOnReplies() }
        } else if call.mode != .oneway {
          var writer = JSONWriter()
          writer.reply(error: ServiceError.permissionDenied)
          try StandardStreams.writeAll(writer.bytes)
        }
      }
    }
  }

  /// Passes on the replies to one call; none follows the last, as the router has no other call.
  private func passOnReplies() throws {
    var replies = FrameSplitter(messageLimit: Self.replyLimit)
    var document = JSONDocument()
    var buffer = StandardStreams.buffer
    while let count = try router.readSome(into: &buffer) {
      var offset = 0
      while let message = try replies.nextMessage(of: buffer.span.extracting(..<count), at: &offset) {
        let value = try document.parse(message, nestingLimit: Self.replyNestingLimit)
        var writer = JSONWriter()
        writer.results(in: value)
        try StandardStreams.writeAll((writer.takeBytes() + [0]).span)
        if try !Reply(value).continues { return }
      }
    }
    throw BridgeError.routerLeft
  }
}

extension Call {
  /// Whether it sends an event, or asks what became of one.
  ///
  /// Behind an upgrade, no call would follow.
  fileprivate var isAllowed: Bool {
    mode != .upgrade
      && (method.equals("io.scened.Router.SendEvent") || method.equals("io.scened.Router.AwaitEvent"))
  }
}

extension JSONWriter {
  /// The members of replies that say what became of an event, and what was wrong with a call: nothing of who took it.
  private static let results: Set = [
    "parameters", "continues", "error", "decision", "settlement", "attempts", "decisionId", "generation",
    "target",
    "result", "reason", "limit", "maximum", "parameter", "eventId",
  ]

  /// Writes a value without the members that are no results.
  fileprivate mutating func results(in value: JSONValue) {
    switch value.kind {
    case .object:
      beginObject()
      var members = value.members
      while let member = members.next() {
        guard let name = member.name.stringValue, Self.results.contains(name) else { continue }
        self.name(name)
        results(in: member.value)
      }
      endObject()
    case .array:
      beginArray()
      var elements = value.elements
      while let element = elements.next() { results(in: element) }
      endArray()
    default: rawValue(value.rawBytes)
    }
  }
}
