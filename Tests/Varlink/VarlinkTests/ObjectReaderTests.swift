import Testing
import Varlink

private enum Color: String, JSONDecodable { case red, green }

private struct Leaf: ObjectDecodable, Equatable {
  var name: String
  var tags: [String]?

  init(from object: inout ObjectReader) throws(ParameterError) {
    name = try object.required("name")
    tags = try object.optional("tags")
  }
}

private struct Tree: ObjectDecodable {
  var count: Int64?
  var flag: Bool?
  var ratio: Double?
  var color: Color?
  var leaves: [Leaf]
  var leaf: Leaf?
  var map: [String: Int64]?
  var raw: RawObject?

  init(from object: inout ObjectReader) throws(ParameterError) {
    count = try object.optional("count")
    flag = try object.optional("flag")
    ratio = try object.optional("ratio")
    color = try object.optional("color")
    leaves = try object.required("leaves")
    leaf = try object.optional("leaf")
    map = try object.optional("map")
    raw = try object.optional("raw")
  }
}

struct ObjectReaderTests {
  @Test(arguments: [
    "{\"leaves\":[{\"name\":\"a\",\"tags\":[\"x\"]}],\"count\":1,\"flag\":true,\"ratio\":1,\"color\":\"red\",\"raw\":{\"x\": 1}}",
    "{\"raw\":{\"x\": 1},\"color\":\"red\",\"ratio\":1.0,\"flag\":true,\"count\":1,\"leaves\":[{\"tags\":[\"x\"],\"name\":\"a\"}]}",
    "{\"count\":1,\"\\u0066lag\":true,\"leaf\":null,\"ratio\":1e0,\"color\":\"r\\u0065d\",\"leaves\":[{\"name\":\"a\",\"tags\":[\"x\"]}],\"raw\":{\"x\": 1}}",
  ])
  func membersComeInAnyOrder(_ text: String) throws {
    let tree = try parsing(text) { try Tree(from: $0) }
    #expect(tree.count == 1 && tree.flag == true && tree.ratio == 1 && tree.color == .red && tree.leaf == nil)
    #expect(tree.leaves.map(\.name) == ["a"] && tree.leaves[0].tags == ["x"])
    #expect(tree.raw?.bytes == Array("{\"x\": 1}".utf8))
  }

  @Test func nullIsAbsentButNotEmpty() throws {
    #expect(try parsing("{\"name\":\"\",\"tags\":null}") { try Leaf(from: $0) }.tags == nil)
    #expect(try parsing("{\"name\":\"\"}") { try Leaf(from: $0) }.tags == nil)
    #expect(try parsing("{\"name\":\"\",\"tags\":[]}") { try Leaf(from: $0) }.tags == [])
  }

  @Test func mapsAreRead() throws {
    let map = try parsing("{\"leaves\":[],\"map\":{\"a\":1,\"b\":2}}") { try Tree(from: $0) }.map
    #expect(map == ["a": 1, "b": 2])
  }

  @Test(
    arguments: [
      ("[]", .wrongType, ""), ("null", .wrongType, ""), ("{}", .missing, "leaves"),
      ("{\"leaves\":null}", .missing, "leaves"),
      ("{\"leaves\":{}}", .wrongType, "leaves"), ("{\"leaves\":[],\"x\":1}", .unknown, "x"),
      ("{\"x\":null,\"leaves\":[]}", .unknown, "x"), ("{\"leaves\":[],\"Count\":1}", .unknown, "Count"),
      ("{\"leaves\":[],\"count\":1.0}", .wrongType, "count"),
      ("{\"leaves\":[],\"count\":1e0}", .wrongType, "count"),
      ("{\"leaves\":[],\"count\":\"1\"}", .wrongType, "count"),
      ("{\"leaves\":[],\"count\":true}", .wrongType, "count"),
      ("{\"leaves\":[],\"count\":9223372036854775808}", .notAllowed, "count"),
      ("{\"leaves\":[],\"flag\":1}", .wrongType, "flag"),
      ("{\"leaves\":[],\"flag\":\"true\"}", .wrongType, "flag"),
      ("{\"leaves\":[],\"ratio\":\"1\"}", .wrongType, "ratio"),
      ("{\"leaves\":[],\"color\":\"blue\"}", .notAllowed, "color"),
      ("{\"leaves\":[],\"color\":1}", .wrongType, "color"), ("{\"leaves\":[],\"raw\":[]}", .wrongType, "raw"),
      ("{\"leaves\":[],\"map\":{\"a\":1,\"b\":\"2\"}}", .wrongType, "map.b"),
      ("{\"leaves\":[1]}", .wrongType, "leaves[0]"),
      ("{\"leaves\":[{\"name\":\"\"},{}]}", .missing, "leaves[1].name"),
      ("{\"leaves\":[{\"name\":\"\"},null]}", .wrongType, "leaves[1]"),
      ("{\"leaves\":[{\"name\":\"\",\"tags\":[\"\",\"\",2]}]}", .wrongType, "leaves[0].tags[2]"),
      ("{\"leaves\":[{\"name\":\"\",\"tags\":[null]}]}", .wrongType, "leaves[0].tags[0]"),
      ("{\"leaves\":[],\"leaf\":{\"name\":\"\",\"x.y\":{\"z\":[1]}}}", .unknown, "leaf.x.y"),
    ] as [(String, ParameterError.Reason, String)]
  )
  func errorsNameThePath(_ text: String, _ reason: ParameterError.Reason, _ path: String) {
    #expect(throws: ParameterError(reason, path: path)) { try parsing(text) { _ = try Tree(from: $0) } }
  }

  /// A string with more than 128 combining marks in a row is refused.
  ///
  /// No real text has so many marks. The time to compare such strings grows with the square of their length.
  @Test(arguments: ["\u{300}", "\u{20D0}", "\u{93E}", "\u{1D165}"], [0, 1, 100, 128, 255, 256, 700])
  func stringWithManyMarksInARowIsRefused(_ mark: String, at start: Int) throws {
    func text(_ marks: Int, runs: Int = 1) -> String {
      let run = "中" + String(repeating: mark, count: marks)
      return String(repeating: "x", count: start) + String(repeating: run, count: runs)
        + String(repeating: "é", count: 300)
    }
    let allowed = text(128, runs: 5)
    let leaf = try parsing("{\"name\":\"\(allowed)\"}") { try Leaf(from: $0) }
    #expect(leaf.name.utf8.elementsEqual(allowed.utf8))
    #expect(throws: ParameterError(.notAllowed, path: "leaves[0].name")) {
      try parsing("{\"leaves\":[{\"name\":\"\(text(129))\"}]}") { _ = try Tree(from: $0) }
    }
  }

  @Test func longStringOfLettersIsAllowed() throws {
    for letter in ["é", "я", "中", "e\u{301}", "한"] {
      let name = String(repeating: letter, count: 20_000)
      let leaf = try parsing("{\"name\":\"\(name)\"}") { try Leaf(from: $0) }
      #expect(leaf.name.utf8.elementsEqual(name.utf8))
    }
  }

  @Test func unknownMembersAreFoundBeyondTheFirst64() throws {
    let members = (0..<70).map { "\"m\($0)\":0" }.joined(separator: ",")
    let error = #expect(throws: ParameterError.self) {
      try parsing("{\"name\":\"\",\(members)}") { _ = try Leaf(from: $0) }
    }
    #expect(error?.path == "m0")
    let late = (0..<63).map { "\"m\($0)\":0" }.joined(separator: ",")
    let leaf = try parsing("{\(late),\"x\":0,\"name\":\"late\"}") { try Leaf(from: $0.decoding(.ignored)) }
    #expect(leaf.name == "late")
  }

  @Test func longNamesAreCutInErrors() throws {
    let name = String(repeating: "é", count: 100_000)
    let error = #expect(throws: ParameterError.self) {
      try parsing("{\"name\":\"\",\"\(name)\":1}") { _ = try Leaf(from: $0) }
    }
    #expect(error.map { $0.path.utf8.count < 1024 } == true)
  }

  @Test func unknownMembersCanBeIgnoredAtAnyDepth() throws {
    let text = "{\"x\":[1],\"leaves\":[{\"name\":\"a\",\"y\":{}}],\"z\":null}"
    #expect(try parsing(text) { try Tree(from: $0.decoding(.ignored)) }.leaves.map(\.name) == ["a"])
  }

  @Test func askingTwiceFindsTwice() throws {
    let found = try parsing("{\"a\":1,\"b\":2}") { value in
      var object = try ObjectReader(value)
      let found: [Int64] = [try object.required("b"), try object.required("b"), try object.required("a")]
      try object.finish()
      return found
    }
    #expect(found == [2, 2, 1])
  }

  /// No other name has the length of the name without the escape.
  @Test func askingAgainFindsAnEscapedName() throws {
    try parsing(#"{"\u0061":1}"#) { value in
      var object = try ObjectReader(value)
      for _ in 0..<2 { #expect(try object.optional("a") as Int64? == 1) }
    }
  }

  @Test(arguments: [#"{"a":1,"b":2}"#, #"{"b":2,"\u0061":1}"#])
  func askingAgainFindsAgain(_ text: String) throws {
    try parsing(text) { value in
      var object = try ObjectReader(value)
      for _ in 0..<2 {
        #expect(try object.optional("a") as Int64? == 1)
        #expect(try object.optional("c") as Int64? == nil)
        #expect(try object.optional("b") as Int64? == 2)
        #expect(try object.optional("long") as Int64? == nil)
        #expect(try object.optional("b") as Int64? == 2)
      }
      try object.finish()
    }
  }
}
