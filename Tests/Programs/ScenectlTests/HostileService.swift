import Foundation
import RouterInterface
import ScriptedService
import Synchronization
import TestSupport
import Testing
import Varlink

/// A service that fills every field of its replies.
///
/// The texts in the fields have control characters. If the tool printed these characters without escapes, they would
/// control the user's terminal.
final class HostileService: Sendable {
  /// A line break, a forged line, and control, format and separator characters.
  static let text =
    "t\nFORGED\r\u{1B}[31m\u{7}\u{8}\u{7F}\u{85}\u{9B}2J\u{AD}\u{200B}\u{202E}\u{2066}\u{2028}\u{2029}\u{FEFF}\u{E0001}"

  enum Answers: Sendable, CustomTestStringConvertible {
    /// Replies in which each text field has the value ``text``, unless `words` has a value for a field of that name.
    ///
    /// The tool chooses its sentences by the values of some fields, so `words` has to give these fields real values.
    case replies(words: [String: String], showsActivity: Bool)
    /// The service answers every call except `GetInfo` with the error of this name.
    case error(String)

    var testDescription: String {
      switch self {
      case .replies(let words, let showsActivity):
        "\(words.values.sorted())" + (showsActivity ? " of activities" : "")
      case .error(let name): name.filter { $0 != "\u{1B}" }
      }
    }
  }

  /// The path of the socket.
  var path: String { listener.path }
  private let listener: ScriptedListener
  private let answers: Answers
  private let settled = DispatchSemaphore(value: 0)
  private let hasEnded = Atomic(false)

  init(_ answers: Answers) throws {
    self.answers = answers
    listener = try ScriptedListener()
    Thread.detachNewThread { [self] in
      while let peer = try? listener.accept(), !hasEnded.load(ordering: .relaxed) {
        // The thread ends when the client closes the connection.
        Thread.detachNewThread { [self] in while (try? answer(peer)) != nil {} }
      }
    }
  }

  /// Stops accepting clients.
  func end() throws {
    hasEnded.store(true, ordering: .relaxed)
    let client = socket(AF_UNIX, CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    defer { close(client) }
    try connect(client, toName: listener.path)
  }

  static let interfaces = [Wire.routerInterface, Wire.managerInterface, ServiceInterface.source]
    .compactMap { try? InterfaceDescription(parsing: $0) }

  private func answer(_ peer: ScriptedPeer) throws {
    let call = try peer.nextCall()
    let name = call.method.split(separator: ".").last ?? ""
    if name == "AcknowledgeDelivery" || name == "DeclineDelivery" { settled.signal() }
    guard call.mode != .oneway else { return }
    if case .error(let error) = answers, name != "GetInfo" {
      return try peer.send(#"{"error":\#(Self.quoted(error)),"parameters":\#(parameters(ofError: error))}"#)
    }
    for interface in Self.interfaces {
      guard let method = interface.methods.first(where: { $0.name == name }) else { continue }
      let streams = ["OpenScene", "DeclareApplication", "Monitor", "SendEvent"].contains(name)
      if call.mode == .more, streams {
        for field in method.output where !["attempts", "closed"].contains(field.name) {
          let reply = #"{"parameters":\#(object([field], of: interface)),"continues":true}"#
          try peer.send(reply)
          guard field.name == "delivery" else { continue }
          // The service sends the same delivery twice. The tool settles the second one only after it has printed the
          // first one.
          try peer.send(reply)
          for _ in 1...2 { _ = settled.wait(timeout: .now() + .seconds(60)) }
        }
      }
      let last = method.output.filter { $0.name == "closed" }
      return try peer.send(#"{"parameters":\#(object(last.isEmpty ? method.output : last, of: interface))}"#)
    }
    throw Overdue("There is no method \(call.method).")
  }

  private func parameters(ofError name: String) -> String {
    for interface in Self.interfaces {
      for error in interface.errors where interface.name + "." + error.name == name {
        return object(error.fields, of: interface)
      }
    }
    return "{}"
  }

  private func object(_ fields: [Field], of interface: InterfaceDescription) -> String {
    "{" + fields.map { "\"\($0.name)\":\(json($0.type, $0.name, interface))" }.joined(separator: ",") + "}"
  }

  private func json(_ type: InterfaceType, _ field: String, _ interface: InterfaceDescription) -> String {
    switch type {
    case .bool: return "true"
    // This number also becomes the time limit of a delivery in microseconds: ten minutes, enough for the test.
    case .int: return "600000000"
    case .float: return "1.5"
    case .string:
      if case .replies(let words, _) = answers, let word = words[field] { return Self.quoted(word) }
      return Self.quoted(Self.text)
    case .object: return "{\(Self.quoted(Self.text)):\(Self.quoted(Self.text))}"
    case .array(let element): return "[\(json(element, field, interface))]"
    case .map(let value): return "{\(Self.quoted(Self.text)):\(json(value, field, interface))}"
    case .nullable(let type): return json(type, field, interface)
    case .enumeration(let cases): return Self.quoted(cases[0])
    case .structure(let fields): return object(fields, of: interface)
    case .named("Event"):
      guard case .replies(_, showsActivity: true) = answers else {
        return #"{"url":\#(Self.quoted("https:" + Self.text)),"line":1}"#
      }
      return #"{"activity":\#(json(.named("Activity"), field, interface))}"#
    case .named(let name):
      guard let named = interface.types.first(where: { $0.name == name }) else { return "null" }
      return json(named.type, field, interface)
    }
  }

  static func quoted(_ text: String) -> String {
    "\"" + text.utf16.map { "\\u" + String(0x10000 + Int($0), radix: 16).dropFirst() }.joined() + "\""
  }
}
