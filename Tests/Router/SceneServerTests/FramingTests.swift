import RouterInterface
import TestSupport
import Testing
import Varlink

@Suite struct FramingTests {
  private static let getInfo = #""method":"org.varlink.service.GetInfo""#

  /// Messages that end the connection without a reply; each key names the mistake.
  private static let violations: KeyValuePairs<String, String> = [
    "nothing": "",
    "only white space": "  ",
    "no JSON": "hello",
    "cut off": "{\(getInfo)",
    "something behind it": "{\(getInfo)} {}",
    "trailing comma": "{\(getInfo),}",
    "single quotes": "{'method':'org.varlink.service.GetInfo'}",
    "comment": "{\(getInfo)}//",
    "bare word": "{\(getInfo),\"parameters\":{\"a\":yes}}",
    "leading zero": "{\(getInfo),\"parameters\":{\"a\":01}}",
    "half a surrogate pair": "{\(getInfo),\"parameters\":{\"a\":\"\\ud800\"}}",
    "control character": "{\(getInfo),\"parameters\":{\"a\":\"\u{1}\"}}",
    "array": "[{\(getInfo)}]",
    "string": "\"org.varlink.service.GetInfo\"",
    "number": "1",
    "null": "null",
    "no method": "{}",
    "method that is null": #"{"method":null}"#,
    "method that is a number": #"{"method":1}"#,
    "more that is a number": "{\(getInfo),\"more\":1}",
    "oneway that is a string": "{\(getInfo),\"oneway\":\"true\"}",
    "upgrade that is an object": "{\(getInfo),\"upgrade\":{}}",
    "more and oneway": "{\(getInfo),\"more\":true,\"oneway\":true}",
    "more and upgrade": "{\(getInfo),\"more\":true,\"upgrade\":true}",
    "oneway and upgrade": "{\(getInfo),\"oneway\":true,\"upgrade\":true}",
    "all flags": "{\(getInfo),\"more\":true,\"oneway\":true,\"upgrade\":true}",
    "parameters that are an array": "{\(getInfo),\"parameters\":[]}",
    "parameters that are a string": "{\(getInfo),\"parameters\":\"\"}",
    "parameters that are false": "{\(getInfo),\"parameters\":false}",
    "method twice": "{\(getInfo),\(getInfo)}",
    "parameter twice": "{\(getInfo),\"parameters\":{\"a\":1,\"a\":1}}",
    "member twice deep inside": "{\(getInfo),\"parameters\":{\"a\":[{\"b\":{\"c\":1,\"d\":1,\"c\":2}}]}}",
    "member twice in two spellings": "{\(getInfo),\"parameters\":{\"a\":1,\"\\u0061\":1}}",
    "member twice in an extension": "{\(getInfo),\"org.example.x\":{\"a\":1,\"a\":1}}",
    "unknown member": "{\(getInfo),\"timeout\":1}",
    "unknown member that is null": "{\(getInfo),\"timeout\":null}",
    "65 levels": "{\(getInfo),\"org.example.x\":\(nested(64))}",
    "reply": #"{"parameters":{}}"#,
  ]

  /// Unusual but correct messages; each key names what is unusual.
  private static let oddities: KeyValuePairs<String, String> = [
    "white space": " \n{ \t\(getInfo) \r\n,\"parameters\" : { } } ",
    "parameters that are null": "{\(getInfo),\"parameters\":null}",
    "flags that are null": "{\(getInfo),\"more\":null,\"oneway\":null,\"upgrade\":null}",
    "flags that are false": "{\(getInfo),\"more\":false,\"oneway\":false,\"upgrade\":false}",
    "all that is false and one flag": "{\(getInfo),\"oneway\":false,\"more\":true}",
    "extension": "{\(getInfo),\"org.example.x\":{\"a\":[1]}}",
    "escapes": #"{"m\u0065thod":"org.varlink.service.Get\u0049nfo"}"#,
    "64 levels": "{\(getInfo),\"org.example.x\":\(nested(63))}",
  ]

  private static func nested(_ levels: Int) -> String {
    String(repeating: "[", count: levels) + String(repeating: "]", count: levels)
  }

  @Test(arguments: RouterUnderTest.Kind.allCases)
  func violationEndsItsConnectionAndNoOther(_ kind: RouterUnderTest.Kind) throws {
    let router = try RouterUnderTest(kind)
    let scene = try router.open()
    for (name, message) in Self.violations {
      let client = try router.connect()
      try client.send("{\(Self.getInfo)}")
      try client.send(message)
      try client.send("{\(Self.getInfo)}")
      #expect(try client.text().contains("org.varlink.service"), "\(name)")
      #expect(try client.end() == [], "\(name)")
      let sender = try router.send("test:one")
      try scene.acknowledgeNext()
      #expect(try sender.outcome().settlement.result == .acknowledged, "\(name)")
    }
  }

  @Test(arguments: RouterUnderTest.Kind.allCases)
  func invalidTextEndsTheConnection(_ kind: RouterUnderTest.Kind) throws {
    let router = try RouterUnderTest(kind)
    let invalid: [[UInt8]] = [
      [0xFF], [0xC3], [0xC0, 0xAF], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0x80],
    ]
    for bytes in invalid {
      let client = try router.connect()
      let start = "{\(Self.getInfo),\"org.example.x\":\""
      try client.send(Array(start.utf8) + bytes + Array("\"}\0".utf8))
      #expect(try client.end() == [], "\(bytes)")
    }
  }

  @Test(arguments: RouterUnderTest.Kind.allCases)
  func oddMessageIsAnswered(_ kind: RouterUnderTest.Kind) throws {
    let router = try RouterUnderTest(kind)
    let client = try router.connect()
    for (name, message) in Self.oddities {
      try client.send(message)
      let information: GetInfo.Reply = try client.reply()
      #expect(information.product == "scened", "\(name)")
      #expect(!client.continues, "\(name)")
    }
  }

  @Test(arguments: RouterUnderTest.Kind.allCases)
  func messageMayComeInAnyNumberOfPieces(_ kind: RouterUnderTest.Kind) throws {
    let router = try RouterUnderTest(kind)
    let client = try router.connect()
    let other = try router.connect()
    for byte in Array("{\(Self.getInfo)}\0".utf8) {
      try client.send([byte])
      // A call of another client makes the router read each piece separately.
      try other.call(Wire.GetStatisticsCall())
    }
    let information: GetInfo.Reply = try client.reply()
    #expect(information.product == "scened")
    try client.send(Array(String(repeating: "{\(Self.getInfo)}\0", count: 200).utf8))
    for _ in 0..<200 { #expect(try client.reply(as: GetInfo.Reply.self) == information) }
  }

  @Test(arguments: RouterUnderTest.Kind.allCases)
  func messageHas256KiBAtMost(_ kind: RouterUnderTest.Kind) throws {
    let router = try RouterUnderTest(kind)
    let call = Array("{\(Self.getInfo)}".utf8)
    func padded(_ length: Int) -> [UInt8] {
      call + [UInt8](repeating: 0x20, count: length - call.count) + [0]
    }
    let client = try router.connect()
    try client.send(padded(256 << 10))
    #expect(try client.reply(as: GetInfo.Reply.self).product == "scened")
    try client.send(padded(256 << 10 + 1))
    #expect(try client.end() == [])
    // The router ends the connection without waiting for the end of the message.
    let endless = try router.connect()
    while try endless.send([UInt8](repeating: 0x20, count: 64 << 10)) {}
    #expect(try endless.end() == [])
  }

  @Test(arguments: RouterUnderTest.Kind.allCases)
  func longestAndDeepestEventIsDelivered(_ kind: RouterUnderTest.Kind) throws {
    let router = try RouterUnderTest(kind)
    let scene = try router.open()
    // JSON levels 1 to 5 are the message, its parameters, the event, the activity and userInfo. The arrays add 59
    // levels, which makes 64, the limit.
    let start = #"{"method":"io.scened.Router.SendEvent","parameters":{"event":"#
    let event = #"{"activity":{"activityType":"t","userInfo":{"a":\#(Self.nested(59))}}"#
    let padding = String(repeating: " ", count: 256 << 10 - start.utf8.count - event.utf8.count - 3)
    let sender = try router.connect()
    try sender.send(start + event + padding + "}}}")
    let delivery = try scene.client.text()
    #expect(delivery.contains("\"event\":\(event + padding)}"))
    try sender.send(start + event.replacing("[[", with: "[[[").replacing("]]", with: "]]]") + "}}}")
    #expect(try sender.end() == [])
  }

  @Test(arguments: RouterUnderTest.Kind.allCases)
  func nothingIsSentThatNeedNotBe(_ kind: RouterUnderTest.Kind) throws {
    let router = try RouterUnderTest(kind)
    let client = try router.connect()
    try client.send(#"{"method":"io.scened.Router.ListScenes"}"#)
    #expect(try client.text() == #"{"parameters":{"scenes":[],"generation":0}}"#)
    try client.send(#"{"method":"io.scened.Router.CloseScene","parameters":{"sceneHandle":""}}"#)
    #expect(try client.text() == #"{"error":"io.scened.Router.NoSuchScene"}"#)
    try client.send(#"{"method":"io.scened.Router.Monitor"}"#)
    #expect(try client.text() == #"{"error":"org.varlink.service.ExpectedMore"}"#)
    let scene = try router.open()
    _ = try router.send("test:one")
    let delivery = try scene.delivery()
    try client.send(scene.acknowledgement(of: delivery))
    #expect(try client.text() == "{}")
  }
}
