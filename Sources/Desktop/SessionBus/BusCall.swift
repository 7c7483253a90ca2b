import Glibc

package struct BusCall: Hashable, Sendable {
  package var destination: String
  package var path: String
  package var interface: String
  package var member: String
  package var arguments: [BusValue]
  package var startsService: Bool

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

package struct SignalMatch: Hashable, Sendable {
  /// Only the bus checks this name; nil is any program.
  package var sender: String?
  package var path: String
  package var interface: String
  package var member: String
  package var argument: Argument?

  package struct Argument: Hashable, Sendable {
    package var index: Int
    package var text: String

    package init(_ index: Int, _ text: String) {
      self.index = index
      self.text = text
    }
  }

  package init(
    _ member: String,
    of interface: String,
    at path: String,
    in sender: String? = nil,
    argument: Argument? = nil
  ) {
    self.sender = sender
    self.path = path
    self.interface = interface
    self.member = member
    self.argument = argument
  }

  /// In the syntax of the bus (D-Bus Specification, "Match Rules").
  var rule: String {
    var rule = [("type", "signal"), ("path", path), ("interface", interface), ("member", member)]
    if let sender { rule.append(("sender", sender)) }
    if let argument { rule.append(("arg\(argument.index)", argument.text)) }
    return rule.map { "\($0)=\(Self.quoted($1))" }.joined(separator: ",")
  }

  private static func quoted(_ text: String) -> String {
    "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#) + "'"
  }

  package func includes(_ signal: BusSignal) -> Bool {
    guard signal.path == path, signal.interface == interface, signal.member == member else { return false }
    guard let argument else { return true }
    return signal.values.indices.contains(argument.index)
      && signal.values[argument.index].text == argument.text
  }
}

package struct BusSignal: Hashable, Sendable {
  package let path: String
  package let interface: String
  package let member: String
  package let values: [BusValue]
}

package enum BusError: Error, Hashable, Sendable, CustomStringConvertible {
  /// `code` is an error number of the C library.
  case unavailable(code: CInt)
  case disconnected
  /// A later reply is ignored.
  case timedOut
  /// The call cannot be sent over D-Bus, for example because a text contains a NUL.
  case unsendable(BusCall, code: CInt)
  case refused(name: String, message: String)

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
