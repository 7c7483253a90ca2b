import Foundation
import InterfaceGeneration
import Testing

/// Tests generated code for features that the package's own interfaces do not have, or do not combine.
struct GeneratedTextTests {
  /// Returns the lines of the file that is generated for `name`, without leading spaces.
  private func lines(
    of name: String,
    in description: String,
    _ options: (inout GeneratedInterface) -> Void = { _ in }
  ) throws -> [String] {
    let package = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: package, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: package) }
    let source = "interface org.example.test\n\(description)"
    try source.write(to: package.appending(path: "test.varlink"), atomically: true, encoding: .utf8)
    var interface = GeneratedInterface(description: "test.varlink")
    options(&interface)
    let files = try interface.files(in: package)
    let text = try #require(files.first { $0.key.lastPathComponent == name + ".swift" }?.value)
    return text.split(separator: "\n").map { String($0.drop { $0 == " " }) }
  }

  @Test(arguments: [
    ("bool", "Bool"), ("int", "Int64"), ("float", "Double"), ("string", "String"), ("object", "RawObject"),
    ("?string", "String?"), ("[]string", "[String]"), ("?[]int", "[Int64]"),
    ("[string]bool", "[String: Bool]"),
    ("[]?[string]int", "[[String: Int64]?]"), ("[string]()", "[String: NoParameters]"), ("Other", "Other"),
    ("(a: int)", "SomeField"), ("?[](a: int)", "[SomeField]"), ("(one, two)", "SomeField"),
  ])
  func typesOfFields(_ type: String, _ swift: String) throws {
    let lines = try lines(of: "T", in: "type T (some_field: \(type))\ntype Other (x: int)")
    #expect(lines.contains("package let someField: \(swift)"))
    #expect(
      lines.contains { $0.hasSuffix("SomeField: String, JSONDecodable, JSONEncodable, Sendable {") }
        == type.hasPrefix("(one")
    )
  }

  @Test func nullableArraysAreEmptyOnesUnlessNullIsMeant() throws {
    let source = "type T (one: ?[]string, two: ?[]string)"
    let lines = try lines(of: "T", in: source) { $0.nullableArrays = ["T.two"] }
    for line in [
      "package let one: [String]", "one: reader.array(\"one\")", "writer.member(\"one\", unlessEmpty: one)",
      "package let two: [String]?", "two: reader.optional(\"two\")", "writer.member(\"two\", ifPresent: two)",
    ] {
      #expect(lines.contains { $0.contains(line) })
    }
  }

  @Test(arguments: [
    ("sceneId", "sceneID"), ("ids", "ids"), ("sceneIds", "sceneIDs"), ("client_id", "clientID"),
    ("idle", "idle"), ("isIdle", "isIdle"), ("webpageURL", "webpageURL"),
    ("resolvedUrl", "resolvedURL"), ("urlencoded", "urlencoded"), ("a_b_c", "aBC"),
    ("struct", "`struct`"),
  ])
  func namesOfFields(_ name: String, _ swift: String) throws {
    let lines = try lines(of: "T", in: "type T (\(name): int)")
    #expect(lines.contains("package let \(swift): Int64"))
    #expect(lines.contains("writer.member(\"\(name)\", \(swift))"))
  }

  @Test(arguments: [
    ("# One sentence", ["/// One sentence."]),
    ("# One.\n# Another. And\n# one more.", ["/// One.", "///", "/// Another. And one more."]),
    (
      "# [Supports 'more' flag]\n# Does it. Well.",
      ["/// Does it.", "///", "/// Well.", "///", "/// Supports 'more' flag."]
    ),
    ("# First.\n#\n# Last.", ["/// First.", "///", "/// Last."]),
    ("", []), ("#\n#\n#", []),
  ])
  func commentsBeginWithOneSentence(_ comment: String, _ documentation: [String]) throws {
    let lines = try lines(of: "T", in: "\(comment)\ntype T ()")
    #expect(Array(lines.dropFirst(2).prefix { $0.hasPrefix("///") }) == documentation)
  }

  @Test(arguments: [
    (GeneratedInterface.Access.internal, "", "import Varlink"),
    (.package, "package ", "package import Varlink"), (.public, "public ", "public import Varlink"),
  ])
  func otherPackagesSayWhoSeesTheTypes(
    _ access: GeneratedInterface.Access,
    _ word: String,
    _ imported: String
  )
    throws
  {
    let description = "method M(package: ?int) -> ()\n# package of \"\"\"#\nerror E ()"
    func generated(_ name: String) throws -> [String] {
      try lines(of: name, in: description) {
        $0.access = access
        $0.writesNamespace = true
      }
    }
    let method = try generated("M")
    #expect(method.contains(imported) && method.contains("extension Test {"))
    #expect(method.contains("\(word)struct M: MethodCall {") && method.contains("\(word)var package: Int64?"))
    #expect(method.contains { $0.hasPrefix("package ") } == (access == .package))
    #expect(try generated("TestError").contains("\(word)enum TestError: ErrorReply, Equatable {"))
    let ignored = "// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation"
    #expect(method.contains(ignored) == (access == .public))
    let namespace = try generated("Test")
    #expect(namespace.contains("\(word)enum Test {"))
    #expect(namespace.contains("\(word)static let interfaceDescription = ##\"\"\""))
    #expect(namespace.contains("method M(package: ?int) -> ()"))
    #expect(namespace.contains("# package of \"\"\"#"))
  }

  @Test func longCommentsAreWrapped() throws {
    let word = "twelve-bytes"
    let comment = "# " + Array(repeating: word, count: 20).joined(separator: " ") + "."
    let lines = try lines(of: "T", in: "type T (\n\(comment)\na: int)")
    #expect(lines.count { $0.contains(word) } == 3)
    #expect(lines.allSatisfy { $0.utf8.count <= 104 })
  }

  @Test func repliesLikeThoseBeforeAreOfTheirType() throws {
    let description = """
      method A() -> (x: int, y: string)
      method B() -> (
        # With a comment.
        x: int, y: string)
      method C() -> (x: int)
      method D() -> ()
      """
    #expect(try lines(of: "A", in: description).contains { $0.hasPrefix("package struct Reply") })
    #expect(try lines(of: "B", in: description).contains("package typealias Reply = A.Reply"))
    #expect(try lines(of: "C", in: description).contains { $0.hasPrefix("package struct Reply") })
    #expect(try lines(of: "D", in: description).contains("package typealias Reply = NoParameters"))
  }

  @Test func whatTheDescriptionDoesNotSayIsGiven() throws {
    let description = """
      method M(limit: ?int, size: ?int, last: int) -> (one: ?string, other: ?int)
      type V (a: ?int, b: ?int)
      type W (v: V)
      """
    let method = try lines(of: "M", in: description) {
      $0.minima = ["M.limit": 3]
      $0.methodsOfManyReplies = ["M"]
    }
    #expect(method.contains(#"limit: reader.optional("limit", atLeast: 3),"#))
    #expect(method.contains(#"size: reader.optional("size"),"#))
    #expect(method.contains("case other(Int64)"))
    let value = try lines(of: "V", in: description) {
      $0.declaredTypes = ["V": .public]
      $0.propertyNames = ["V.a": "x"]
    }
    #expect(value.contains("extension V: ObjectDecodable, ObjectEncodable {"))
    #expect(value.contains("public init(from reader: inout ObjectReader) throws(ParameterError) {"))
    #expect(value.contains(#"try self.init(x: reader.optional("a"), b: reader.optional("b"))"#))
    #expect(value.contains(#"writer.member("a", ifPresent: x)"#))
    #expect(!value.contains { $0.contains("let ") })
    #expect(try lines(of: "W", in: description).contains(#"v.encode(as: "v", to: &writer)"#))
  }

  @Test func typesHaveTheNamesThatAreGiven() throws {
    let description = """
      type V (kind: string, other: ?string)
      method M() -> (v: ?V)
      method N() -> (x: int)
      error E (v: V)
      """
    func lines(of name: String) throws -> [String] {
      try self.lines(of: name, in: description) {
        $0.namesMessages = true
        $0.typeNames = ["V": "Outer.Value"]
        $0.declaredTypes = ["V": .package]
        $0.openEnumerations = ["V.kind", "V.other"]
        $0.replyTypes = ["N": "Number"]
      }
    }
    let value = try lines(of: "Outer+Value")
    #expect(value.contains("extension Outer.Value: ObjectDecodable, ObjectEncodable {"))
    #expect(value.contains(#"kind: .init(rawValue: reader.required("kind")),"#))
    #expect(value.contains(#"other: reader.optional("other").map { .init(rawValue: $0) }"#))
    #expect(value.contains(#"writer.member("kind", kind.rawValue)"#))
    #expect(value.contains(#"writer.member("other", ifPresent: other?.rawValue)"#))
    #expect(try lines(of: "MCall").contains("package let v: Outer.Value?"))
    #expect(try lines(of: "NCall").contains("package typealias Reply = Number"))
    #expect(try lines(of: "Number").contains("extension Number: ObjectDecodable, ObjectEncodable {"))
    #expect(try lines(of: "TestErrorReply").contains("case e(Outer.Value)"))
  }

  @Test func errorsAreCasesOfOneType() throws {
    let lines = try lines(
      of: "TestError",
      in: "error None ()\nerror OneId (x: ?int)\nerror Two (x: int, y_z: string)"
    )
    #expect(lines.contains("case none"))
    #expect(lines.contains("case oneID(Int64?)"))
    #expect(lines.contains("case two(x: Int64, yZ: String)"))
    #expect(lines.contains("case expectedMore"), "Any method can end in it.")
  }
}
