import Glibc

/// A call of a method on the bus.
package struct BusCall: Hashable, Sendable {
  /// The name of the service.
  package var destination: String
  /// The path of the object.
  package var path: String
  /// The interface that has the method.
  package var interface: String
  /// The name of the method.
  package var member: String
  /// The arguments.
  package var arguments: [BusValue]
  /// Whether the bus starts a service that does not run.
  package var startsService: Bool

  /// Makes a call.
  package init(
    _ member: String,
    of interface: String,
    at path: String,
    in destination: String,
    _ arguments: [BusValue] = [],
    startsService: Bool = true
  ) {
    self.destination = destination
    self.path = path
    self.interface = interface
    self.member = member
    self.arguments = arguments
    self.startsService = startsService
  }
}

/// The conditions that decide which signals a subscription gets.
package struct SignalMatch: Hashable, Sendable {
  /// The name of the service that sends the signal.
  ///
  /// Only the bus checks this name; ``includes(_:)`` does not check it.
  package var sender: String
  /// The path of the object that sends the signal.
  package var path: String
  /// The interface that has the signal.
  package var interface: String
  /// The name of the signal.
  package var member: String
  /// A condition on one of the values, or nil for no condition.
  package var argument: Argument?

  /// A condition: the value at an index equals a text.
  package struct Argument: Hashable, Sendable {
    /// The index of the value, from 0.
    package var index: Int
    /// The expected text.
    package var text: String

    /// Makes a condition.
    package init(_ index: Int, _ text: String) {
      self.index = index
      self.text = text
    }
  }

  /// Makes a match.
  package init(
    _ member: String,
    of interface: String,
    at path: String,
    in sender: String,
    argument: Argument? = nil
  ) {
    self.sender = sender
    self.path = path
    self.interface = interface
    self.member = member
    self.argument = argument
  }

  /// The conditions as a rule in the syntax of the bus (D-Bus Specification, "Match Rules").
  var rule: String {
    var rule = [
      ("type", "signal"), ("sender", sender), ("path", path), ("interface", interface), ("member", member),
    ]
    if let argument { rule.append(("arg\(argument.index)", argument.text)) }
    return rule.map { "\($0)=\(Self.quoted($1))" }.joined(separator: ",")
  }

  /// Puts a text in apostrophes.
  ///
  /// An apostrophe inside the text becomes `'\''`.
  private static func quoted(_ text: String) -> String {
    "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#) + "'"
  }

  func includes(_ signal: BusSignal) -> Bool {
    guard signal.path == path, signal.interface == interface, signal.member == member else { return false }
    guard let argument else { return true }
    return signal.values.indices.contains(argument.index)
      && signal.values[argument.index].text == argument.text
  }
}

/// A received signal.
package struct BusSignal: Hashable, Sendable {
  /// The path of the object that sent the signal.
  package let path: String
  /// The interface that has the signal.
  package let interface: String
  /// The name of the signal.
  package let member: String
  /// The values of the signal.
  package let values: [BusValue]
}

/// Why a call has failed.
package enum BusError: Error, Hashable, Sendable, CustomStringConvertible {
  /// There is no bus; `code` is an error number of the C library.
  case unavailable(code: CInt)
  /// The connection ended before the reply arrived.
  case disconnected
  /// No reply arrived in time; a later reply is ignored.
  case timedOut
  /// The call cannot be sent over D-Bus, for example because a text contains a NUL.
  case unsendable(BusCall, code: CInt)
  /// The reply is an error; `name` is the error's D-Bus name.
  case refused(name: String, message: String)

  /// The reason, as a sentence.
  package var description: String {
    switch self {
    case .unavailable(let code): "There is no session bus (\(Self.text(code)))."
    case .disconnected: "The connection was closed."
    case .timedOut: "No reply arrived in time."
    case .unsendable(let call, let code): "The call of \(call.member) cannot be sent (\(Self.text(code)))."
    case .refused(let name, let message): message.isEmpty ? name : message
    }
  }

  private static func text(_ code: CInt) -> String {
    unsafe String(cString: strerror(code))
  }
}
