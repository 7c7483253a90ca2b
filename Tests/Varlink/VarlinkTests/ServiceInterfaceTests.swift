import Testing
import Varlink

struct ServiceInterfaceTests {
  private static let example = """
    # An example.
    interface org.example.ping
    # Not implemented by anyone.
    method Ping() -> ()

    """

  private let service: ServiceInterface

  init() throws {
    service = try ServiceInterface(
      vendor: "v",
      product: "p",
      version: "1",
      url: "u",
      descriptions: [Self.example]
    )
  }

  /// Returns the reply of the service to a message.
  private func reply(to message: String) throws -> String {
    var document = JSONDocument()
    let bytes = Array(message.utf8)
    let call = try document.parseCall(bytes.span)
    var writer = JSONWriter()
    service.reply(to: call, in: &writer)
    return text(writer.bytes)
  }

  @Test func tellsWhatTheServiceIs() throws {
    for message in [
      #"{"method":"org.varlink.service.GetInfo"}"#,
      #"{"method":"org.varlink.service.GetInfo","parameters":{}}"#,
      #"{"method":"org.varlink.service.GetInfo","more":true}"#,
    ] {
      #expect(
        try reply(to: message) == #"{"parameters":{"vendor":"v","product":"p","version":"1","url":"u","#
          + #""interfaces":["org.varlink.service","org.example.ping"]}}"# + "\0"
      )
    }
  }

  @Test(arguments: [
    ("org.example.ping", ServiceInterfaceTests.example), ("org.varlink.service", ServiceInterface.source),
  ])
  func servesDescriptionsAsTheyAre(_ interface: String, _ description: String) throws {
    let message = written {
      $0.call(
        "org.varlink.service.GetInterfaceDescription",
        GetInterfaceDescription(interface: interface)
      )
    }
    let bytes = Array(try reply(to: String(message.dropLast())).utf8.dropLast())
    var document = JSONDocument()
    let reply: GetInterfaceDescription.Reply = try document.parseReply(bytes.span).decodeParameters()
    #expect(reply.description == description)
  }

  @Test(
    arguments: [
      (#"{"method":"org.varlink.service.Foo"}"#, .methodNotFound("org.varlink.service.Foo")),
      (#"{"method":"org.example.ping.Pong"}"#, .methodNotFound("org.example.ping.Pong")),
      (#"{"method":"org.example.ping.Ping"}"#, .methodNotImplemented("org.example.ping.Ping")),
      (#"{"method":"org.example.pong.Ping"}"#, .interfaceNotFound("org.example.pong")),
      (#"{"method":"org.example.ping"}"#, .interfaceNotFound("org.example")),
      (#"{"method":"Ping"}"#, .methodNotFound("Ping")), (#"{"method":""}"#, .methodNotFound("")),
      (#"{"method":"."}"#, .interfaceNotFound("")),
      (
        #"{"method":"org.varlink.service.GetInfo","upgrade":true}"#,
        .methodNotImplemented("org.varlink.service.GetInfo")
      ),
      (
        #"{"method":"org.varlink.service.GetInterfaceDescription","upgrade":true,"parameters":{"interface":"org.example.ping"}}"#,
        .methodNotImplemented("org.varlink.service.GetInterfaceDescription")
      ),
      (#"{"method":"org.varlink.service.GetInfo","parameters":{"x":1}}"#, .invalidParameter("x")),
      (#"{"method":"org.varlink.service.GetInterfaceDescription"}"#, .invalidParameter("interface")),
      (
        #"{"method":"org.varlink.service.GetInterfaceDescription","parameters":{"interface":1}}"#,
        .invalidParameter("interface")
      ),
      (
        #"{"method":"org.varlink.service.GetInterfaceDescription","parameters":{"interface":"a.b"}}"#,
        .interfaceNotFound("a.b")
      ),
    ] as [(String, ServiceError)]
  )
  func refusesOtherCalls(_ message: String, _ error: ServiceError) throws {
    let bytes = Array(try reply(to: message).utf8.dropLast())
    var document = JSONDocument()
    let decoded = ServiceError(try document.parseReply(bytes.span))
    #expect(decoded == error)
  }

  /// A call of a method whose name has very many combining marks is refused quickly.
  ///
  /// If the service compared such names as strings, the comparison would take minutes.
  @Test(.timeLimit(.minutes(20)), arguments: ["MARKS.Ping", "org.example.ping.MARKS"])
  func nameOfAnythingIsRefusedAtOnce(_ name: String) throws {
    let marks = (0..<200_000).compactMap { Unicode.Scalar(0x300 + UInt32($0) * 7 % 60) }
    let method = name.replacing("MARKS", with: String(String.UnicodeScalarView(marks)))
    let reply = try reply(to: "{\"method\":\"\(method)\"}")
    #expect(reply.utf8.starts(with: #"{"error":"org.varlink.service."#.utf8))
  }

  @Test func aDescriptionWithoutNameIsAnError() {
    #expect(throws: InterfaceDescriptionError.self) {
      try ServiceInterface(vendor: "", product: "", version: "", url: "", descriptions: ["interface"])
    }
  }

  @Test func aDescriptionWithAFaultInItsMembersHasNoMethods() throws {
    let source = "interface a.b\nmethod C() -> ()\nmethod"
    let service = try ServiceInterface(vendor: "", product: "", version: "", url: "", descriptions: [source])
    var document = JSONDocument()
    let bytes = Array(#"{"method":"a.b.C"}"#.utf8)
    let call = try document.parseCall(bytes.span)
    let reply = written { service.reply(to: call, in: &$0) }
    #expect(reply.contains("MethodNotFound"))
  }
}

struct ServiceErrorTests {
  @Test(
    arguments: [
      .interfaceNotFound("a.b"), .methodNotFound("a.b.C"), .methodNotImplemented("a.b.C"),
      .invalidParameter("a[0].b"),
      .permissionDenied, .expectedMore,
    ] as [ServiceError]
  )
  func errorsAreReadAsWritten(_ error: ServiceError) throws {
    let bytes = Array(written { $0.reply(error: error) }.dropLast().utf8)
    var document = JSONDocument()
    let decoded = ServiceError(try document.parseReply(bytes.span))
    #expect(decoded == error)
  }

  @Test(
    arguments: [
      ("{}", nil), (#"{"error":"a.b.Failed"}"#, nil), (#"{"error":"org.varlink.service.Other"}"#, nil),
      (#"{"error":"org.varlink.service.MethodNotFound"}"#, nil),
      (#"{"error":"org.varlink.service.InvalidParameter","parameters":{"parameter":1}}"#, nil),
      (#"{"error":"org.varlink.service.PermissionDenied","parameters":{"x":2}}"#, .permissionDenied),
    ] as [(String, ServiceError?)]
  )
  func whatIsNotDescribedIsNotRead(_ message: String, _ error: ServiceError?) throws {
    let bytes = Array(message.utf8)
    var document = JSONDocument()
    let decoded = ServiceError(try document.parseReply(bytes.span))
    #expect(decoded == error)
  }

  @Test func faultyParametersAreInvalidParameters() {
    #expect(ServiceError(ParameterError(.missing, path: "a.b")) == .invalidParameter("a.b"))
  }
}
