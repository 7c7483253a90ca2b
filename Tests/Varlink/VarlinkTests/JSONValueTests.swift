import Testing
import Varlink

struct JSONValueTests {
  @Test(
    arguments: [
      ("0", 0), ("-0", 0), ("42", 42), ("-7", -7), ("9223372036854775807", .max),
      ("-9223372036854775808", .min),
      ("9223372036854775808", nil), ("-9223372036854775809", nil), ("99999999999999999999999", nil),
      ("1.0", nil),
      ("1e0", nil), ("\"1\"", nil), ("true", nil), ("null", nil), ("[1]", nil),
    ] as [(String, Int64?)]
  )
  func integersAreWrittenAsIntegers(_ text: String, _ integer: Int64?) throws {
    #expect(try parsing(text) { $0.integerValue } == integer)
  }

  @Test(
    arguments: [
      ("0", 0), ("1.5", 1.5), ("3.141592653589793", .pi), ("1e400", nil), ("5e-324", .leastNonzeroMagnitude),
      ("-1E2", -100), ("\"1\"", nil),
      ("null", nil),
    ] as [(String, Double?)]
  )
  func doublesAreNumbers(_ text: String, _ double: Double?) throws {
    #expect(try parsing(text) { $0.doubleValue } == double)
  }

  @Test(
    arguments: [("true", true), ("false", false), ("0", nil), ("\"true\"", nil), ("null", nil)]
      as [(String, Bool?)]
  )
  func truthValuesAreLiterals(_ text: String, _ bool: Bool?) throws {
    #expect(try parsing(text) { $0.boolValue } == bool)
  }

  @Test(
    arguments: [
      ("\"\"", ""), ("\"abc\"", "abc"), ("\"\\u0061\"", "a"),
      ("\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"", "\"\\/\u{8}\u{C}\n\r\t"),
      ("\"x\\ud83d\\ude00y\"", "x\u{1F600}y"), ("\"\\u0000\"", "\0"), ("\"é\\u00E9\"", "éé"), ("1", nil),
      ("null", nil),
    ] as [(String, String?)]
  )
  func stringsAreUnescaped(_ json: String, _ string: String?) throws {
    #expect(try parsing(json) { $0.stringValue } == string)
    var utf8: [UInt8] = []
    #expect(try parsing(json) { $0.appendUTF8(to: &utf8) } == (string != nil))
    #expect(utf8 == Array((string ?? "").utf8))
  }

  @Test(arguments: [
    ("\"ab\"", true), ("\"\\u0061b\"", true), ("\"abc\"", false), ("\"a\"", false), ("\"AB\"", false),
    ("1", false),
  ])
  func equalityIsOfScalars(_ json: String, _ isEqual: Bool) throws {
    #expect(try parsing(json) { $0.equals("ab") } == isEqual)
  }

  @Test(arguments: [
    "{}", "{ \"n\" : [ 1.0 , 1e0, -0, 1E+2 ] }", "{\"a\":\"\\u0041\\/\",\"b\":true}",
    "{\"z\":1,\"a\":2,\"m\":{\"y\":null}}",
    "{\"big\":123456789012345678901234567890.10}",
  ])
  func rawBytesAreAsReceived(_ object: String) throws {
    let raw = try parsing(" [ 1, \(object) , 2 ] ") { value in
      var elements = value.elements
      _ = elements.next()
      guard let element = elements.next() else { return nil as String? }
      return text(element.rawBytes)
    }
    #expect(raw == object)
    #expect(try parsing(object) { try RawObject(from: $0) }.bytes == Array(object.utf8))
  }

  @Test func scalarsHaveNeitherElementsNorMembers() throws {
    #expect(
      try parsing("1") { value in
        var (elements, count) = (value.elements, 0)
        while elements.next() != nil { count += 1 }
        var members = value.members
        while members.next() != nil { count += 1 }
        return count
      } == 0
    )
  }
}
