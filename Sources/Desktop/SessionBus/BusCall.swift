import Glibc

/// A call of a method on the bus.
package struct BusCall: Hashable, Sendable {
  /// The name of the service.
  package var destination: String
  /// The path of the object.
  package var path: String
  /// The interface that has the method.
  package var interface: String
  /// The method.
  package var member: String
  /// What is passed.
  package var arguments: [BusValue]
  /// Whether the bus starts the service if it does not run.
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

/// Which signals are received.
package struct SignalMatch: Hashable, Sendable {
  /// The name of the service, which the bus compares.
  package var sender: String
  /// The path of the object.
  package var path: String
  /// The interface that has the signal.
  package var interface: String
  /// The signal.
  package var member: String
  /// What the value at an index must be, if not any.
  package var argument: Argument?

  /// A value that is asked for.
  package struct Argument: Hashable, Sendable {
    /// The place of the value, from 0.
    package var index: Int
    /// The text there.
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

  /// The rule as the bus wants it (D-Bus Specification, "Match Rules").
  var rule: String {
    var rule = [
      ("type", "signal"), ("sender", sender), ("path", path), ("interface", interface), ("member", member),
    ]
    if let argument { rule.append(("arg\(argument.index)", argument.text)) }
    return rule.map { "\($0)=\(Self.quoted($1))" }.joined(separator: ",")
  }

  /// An apostrophe ends the quotes, and a backslash outside them puts one in.
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

/// A signal that has come.
package struct BusSignal: Hashable, Sendable {
  /// The path of the object.
  package let path: String
  /// The interface that has the signal.
  package let interface: String
  /// The signal.
  package let member: String
  /// What it carries.
  package let values: [BusValue]
}

/// Why a call has no reply.
package enum BusError: Error, Hashable, Sendable, CustomStringConvertible {
  /// There is no session bus; the code is that of the C library.
  case unavailable(code: CInt)
  /// The connection ended before the reply came.
  case disconnected
  /// No reply has come in time; it is ignored if it still comes.
  case timedOut
  /// What D-Bus cannot carry, such as a text that has a NUL.
  case unsendable(BusCall, code: CInt)
  /// The error in the reply, with its D-Bus name.
  case refused(name: String, message: String)

  /// A sentence.
  package var description: String {
    switch self {
    case .unavailable(let code): "There is no session bus (\(Self.text(code)))."
    case .disconnected: "The session bus has ended the connection."
    case .timedOut: "No answer came in time."
    case .unsendable(let call, let code): "\(call.member) cannot be called (\(Self.text(code)))."
    case .refused(let name, let message): message.isEmpty ? name : message
    }
  }

  private static func text(_ code: CInt) -> String {
    unsafe String(cString: strerror(code))
  }
}
