import RouterInterface
import Testing
import Varlink

struct RouterErrorTests {
  static let decision = ReplyTests.decision

  static func outcome(_ result: String, reason: String? = nil) -> Wire.EventOutcome {
    let settlement = Wire.Settlement(decisionID: "e1", result: result, reason: reason)
    return Wire.EventOutcome(decision: decision, settlement: settlement, attempts: [settlement])
  }

  /// An error of the router as the service sends it, as the client reads it, and what people are told.
  struct Case: Sendable, CustomTestStringConvertible {
    let message: [UInt8]
    let error: Wire.RouterError
    let sentence: String

    var testDescription: String { String(decoding: message, as: UTF8.self) }

    init<Failure: Wire.Failure>(
      _ failure: Failure,
      _ error: (Failure) -> Wire.RouterError,
      _ sentence: String
    ) {
      var writer = JSONWriter()
      writer.reply(error: failure)
      message = writer.takeBytes().dropLast()
      self.error = error(failure)
      self.sentence = sentence
    }
  }

  static let unknown = [
    Case(Wire.NoSuchScene(sceneID: "s1"), { .noSuchScene($0) }, "There is no scene 's1'."),
    Case(Wire.NoSuchScene(), { .noSuchScene($0) }, "The scene is not open any more."),
    Case(
      Wire.NoSuchRegistration(registrationID: "r"),
      { .noSuchRegistration($0) },
      "The scene has no registration 'r'."
    ),
    Case(
      Wire.NoSuchApplication(applicationID: "a"),
      { .noSuchApplication($0) },
      "There is no application 'a'."
    ),
    Case(Wire.NoSuchApplication(), { .noSuchApplication($0) }, "The application is not declared any more."),
    Case(Wire.NoSuchDelivery(deliveryID: "d"), { .noSuchDelivery($0) }, "There is no delivery 'd'."),
    Case(
      Wire.NoSuchDelivery(deliveryID: "d", result: "declined"),
      { .noSuchDelivery($0) },
      "The delivery 'd' is settled already: declined."
    ),
    Case(
      Wire.NoSuchOpenRequest(openRequestID: "o"),
      { .noSuchOpenRequest($0) },
      "There is no open request 'o'."
    ),
    Case(
      Wire.NoSuchOpenRequest(openRequestID: "o", result: "opened"),
      { .noSuchOpenRequest($0) },
      "The open request 'o' has ended already: opened."
    ),
    Case(Wire.NoSuchEvent(eventID: "e"), { .noSuchEvent($0) }, "No event 'e' is remembered."),
  ]

  static let refused = [
    Case(
      Wire.SceneAlreadyOpen(applicationID: "a", sceneID: "s"),
      { .sceneAlreadyOpen($0) },
      "The application 'a' already has the one scene it can have, 's'."
    ),
    Case(
      Wire.ApplicationAlreadyDeclared(applicationID: "a", processID: 7),
      { .applicationAlreadyDeclared($0) },
      "The application 'a' is already declared by process 7."
    ),
    Case(
      Wire.ApplicationAlreadyDeclared(applicationID: "a"),
      { .applicationAlreadyDeclared($0) },
      "The application 'a' is already declared over another connection."
    ),
    Case(
      Wire.LimitExceeded(limit: "urlLength", maximum: 65536),
      { .limitExceeded($0) },
      "The limit 'urlLength' is exceeded: at most 65536."
    ),
  ]

  static let ends = [
    Case(Wire.NotRouted(decision: decision), { .notRouted($0) }, "Nothing takes the event."),
    Case(Wire.Declined(outcome("declined")), { .declined($0) }, "The event was declined."),
    Case(
      Wire.Declined(outcome("declined", reason: "busy")),
      { .declined($0) },
      "The event was declined: busy."
    ),
    Case(
      Wire.Declined(outcome("sceneClosed")),
      { .declined($0) },
      "The scene was closed before it took the event."
    ),
    Case(Wire.TimedOut(outcome("timeout")), { .timedOut($0) }, "The event was not taken in time."),
    Case(
      Wire.LaunchFailed(outcome("launchFailed", reason: "declined")),
      { .launchFailed($0) },
      "No scene was opened for the event: declined."
    ),
    Case(
      Wire.ServiceStopping(),
      { .serviceStopping($0) },
      "The router is stopping; what became of the event is not known."
    ),
  ]

  @Test(arguments: unknown + refused + ends)
  func errorsOfTheRouterAreReadAndTold(_ sent: Case) throws {
    let error = try Self.read(sent.message)
    #expect(error == sent.error)
    #expect(error?.description == sent.sentence)
  }

  @Test func everyErrorOfTheInterfaceIsTried() {
    let tried = (Self.unknown + Self.refused + Self.ends).map { String(decoding: $0.message, as: UTF8.self) }
    for error in WireType.router.errors {
      let start = #"{"error":"io.scened.Router.\#(error.name)""#
      #expect(tried.contains { $0.hasPrefix(start) }, "\(error.name)")
    }
  }

  static let service: [(String, Wire.RouterError, String)] = [
    (
      #"{"error":"org.varlink.service.InterfaceNotFound","parameters":{"interface":"a.b"}}"#,
      .interfaceNotFound("a.b"), "The service has no interface 'a.b'."
    ),
    (
      #"{"error":"org.varlink.service.MethodNotFound","parameters":{"method":"a.b.C"}}"#,
      .methodNotFound("a.b.C"), "The service has no method 'a.b.C'."
    ),
    (
      #"{"error":"org.varlink.service.MethodNotImplemented","parameters":{"method":"a.b.C"}}"#,
      .methodNotImplemented("a.b.C"), "The service does not implement the method 'a.b.C'."
    ),
    (
      #"{"error":"org.varlink.service.InvalidParameter","parameters":{"parameter":"event.url"}}"#,
      .invalidParameter("event.url"), "The service does not accept the parameter 'event.url'."
    ),
    (
      #"{"error":"org.varlink.service.PermissionDenied"}"#,
      .permissionDenied, "The service does not permit this."
    ),
    (
      #"{"error":"org.varlink.service.ExpectedMore","parameters":{}}"#,
      .expectedMore, "The method needs the 'more' flag."
    ),
    (
      #"{"error":"io.scened.Router.Later","parameters":{"any":1}}"#,
      .unrecognized("io.scened.Router.Later"), "The service answered with the error 'io.scened.Router.Later'."
    ),
    (
      #"{"error":"io.scened.Router.NoSuchEvent","parameters":{"eventId":1}}"#,
      .unrecognized("io.scened.Router.NoSuchEvent"),
      "The service answered with the error 'io.scened.Router.NoSuchEvent'."
    ),
    (
      #"{"error":"org.varlink.service.MethodNotFound"}"#,
      .unrecognized("org.varlink.service.MethodNotFound"),
      "The service answered with the error 'org.varlink.service.MethodNotFound'."
    ),
  ]

  @Test(arguments: service)
  func errorsOfAnyServiceAreReadAndTold(_ message: String, _ known: Wire.RouterError, _ sentence: String)
    throws
  {
    let error = try Self.read(Array(message.utf8))
    #expect(error == known)
    #expect(error?.description == sentence)
  }

  @Test func successIsNoError() throws {
    #expect(try Self.read(Array(#"{"parameters":{"generation":1}}"#.utf8)) == nil)
  }

  static func read(_ message: [UInt8]) throws -> Wire.RouterError? {
    var document = JSONDocument()
    return Wire.RouterError(try document.parseReply(message.span))
  }
}
