import SystemPackage
import UnixSocket
import Varlink

/// Passes on only calls that send an event or await its outcome, for another machine, for example over ssh.
///
/// That machine learns only whether the call was valid, whether the event was taken, and whether the router is
/// stopping. One call at a time is passed on, up to the end of its event whatever `waitFor` says, so that not many
/// programs can be started at the same time.
struct SendOnlyBridge: ~Copyable {
  /// 16 MiB, the limit of the router's queue for one client.
  private static let replyLimit = 16 << 20
  /// Four levels more than in a call, because a reply can enclose values of the call.
  private static let replyNestingLimit = JSONDocument.nestingLimit + 4

  /// Returns the URL to pass on in place of the one that an event has; nil to refuse the event.
  typealias Admission = (String) -> String?

  private let router: StreamSocket
  private let client: (input: FileDescriptor, output: FileDescriptor)
  private let admission: Admission

  /// The socket is blocking and connected.
  init(
    _ router: consuming StreamSocket,
    client: (input: FileDescriptor, output: FileDescriptor) = (.standardInput, .standardOutput),
    admission: @escaping Admission = { $0 }
  ) {
    (self.client, self.admission) = (client, admission)
    self.router = router
  }

  /// Ends with the client's input.
  ///
  /// - Throws: an error if a call or a reply is invalid, if the router ends the connection, or if nobody reads standard
  ///   output any more.
  func run() throws {
    var calls = FrameSplitter()
    var document = JSONDocument()
    var buffer = StandardStreams.buffer
    while true {
      guard StandardStreams.isNext(client.input, before: router.descriptor.rawValue) else {
        throw BridgeError.routerLeft
      }
      let count = try StandardStreams.read(into: &buffer, from: client.input)
      if count == 0 { return }
      var offset = 0
      while let message = try calls.nextMessage(of: buffer.span.extracting(..<count), at: &offset) {
        let call = try document.parseCall(message)
        let answer: String
        if call.isAllowed {
          if let passedOn = call.passedOn(by: admission) {
            try router.writeAll(passedOn.span)
            answer = try self.answer()
          } else {
            answer = Answer.notTaken
          }
        } else {
          answer = Answer.denied
        }
        if call.mode != .oneway {
          try StandardStreams.writeAll((Array(answer.utf8) + [0]).span, to: client.output)
        }
      }
    }
  }

  private func answer() throws -> String {
    var replies = FrameSplitter(messageLimit: Self.replyLimit)
    var document = JSONDocument()
    var buffer = StandardStreams.buffer
    while let count = try router.readSome(into: &buffer) {
      var offset = 0
      if let message = try replies.nextMessage(of: buffer.span.extracting(..<count), at: &offset) {
        let value = try document.parse(message, nestingLimit: Self.replyNestingLimit)
        guard let error = try Reply(value).error?.stringValue else { return Answer.taken }
        // Errors about an invalid call tell nothing about this machine.
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

/// They have all members that the interface requires, with values that tell nothing about this machine.
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
  /// The other machine can send the event again later.
  static let stopping = #"{"error":"\#(stoppingError)"}"#
}

extension Call {
  /// `SendEvent` or `AwaitEvent` that names no target.
  ///
  /// Upgrades are refused, because the bytes after one would be no calls.
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

  /// Without `waitFor` and flags, so that the router sends one reply, at the end of the event; nil if the event is
  /// refused.
  fileprivate func passedOn(by admission: SendOnlyBridge.Admission) -> [UInt8]? {
    var writer = JSONWriter()
    writer.beginObject()
    writer.name("method")
    writer.rawValue(method.rawBytes)
    writer.beginObject("parameters")
    if var members = parameters?.members {
      while let member = members.next() {
        guard !member.nameEquals("waitFor"), let name = member.name.stringValue else { continue }
        writer.name(name)
        if member.nameEquals("event"), member.value.rawBytes[0] == UInt8(ascii: "{") {
          guard writer.writeEvent(member.value, by: admission) else { return nil }
        } else {
          writer.rawValue(member.value.rawBytes)
        }
      }
    }
    writer.endObject()
    writer.endObject()
    return writer.takeBytes() + [0]
  }
}

extension JSONWriter {
  /// False if the event is refused.
  fileprivate mutating func writeEvent(_ event: JSONValue, by admission: SendOnlyBridge.Admission) -> Bool {
    beginObject()
    var members = event.members
    while let member = members.next() {
      guard let name = member.name.stringValue else { continue }
      self.name(name)
      if member.nameEquals("url") || member.nameEquals("resolvedUrl"), let url = member.value.stringValue {
        guard let admitted = admission(url) else { return false }
        value(admitted)
      } else {
        rawValue(member.value.rawBytes)
      }
    }
    endObject()
    return true
  }
}
