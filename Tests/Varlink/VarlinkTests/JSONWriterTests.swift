import Testing
import Varlink

private struct Point: ObjectEncodable {
  var x: Int64
  var label: String?

  func encodeMembers(to object: inout JSONWriter) {
    object.member("x", x)
    object.member("label", ifPresent: label)
  }
}

private enum Color: String, JSONEncodable { case red }

struct JSONWriterTests {
  @Test func commasComeByThemselves() {
    let text = written { writer in
      writer.beginObject()
      writer.member("a", 1 as Int64)
      writer.member("b", [Point(x: 1, label: nil), Point(x: 2, label: "two")])
      writer.member("c", [] as [String])
      writer.member("d", ["x", "y"])
      writer.name("e")
      writer.null()
      writer.name("f")
      writer.beginArray()
      ([1, 2] as [Int64]).encode(to: &writer)
      ([:] as [String: Bool]).encode(to: &writer)
      Color.red.encode(to: &writer)
      writer.endArray()
      writer.member("g", ["z": true, "y": false])
      writer.endObject()
    }
    #expect(
      text
        == #"{"a":1,"b":[{"x":1},{"x":2,"label":"two"}],"c":[],"d":["x","y"],"e":null,"f":[[1,2],{},"red"],"#
        + #""g":{"y":false,"z":true}}"#
    )
  }

  @Test(arguments: [
    ("", "\"\""), ("abc", "\"abc\""), ("\"\\/", #""\"\\/""#), ("\u{8}\t\n\u{C}\r", #""\b\t\n\f\r""#),
    ("\0\u{1F}\u{7F}", "\"\\u0000\\u001f\u{7F}\""), ("12345678\"", #""12345678\"""#),
    ("é\u{1F600}", "\"é\u{1F600}\""),
    ("1234567\n90123456\\8", #""1234567\n90123456\\8""#),
    ("\u{A0}\u{E0A0}\u{2028}", "\"\u{A0}\u{E0A0}\u{2028}\""),
  ])
  func stringsAreEscapedAsNeeded(_ string: String, _ json: String) {
    #expect(written { $0.value(string) } == json)
    #expect(written { $0.value(utf8: Array(string.utf8).span) } == json)
  }

  /// The writer copies strings in steps of several bytes, and the last two steps may overlap.
  @Test(arguments: 0...40) func stringsOfAnyLengthAreCopied(_ length: Int) {
    let plain = String("é0123456789abcdefghijklmnopqrstuvwxyz".unicodeScalars.prefix(length))
    #expect(written { $0.value(plain) } == "\"\(plain)\"")
    for position in 0..<length {
      var scalars = Array(repeating: "x" as Unicode.Scalar, count: length)
      scalars[position] = "\\"
      let text = String(String.UnicodeScalarView(scalars))
      #expect(written { $0.value(text) } == "\"\(text.replacing("\\", with: "\\\\"))\"")
    }
  }

  @Test(
    arguments: [
      (0, "0"), (7, "7"), (-1, "-1"), (10, "10"), (.max, "9223372036854775807"),
      (.min, "-9223372036854775808"),
    ]
      as [(Int64, String)]
  )
  func integersAreDecimal(_ integer: Int64, _ json: String) {
    #expect(written { $0.value(integer) } == json)
  }

  @Test(
    arguments: [
      (0.1, "0.1"), (1, "1.0"), (.pi, "3.141592653589793"), (1e300, "1e+300"), (.nan, "null"),
      (-.infinity, "null"),
    ] as [(Double, String)]
  )
  func doublesAreShortest(_ double: Double, _ json: String) {
    #expect(written { $0.value(double) } == json)
  }

  @Test func absentMembersAreLeftOut() {
    let text = written { writer in
      writer.beginObject()
      writer.member("a", ifPresent: nil as String?)
      writer.member("b", ifPresent: nil as Int64?)
      writer.member("c", ifPresent: nil as Bool?)
      writer.member("d", ifPresent: nil as [String]?)
      writer.member("e", ifPresent: false)
      writer.member("f", ifPresent: 0 as Int64)
      writer.member("g", ifPresent: "")
      writer.endObject()
    }
    #expect(text == #"{"e":false,"f":0,"g":""}"#)
  }

  @Test func rawValuesAreCopied() throws {
    let raw = "{ \"n\" : 1.0 }"
    let object = try parsing(raw) { try RawObject(from: $0) }
    let text = written { writer in
      writer.beginArray()
      object.encode(to: &writer)
      object.encode(to: &writer)
      writer.endArray()
    }
    #expect(text == "[\(raw),\(raw)]")
  }

  @Test func whatWasWrittenIsTaken() {
    var writer = JSONWriter()
    writer.value(true)
    #expect(writer.count == 4)
    #expect(writer.takeBytes() == Array("true".utf8))
    writer.value("next")
    #expect(writer.takeBytes() == Array("\"next\"".utf8))
    writer.value(false)
    writer.removeAll()
    #expect(writer.count == 0)
  }
}
