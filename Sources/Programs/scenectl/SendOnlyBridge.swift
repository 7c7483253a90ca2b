import UnixSocket
import Varlink

/// Passes only some calls on to the router: calls that send an event or await its outcome.
///
/// The far end makes the calls. The answer to a call says only whether the event was taken. Each call is passed on
/// after the end of the previous call's event; the bridge ignores the calls' `waitFor`. So the far end cannot start
/// many programs at the same time.
struct SendOnlyBridge: ~Copyable {
  /// The longest reply in bytes: 16 MiB, the limit of the router's queue for one client.
  private static let replyLimit = 16 << 20
  /// The deepest nesting of a reply, which may wrap a value of a call in up to four levels.
  private static let replyNestingLimit = JSONDocument.nestingLimit + 4

  private let router: StreamSocket

  /// Makes a bridge over a blocking socket that is connected to the router.
  init(_ router: consuming StreamSocket) { self.router = router }

  /// Copies calls, and answers them, until standard input ends.
  ///
  /// - Throws: an error for an invalid call or reply, and after the end of the router or of the reader of standard
  ///   output.
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

  /// Reads the only reply to a call, and returns the answer that the far end gets.
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

/// The answers to the far end.
///
/// The answers have the members that the interface requires, without information.
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
  /// The answer after which the far end can send the event again.
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

  /// The call in the form that is passed on, without `waitFor` and flags.
  ///
  /// So the only reply to the call comes at the end of the event.
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
