import Testing
import Varlink

struct CallTests {
  @Test(
    arguments: [
      (#"{"method":"a.B"}"#, .plain, nil),
      (#"{"parameters":null,"method":"a.B"}"#, .plain, nil),
      (#"{"method":"a.B","parameters":{}}"#, .plain, "{}"),
      (#"{"method":"a.B","parameters":{"x": 1.0}}"#, .plain, #"{"x": 1.0}"#),
      (#" { "method" : "a.B" , "more" : true } "#, .more, nil),
      (#"{"method":"a.B","oneway":true}"#, .oneway, nil),
      (#"{"method":"a.B","upgrade":true}"#, .upgrade, nil),
      (#"{"method":"a.B","more":false,"oneway":false,"upgrade":false}"#, .plain, nil),
      (#"{"method":"a.B","more":null,"oneway":null,"upgrade":null}"#, .plain, nil),
      (#"{"method":"a.B","more":true,"oneway":false,"upgrade":null}"#, .more, nil),
      (#"{"method":"a.B","org.example.trace":{"id":[1]},"x.y":null}"#, .plain, nil),
      (#"{"\u006dethod":"a\u002eB","mor\u0065":true}"#, .more, nil),
      (#"{"method":"a.B","vendor\u002ename":1}"#, .plain, nil),
    ] as [(String, CallMode, String?)]
  )
  func acceptsCalls(_ message: String, _ mode: CallMode, _ parameters: String?) throws {
    var document = JSONDocument()
    let bytes = Array(message.utf8)
    let call = try document.parseCall(bytes.span)
    #expect(call.mode == mode)
    let method = call.method.stringValue
    #expect(method == "a.B")
    let raw: String? = if let object = call.parameters { text(object.rawBytes) } else { nil }
    #expect(raw == parameters)
  }

  @Test(
    arguments: [
      ("", .malformedMessage(JSONError(.empty, at: 0))), (" ", .malformedMessage(JSONError(.empty, at: 1))),
      ("{", .malformedMessage(JSONError(.unexpectedEnd, at: 1))),
      ("{}{}", .malformedMessage(JSONError(.trailingGarbage, at: 2))),
      ("[]", .messageNotObject), ("null", .messageNotObject), (#""a.B""#, .messageNotObject),
      ("1", .messageNotObject),
      ("{}", .methodMissing), (#"{"parameters":{}}"#, .methodMissing), (#"{"more":true}"#, .methodMissing),
      (#"{"method":1}"#, .memberOfWrongType("method")), (#"{"method":null}"#, .memberOfWrongType("method")),
      (#"{"method":["a.B"]}"#, .memberOfWrongType("method")),
      (#"{"method":"a.B","more":1}"#, .memberOfWrongType("more")),
      (#"{"method":"a.B","more":"true"}"#, .memberOfWrongType("more")),
      (#"{"method":"a.B","oneway":0}"#, .memberOfWrongType("oneway")),
      (#"{"method":"a.B","upgrade":{}}"#, .memberOfWrongType("upgrade")),
      (#"{"method":"a.B","more":true,"oneway":true}"#, .conflictingFlags),
      (#"{"method":"a.B","more":true,"upgrade":true}"#, .conflictingFlags),
      (#"{"method":"a.B","upgrade":true,"oneway":true}"#, .conflictingFlags),
      (#"{"more":true,"upgrade":true,"oneway":true,"method":"a.B"}"#, .conflictingFlags),
      (#"{"method":"a.B","parameters":[]}"#, .memberOfWrongType("parameters")),
      (#"{"method":"a.B","parameters":"{}"}"#, .memberOfWrongType("parameters")),
      (#"{"method":"a.B","parameters":false}"#, .memberOfWrongType("parameters")),
      (#"{"method":"a.B","method":"a.B"}"#, .malformedMessage(JSONError(.duplicateName, at: 16))),
      (
        #"{"method":"a.B","parameters":{"x":[{"y":1,"y":1}]}}"#,
        .malformedMessage(JSONError(.duplicateName, at: 42))
      ),
      (
        #"{"method":"a.B","m\u006fre":true,"more":true}"#,
        .malformedMessage(JSONError(.duplicateName, at: 33))
      ),
      (#"{"method":"a.B","x.y":1,"x.y":1}"#, .malformedMessage(JSONError(.duplicateName, at: 24))),
      (#"{"method":"a.B","x":1}"#, .unknownMember("x")), (#"{"method":"a.B","x":null}"#, .unknownMember("x")),
      (#"{"method":"a.B","":1}"#, .unknownMember("")),
      (#"{"method":"a.B","More":true}"#, .unknownMember("More")),
      (#"{"method":"a.B","continues":true}"#, .unknownMember("continues")),
      (#"{"method":"a.B","error":"a.B"}"#, .unknownMember("error")),
      (#"{"x":1}"#, .unknownMember("x")),
    ] as [(String, ProtocolViolation)]
  )
  func refusesMessages(_ message: String, _ violation: ProtocolViolation) {
    var document = JSONDocument()
    let bytes = Array(message.utf8)
    #expect(throws: violation) { _ = try document.parseCall(bytes.span).mode }
    #expect("\(violation)".hasSuffix("."))
  }

  @Test func refusesBytesThatAreNotUTF8() {
    var document = JSONDocument()
    let bytes = Array(#"{"method":"a."#.utf8) + [0xC3, 0x28] + Array(#""}"#.utf8)
    #expect(throws: ProtocolViolation.malformedMessage(JSONError(.malformedUTF8, at: 13))) {
      _ = try document.parseCall(bytes.span).mode
    }
  }

  @Test func theMessageIsTheFirstOf64Levels() {
    var document = JSONDocument()
    let message = { (depth: Int) in
      let arrays = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
      return Array(#"{"method":"a.B","parameters":{"x":\#(arrays)}}"#.utf8)
    }
    let (deepest, tooDeep) = (message(62), message(63))
    #expect(throws: Never.self) { _ = try document.parseCall(deepest.span).mode }
    #expect(throws: ProtocolViolation.self) { _ = try document.parseCall(tooDeep.span).mode }
  }

  @Test(arguments: [
    #"{"method":"a.B"}"#, #"{"method":"a.B","parameters":null}"#, #"{"method":"a.B","parameters":{}}"#,
  ])
  func absentNullAndEmptyParametersAreOneThing(_ message: String) throws {
    var document = JSONDocument()
    let bytes = Array(message.utf8)
    let none: NoParameters = try document.parseCall(bytes.span).decodeParameters()
    #expect(none == NoParameters())
    #expect(throws: ParameterError(.missing, path: "interface")) {
      let _: GetInterfaceDescription = try document.parseCall(bytes.span).decodeParameters()
    }
  }

  @Test func unknownParametersAreRefusedWithAPathFromTheParameters() {
    var document = JSONDocument()
    let bytes = Array(#"{"method":"a.B","parameters":{"interface":"a.b","more":true}}"#.utf8)
    #expect(throws: ParameterError(.unknown, path: "more")) {
      let _: GetInterfaceDescription = try document.parseCall(bytes.span).decodeParameters()
    }
  }

  @Test(
    arguments: [
      (.plain, #"{"method":"a.B","parameters":{"interface":"c.d"}}␀"#),
      (.more, #"{"method":"a.B","parameters":{"interface":"c.d"},"more":true}␀"#),
      (.oneway, #"{"method":"a.B","parameters":{"interface":"c.d"},"oneway":true}␀"#),
      (.upgrade, #"{"method":"a.B","parameters":{"interface":"c.d"},"upgrade":true}␀"#),
    ] as [(CallMode, String)]
  )
  func callsAreWrittenWithoutFalseFlags(_ mode: CallMode, _ message: String) {
    #expect(written { $0.call("a.B", GetInterfaceDescription(interface: "c.d"), mode: mode) } == message)
  }

  @Test func parametersWithoutMembersAreLeftOut() {
    let text = written { writer in
      writer.call("a.B", NoParameters(), mode: .more)
      writer.call("a.B", NoParameters())
    }
    #expect(text == #"{"method":"a.B","more":true}␀{"method":"a.B"}␀"#)
  }
}
