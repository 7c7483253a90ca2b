import RouterInterface
import Testing
import Varlink

struct RouterErrorTests {
  /// An error with which a call of the router can end.
  struct Case: Sendable, CustomTestStringConvertible {
    let interface: InterfaceDescription
    let error: InterfaceDescription.ErrorType

    var testDescription: String { name }
    var name: String { "\(interface.name).\(error.name)" }

    func message(isFull: Bool) -> String {
      let sample = Sample(interface: interface, isFull: isFull)
      return message(sample.members(of: error.fields))
    }

    func message(_ members: [(name: String, json: String)]) -> String {
      let parameters = members.isEmpty ? "" : #","parameters":\#(Sample.object(members))"#
      return #"{"error":"\#(name)"\#(parameters)}"#
    }

    static let all = [WireType.router, WireType.service].flatMap { interface in
      interface.errors.map { Case(interface: interface, error: $0) }
    }
  }

  @Test(arguments: Case.all, [true, false])
  func errorsAreReadAndWritten(_ error: Case, isFull: Bool) throws {
    let message = error.message(isFull: isFull)
    let read = try #require(try Self.read(message))
    #expect("\(read.errorName)" == error.name)
    var writer = JSONWriter()
    writer.reply(error: read)
    #expect(String(decoding: writer.takeBytes().dropLast(), as: UTF8.self) == message)
  }

  @Test(arguments: Case.all)
  func errorsWithOtherParametersAreNotRead(_ error: Case) throws {
    let members = Sample(interface: error.interface).members(of: error.error.fields)
    for (field, member) in zip(error.error.fields, members) {
      let others = members.filter { $0.name != field.name }
      #expect(try Self.read(error.message(others + [(member.name, "[7]")])) == nil)
      #expect(try (Self.read(error.message(others)) == nil) == !field.type.isNullable)
    }
  }

  @Test(arguments: Case.all)
  func parametersOfLaterVersionsAreIgnored(_ error: Case) throws {
    let members = Sample(interface: error.interface).members(of: error.error.fields)
    let later = try Self.read(error.message(members + [("later", "1")]))
    #expect(try later == Self.read(error.message(isFull: true)))
  }

  @Test(arguments: [
    #"{"parameters":{"generation":1}}"#, #"{"error":"io.scened.Router.Later","parameters":{"any":1}}"#,
    #"{"error":"NoSuchEvent","parameters":{"eventId":"e"}}"#, #"{"error":"org.varlink.service"}"#,
  ])
  func whatIsNoErrorOfTheRouterIsNotRead(_ message: String) throws {
    #expect(try Self.read(message) == nil)
  }

  private static func read(_ message: String) throws -> Wire.RouterErrorReply? {
    var document = JSONDocument()
    let bytes = Array(message.utf8)
    return Wire.RouterErrorReply(try document.parseReply(bytes.span))
  }
}
