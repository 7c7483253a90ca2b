import Testing
import Varlink

struct ReplyTests {
  @Test(
    arguments: [
      ("{}", false, nil, nil), (#"{"parameters":null,"continues":null,"error":null}"#, false, nil, nil),
      (#"{"parameters":{"a":1}}"#, false, nil, #"{"a":1}"#), (#"{"continues":true}"#, true, nil, nil),
      (#"{"continues":false,"parameters":{}}"#, false, nil, "{}"), (#"{"error":"a.B"}"#, false, "a.B", nil),
      (#"{"error":"a.B","continues":false,"parameters":{"x":null}}"#, false, "a.B", #"{"x":null}"#),
      (#"{"org.example.x":1}"#, false, nil, nil),
    ] as [(String, Bool, String?, String?)]
  )
  func acceptsReplies(_ message: String, _ continues: Bool, _ error: String?, _ parameters: String?) throws {
    var document = JSONDocument()
    let bytes = Array(message.utf8)
    let reply = try document.parseReply(bytes.span)
    #expect(reply.continues == continues)
    let name: String? = if let error = reply.error { error.stringValue } else { nil }
    #expect(name == error)
    let raw: String? = if let object = reply.parameters { text(object.rawBytes) } else { nil }
    #expect(raw == parameters)
  }

  @Test(
    arguments: [
      ("[]", .messageNotObject), ("{", .malformedMessage(JSONError(.unexpectedEnd, at: 1))),
      (#"{"x":1}"#, .unknownMember("x")),
      (#"{"method":"a.B"}"#, .unknownMember("method")),
      (#"{"parameters":1}"#, .memberOfWrongType("parameters")),
      (#"{"parameters":[]}"#, .memberOfWrongType("parameters")),
      (#"{"continues":1}"#, .memberOfWrongType("continues")),
      (#"{"error":true}"#, .memberOfWrongType("error")),
      (#"{"error":"a.B","continues":true}"#, .errorContinues),
      (#"{"error":null,"error":null}"#, .malformedMessage(JSONError(.duplicateName, at: 14))),
    ] as [(String, ProtocolViolation)]
  )
  func refusesMessages(_ message: String, _ violation: ProtocolViolation) {
    var document = JSONDocument()
    let bytes = Array(message.utf8)
    #expect(throws: violation) { _ = try document.parseReply(bytes.span).continues }
  }

  @Test func unknownFieldsAreIgnored() throws {
    var document = JSONDocument()
    let bytes = Array(#"{"parameters":{"new":[{}],"description":"d"}}"#.utf8)
    let parameters: GetInterfaceDescription.Reply = try document.parseReply(bytes.span).decodeParameters()
    #expect(parameters.description == "d")
  }

  @Test func fieldsOfTheWrongTypeAreErrors() {
    var document = JSONDocument()
    let (wrong, missing) = (Array(#"{"parameters":{"description":1}}"#.utf8), Array("{}".utf8))
    #expect(throws: ParameterError(.wrongType, path: "description")) {
      let _: GetInterfaceDescription.Reply = try document.parseReply(wrong.span).decodeParameters()
    }
    #expect(throws: ParameterError(.missing, path: "description")) {
      let _: GetInterfaceDescription.Reply = try document.parseReply(missing.span).decodeParameters()
    }
  }

  @Test func repliesAreWrittenWithoutWhatIsFalseOrEmpty() {
    let text = written { writer in
      writer.reply(NoParameters())
      writer.reply(GetInterfaceDescription.Reply(description: "d"), continues: true)
      writer.reply(GetInterfaceDescription.Reply(description: "d"))
      writer.reply(NoParameters(), continues: true)
      writer.reply(error: ServiceError.expectedMore)
      writer.reply(error: ServiceError.invalidParameter("a[1].b"))
    }
    let messages = [
      "{}", #"{"parameters":{"description":"d"},"continues":true}"#, #"{"parameters":{"description":"d"}}"#,
      #"{"continues":true}"#, #"{"error":"org.varlink.service.ExpectedMore"}"#,
      #"{"error":"org.varlink.service.InvalidParameter","parameters":{"parameter":"a[1].b"}}"#,
    ]
    #expect(text == messages.map { $0 + "␀" }.joined())
  }
}
