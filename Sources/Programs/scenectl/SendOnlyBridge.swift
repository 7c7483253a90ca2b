import UnixSocket
import Varlink

/// Passes only some calls on to the router: calls that send an event or await its outcome.
///
/// Another machine makes the calls, for example over ssh. From the answers, the other machine learns only whether the
/// call was valid, whether the event was taken, and whether the router is stopping.
///
/// The bridge passes on one call at a time and waits for the end of the call's event, whatever the call's `waitFor`
/// says. So the other machine cannot start many programs at the same time.
struct SendOnlyBridge: ~Copyable {
  /// The longest reply in bytes: 16 MiB, the limit of the router's queue for one client.
  private static let replyLimit = 16 << 20
  /// The deepest nesting of a reply: four levels more than in a call, because a reply can enclose values of the call.
  private static let replyNestingLimit = JSONDocument.nestingLimit + 4

  private let router: StreamSocket

  /// Makes a bridge over a blocking socket that is connected to the router.
  init(_ router: consuming StreamSocket) { self.router = router }

  /// Reads calls from standard input and answers them on standard output, until standard input ends.
  ///
  /// - Throws: an error if a call or a reply is invalid, if the router ends the connection, or if nobody reads standard
  ///   output any more.
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
        let answer: String
        if call.isAllowed {
          try router.writeAll(call.passedOn.span)
          answer = try self.answer()
        } else {
          answer = Answer.denied
        }
        if call.mode != .oneway { try StandardStreams.writeAll((Array(answer.utf8) + [0]).span) }
      }
    }
  }

  /// Reads the router's only reply to a call, and returns the answer for standard output.
  private func answer() throws -> String {
    var replies = FrameSplitter(messageLimit: Self.replyLimit)
    var document = JSONDocument()
    var buffer = StandardStreams.buffer
    while let count = try router.readSome(into: &buffer) {
      var offset = 0
      if let message = try replies.nextMessage(of: buffer.span.extracting(..<count), at: &offset) {
        let value = try document.parse(message, nestingLimit: Self.replyNestingLimit)
        guard let error = try Reply(value).error?.stringValue else { return Answer.taken }
        // Errors about an invalid call are passed on, because such errors tell nothing about this machine.
        if error.hasPrefix("org.varlink.service.") {
          var writer = JSONWriter()
          writer.rawValue(value.rawBytes)
          return String(decoding: writer.takeBytes(), as: UTF8.self)
        }
        return error == Answer.stoppingError ? Answer.stopping : Answer.notTaken
      }
    }
    throw BridgeError.routerLeft
  }
}

/// The answers that the bridge writes to standard output.
///
/// The answers have all members that the interface requires, but with values that tell nothing about this machine.
private enum Answer {
  static let taken = #"""
    {"parameters":{"decision":{"decisionId":"","generation":0,"target":"scene"},\#
    "settlement":{"decisionId":"","result":"acknowledged"},\#
    "attempts":[{"decisionId":"","result":"acknowledged"}]}}
    """#
  static let notTaken = #"""
    {"error":"io.scened.Router.NotRouted",\#
    "parameters":{"decision":{"decisionId":"","generation":0,"target":"none"}}}
    """#
  static let denied = #"{"error":"org.varlink.service.PermissionDenied"}"#
  static let stoppingError = "io.scened.Router.ServiceStopping"
  /// The answer while the router stops; the other machine can send the event again later.
  static let stopping = #"{"error":"\#(stoppingError)"}"#
}

extension Call {
  /// Whether the bridge passes the call on.
  ///
  /// The call has to be `SendEvent` or `AwaitEvent`. It must not name a target or ask for an upgrade. Upgrades are
  /// refused, because the bytes after an upgrade would be no calls.
  fileprivate var isAllowed: Bool {
    guard mode != .upgrade,
      method.equals("io.scened.Router.SendEvent") || method.equals("io.scened.Router.AwaitEvent")
    else { return false }
    guard var members = parameters?.members else { return true }
    while let member = members.next() {
      let namesTarget = member.nameEquals("applicationId") || member.nameEquals("sceneId")
      if namesTarget, !member.value.isNull { return false }
    }
    return true
  }

  /// The call in the form that is passed on to the router, without `waitFor` and flags.
  ///
  /// To a call without `waitFor` and flags, the router sends one reply, at the end of the event.
  fileprivate var passedOn: [UInt8] {
    var writer = JSONWriter()
    writer.beginObject()
    writer.name("method")
    writer.rawValue(method.rawBytes)
    writer.beginObject("parameters")
    if var members = parameters?.members {
      while let member = members.next() {
        guard !member.nameEquals("waitFor"), let name = member.name.stringValue else { continue }
        writer.name(name)
        writer.rawValue(member.value.rawBytes)
      }
    }
    writer.endObject()
    writer.endObject()
    return writer.takeBytes() + [0]
  }
}
