import UnixSocket
import Varlink

/// Copies to the router only the calls that send events, and copies back only the results in its replies.
///
/// It handles one call at a time: the next call is read after the last reply to the one before.
struct SendOnlyBridge: ~Copyable {
  /// The longest reply in bytes: 16 MiB, the limit of the router's queue for one client.
  private static let replyLimit = 16 << 20
  /// The deepest nesting of a reply: a reply may contain a value of a call and wraps it in up to four levels.
  private static let replyNestingLimit = JSONDocument.nestingLimit + 4

  private let router: StreamSocket

  /// Takes a blocking socket that is connected to the router.
  init(_ router: consuming StreamSocket) { self.router = router }

  /// Copies calls and replies until standard input ends.
  ///
  /// - Throws: for a message that is no call or no reply, and if the router or the reader of standard output ends.
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

  /// Copies the replies to one call.
  ///
  /// No message follows the last reply, because the router has no other call.
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
  /// Whether the call sends an event or awaits its outcome, without an upgrade.
  ///
  /// Upgrades are refused because the bytes after one would not be calls.
  fileprivate var isAllowed: Bool {
    mode != .upgrade
      && (method.equals("io.scened.Router.SendEvent") || method.equals("io.scened.Router.AwaitEvent"))
  }
}

extension JSONWriter {
  /// The members of replies that are copied: the outcome of an event and the error of a call, but not the scene or
  /// application that took the event.
  private static let results: Set = [
    "parameters", "continues", "error", "decision", "settlement", "attempts", "decisionId", "generation",
    "target",
    "result", "reason", "limit", "maximum", "parameter", "eventId",
  ]

  /// Writes a value with only the members in ``results``.
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
