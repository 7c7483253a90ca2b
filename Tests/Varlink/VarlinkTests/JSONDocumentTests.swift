import RandomNumbers
import Testing
import Varlink

struct JSONDocumentTests {
  @Test(arguments: [
    "null", "true", "false", "0", "-0", "10", "-1", "1.5", "0.0", "1e1", "1E+1", "1e-10", "123e65",
    "99999999999999999999", "\"\"", "\"a\"", "[]", "{}", "[1,2]", "[[],{}]", "{\"a\":1}", "{\"a\":{\"a\":1}}",
    "{\"\":0}", " [ 1 , 2 ] ", "\t{\r\n \"a\" : null }\n", "\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"", "\"\\u0000\"",
    "\"\\u00e9\\uABCD\"", "\"\\uD83D\\uDE00\"", "\"\u{7F}\"", "\"é\u{800}\u{FFFF}\u{10FFFF}\"",
    "\"\u{D7FF}\u{E000}\"",
    "{\"é\":1,\"e\u{301}\":2}", "{\"a\":1,\"A\":2}",
  ])
  func acceptsValidText(_ text: String) {
    #expect(refusal(of: Array(text.utf8)) == nil)
  }

  @Test(
    arguments: [
      ("", .empty, 0), ("  ", .empty, 2),
      ("[1", .unexpectedEnd, 2), ("[", .unexpectedEnd, 1), ("{\"a\"", .unexpectedEnd, 4),
      ("{\"a\":", .unexpectedEnd, 5),
      ("\"abc", .unexpectedEnd, 4), ("\"abc\\", .unexpectedEnd, 5), ("-", .unexpectedEnd, 1),
      ("1.", .unexpectedEnd, 2),
      ("1e", .unexpectedEnd, 2), ("{\"a\":1,", .unexpectedEnd, 7), ("[1,", .unexpectedEnd, 3),
      ("[,1]", .valueExpected, 1), ("[1,]", .valueExpected, 3), ("[1,,2]", .valueExpected, 3),
      ("+1", .valueExpected, 0),
      (".5", .valueExpected, 0), ("'a'", .valueExpected, 0), ("NaN", .valueExpected, 0),
      ("]", .valueExpected, 0),
      ("{\"a\":}", .valueExpected, 5), ("\u{FEFF}1", .valueExpected, 0), ("\u{A0}1", .valueExpected, 0),
      ("\u{C}1", .valueExpected, 0), ("/**/1", .valueExpected, 0), ("Infinity", .valueExpected, 0),
      ("{1:2}", .nameExpected, 1), ("{\"a\":1,}", .nameExpected, 7), ("{,}", .nameExpected, 1),
      ("{a:1}", .nameExpected, 1),
      ("{\"a\" 1}", .colonExpected, 5), ("{\"a\",1}", .colonExpected, 4),
      ("[1 2]", .separatorExpected, 3), ("[1}", .separatorExpected, 2), ("{\"a\":1]", .separatorExpected, 6),
      ("{\"a\":1 \"b\":2}", .separatorExpected, 7), ("[1:2]", .separatorExpected, 2),
      ("[0x1]", .separatorExpected, 2),
      ("01", .malformedNumber, 1), ("-01", .malformedNumber, 2), ("-a", .malformedNumber, 1),
      ("1.e1", .malformedNumber, 2),
      ("1e+ ", .malformedNumber, 3), ("[1.]", .malformedNumber, 3), ("--1", .malformedNumber, 1),
      ("tru", .malformedLiteral, 0), ("nul", .malformedLiteral, 0), ("[True]", .valueExpected, 1),
      ("falsE", .malformedLiteral, 0),
      ("\"\u{1F}\"", .controlCharacter, 1), ("\"a\nb\"", .controlCharacter, 2),
      ("\"12345678\t\"", .controlCharacter, 9),
      ("\"\\x\"", .malformedEscape, 1), ("\"\\u12G4\"", .malformedEscape, 1),
      ("\"\\u123\"", .malformedEscape, 1),
      ("\"\\U0041\"", .malformedEscape, 1), ("\"\\u\"", .malformedEscape, 1),
      ("\"\\u+041\"", .malformedEscape, 1),
      ("\"\\uD800\"", .malformedEscape, 1), ("\"\\uDC00\"", .malformedEscape, 1),
      ("\"\\uD800\\uD800\"", .malformedEscape, 1), ("\"\\uDC00\\uDC00\"", .malformedEscape, 1),
      ("\"\\uD800\\n\"", .malformedEscape, 1), ("\"a\\uD83Dx\\uDE00\"", .malformedEscape, 2),
      ("1 2", .trailingGarbage, 2), ("{}}", .trailingGarbage, 2), ("[]\0", .trailingGarbage, 2),
      ("truefalse", .trailingGarbage, 4),
      ("1a", .trailingGarbage, 1),
      ("{\"a\":1,\"a\":1}", .duplicateName, 7), ("{\"a\":1,\"\\u0061\":1}", .duplicateName, 7),
      ("{\"\\u0061\":1,\"\\u0061\":1}", .duplicateName, 12),
      ("[{\"b\":{\"a\":1,\"c\":2,\"a\":1}}]", .duplicateName, 19),
      ("{\"\":1,\"\":1}", .duplicateName, 6), ("{\"\u{1F600}\":1,\"\\ud83d\\ude00\":1}", .duplicateName, 10),
      ("{\"/\":1,\"\\/\":1}", .duplicateName, 7),
    ] as [(String, JSONError.Reason, Int)]
  )
  func refusesInvalidText(_ text: String, _ reason: JSONError.Reason, _ offset: Int) {
    #expect(refusal(of: Array(text.utf8)) == JSONError(reason, at: offset))
  }

  @Test(
    arguments: [
      [0x80], [0xBF], [0xC0, 0x80], [0xC1, 0xBF], [0xC2], [0xC2, 0x41], [0xE0, 0x9F, 0xBF],
      [0xE0, 0x80, 0x80],
      [0xED, 0xA0, 0x80], [0xED, 0xBF, 0xBF], [0xE1, 0x80], [0xE1, 0x80, 0x41], [0xF0, 0x8F, 0xBF, 0xBF],
      [0xF4, 0x90, 0x80, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xFF], [0xFE], [0xF0, 0x90, 0x80],
      [0xF0, 0x90, 0x80, 0x41],
    ] as [[UInt8]]
  )
  func refusesMalformedUTF8(_ sequence: [UInt8]) {
    for prefix in ["", "12345", "12345678", "123456789012345"] {
      let text = Array("\"\(prefix)".utf8) + sequence + Array("\"".utf8)
      #expect(refusal(of: text) == JSONError(.malformedUTF8, at: 1 + prefix.utf8.count))
      #expect(refusal(of: Array("{".utf8) + text + Array(":1}".utf8))?.reason == .malformedUTF8)
    }
  }

  @Test func refusesMultibyteScalarAtEnd() {
    #expect(refusal(of: [0x22, 0xC3])?.reason == .malformedUTF8)
    #expect(refusal(of: [0x22, 0xF0, 0x9F, 0x98])?.reason == .malformedUTF8)
  }

  @Test(arguments: [("[", "]"), ("{\"a\":", "}"), ("[{\"a\":", "}]")])
  func nestsUpToTheLimit(open: String, close: String) {
    let levels = open.hasPrefix("[{") ? 2 : 1
    let text = { (depth: Int) in
      Array((String(repeating: open, count: depth) + "1" + String(repeating: close, count: depth)).utf8)
    }
    #expect(refusal(of: text(64 / levels)) == nil)
    #expect(refusal(of: Array("[".utf8) + text(64 / levels) + Array("]".utf8))?.reason == .nestedTooDeeply)
    #expect(refusal(of: Array(String(repeating: open, count: 100_000).utf8))?.reason == .nestedTooDeeply)
  }

  @Test func levelsBesideEachOtherDoNotAdd() {
    #expect(
      refusal(of: Array("[\(Array(repeating: "[[]]", count: 100).joined(separator: ","))]".utf8)) == nil
    )
  }

  @Test func nestingLimitCanBeLower() {
    var document = JSONDocument()
    let text = Array("[[1]]".utf8)
    #expect(throws: JSONError(.nestedTooDeeply, at: 1)) {
      _ = try document.parse(text.span, nestingLimit: 1).kind
    }
  }

  @Test(.timeLimit(.minutes(20)), arguments: [1, 23, 24, 25, 100, 100_000])
  func findsDuplicatesAmongAnyNumberOfMembers(count: Int) {
    let members = (0..<count).map { "\"name\($0)\":0" }.joined(separator: ",")
    #expect(refusal(of: Array("{\(members)}".utf8)) == nil)
    for last in ["name0", "name\(count - 1)", "\\u006eame\(count / 2)"] {
      let text = "{\(members),\"\(last)\":0}"
      let offset = members.utf8.count + 2
      #expect(refusal(of: Array(text.utf8)) == JSONError(.duplicateName, at: offset))
    }
  }

  @Test(.timeLimit(.minutes(20))) func longNamesThatDifferAtTheEndAreDistinct() {
    let prefix = String(repeating: "n", count: 10_000)
    let members = (0..<100).map { "\"\(prefix)\($0)\":0" }.joined(separator: ",")
    #expect(refusal(of: Array("{\(members)}".utf8)) == nil)
  }

  @Test func canBeUsedAgainAfterAnError() throws {
    var document = JSONDocument()
    let (bad, good) = (Array("[1,[2,{\"a\":3".utf8), Array("[true]".utf8))
    #expect(throws: JSONError.self) { _ = try document.parse(bad.span).kind }
    let tree = JSONTree(try document.parse(good.span))
    #expect(tree == .array([.bool(true)]))
  }

  @Test(arguments: 0..<200 as Range<UInt64>)
  func whatIsWrittenIsRead(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let tree = JSONTree.random(using: &random)
    var writer = JSONWriter()
    tree.encode(to: &writer)
    #expect(try parsing(writer.takeBytes(), JSONTree.init) == tree)
    var text: [UInt8] = []
    tree.write(to: &text, using: &random)
    #expect(try parsing(text, JSONTree.init) == tree)
  }

  @Test(arguments: 0..<40 as Range<UInt64>)
  func mutatedTextIsReadOrRefused(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    var writer = JSONWriter()
    JSONTree.random(using: &random).encode(to: &writer)
    let text = writer.takeBytes()
    var document = JSONDocument()
    for _ in 0..<200 {
      let mutated = text.mutated(using: &random)
      guard let value = try? document.parse(mutated.span) else { continue }
      // Reading the whole value must not trap. An accepted text has to be UTF-8.
      _ = JSONTree(value)
      #expect(String(validating: mutated, as: UTF8.self) != nil)
    }
  }
}

extension [UInt8] {
  /// Returns a copy with a few bytes changed, added or left out.
  func mutated(using random: inout some RandomNumberGenerator) -> [UInt8] {
    var copy = self
    for _ in 0..<Int.random(in: 1...4, using: &random) {
      let index = Int.random(in: 0...copy.count, using: &random)
      let byte =
        Bool.random(using: &random)
        ? UInt8.random(in: 0...255, using: &random)
        : Array("{}[],:\"\\u0d8e-1.".utf8).randomElement(using: &random)!
      switch Int.random(in: 0..<3, using: &random) {
      case 0: copy.insert(byte, at: index)
      case 1 where index < copy.count: copy[index] = byte
      case 2 where index < copy.count: copy.remove(at: index)
      default: copy = Array(copy.prefix(index))
      }
    }
    return copy
  }
}
