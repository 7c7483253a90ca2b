import InterfaceText
import RandomNumbers
import Testing
import Varlink

#if canImport(Glibc)
import Glibc
#else
import Musl
#endif

struct InterfaceParserTests {
  @Test func readsAllKindsOfMembersAndTypes() throws {
    let source = """
      # About the interface.
      # In two lines.
      interface org.example-1.test2

      # Not about anything.

      # About Color.
      type Color (red, green)
      type Thing (
        # About flag.
        flag: bool,
        # About both,
        # in two lines.
        count: ?int, ratio: float,
        color: Color,
        names: []string,
        map: [string]?[]Thing,
        any_object: object, # no documentation
        inner: ?(a: (x, y), b: ())
      )

      method Do(thing: Thing) -> (done: bool)
      # About nothing.
      method Nothing ( ) -> ( )
      error Failed (why: ?string)
      """
    let interface = try InterfaceDescription(parsing: source)
    #expect(interface.name == "org.example-1.test2")
    #expect(interface.documentation == "About the interface.\nIn two lines.")
    #expect(
      interface.text == """
        interface org.example-1.test2
        type Color (red, green)
        type Thing (flag: bool, count: ?int, ratio: float, color: Color, names: []string, \
        map: [string]?[]Thing, any_object: object, inner: ?(a: (x, y), b: ()))
        method Do(thing: Thing) -> (done: bool)
        method Nothing() -> ()
        error Failed (why: ?string)
        """
    )
    #expect(interface.types.map(\.documentation) == ["About Color.", ""])
    #expect(interface.methods.map(\.documentation) == ["", "About nothing."])
    #expect(interface.errors.map(\.documentation) == [""])
    guard case .structure(let fields) = interface.types[1].type else { return #expect(Bool(false)) }
    let documentation = ["About flag.", "About both,\nin two lines.", "", "", "", "", "", ""]
    #expect(fields.map(\.documentation) == documentation)
  }

  @Test(arguments: [
    ("", 1, 1, "'interface' is expected"),
    ("# only a comment", 1, 17, "'interface' is expected"),
    ("type A ()", 1, 1, "'interface' is expected"),
    ("interface", 1, 10, "an interface name is expected"),
    ("interface example", 1, 11, "an interface name is expected"),
    ("interface 1a.b", 1, 11, "an interface name is expected"),
    ("interface a..b", 1, 11, "an interface name is expected"),
    ("interface a.b-", 1, 11, "an interface name is expected"),
    ("interface a.-b", 1, 11, "an interface name is expected"),
    ("interface a.b type A ()", 1, 15, "a new line is expected"),
    ("interface a.b\ntype A () type B ()", 2, 11, "a new line is expected"),
    ("interface a.b\nfoo A ()", 2, 1, "'type', 'method' or 'error' is expected"),
    ("interface a.b\n)", 2, 1, "'type', 'method' or 'error' is expected"),
    ("interface a.b\ntype a ()", 2, 6, "a name that starts with a capital letter is expected"),
    ("interface a.b\ntype A ()\nerror A ()", 3, 7, "'A' is there already"),
    ("interface a.b\ntype A (b: int, b: int)", 2, 17, "'b' is there already"),
    ("interface a.b\ntype A (b, b)", 2, 12, "'b' is there already"),
    ("interface a.b\ntype A", 2, 7, "'(' is expected"),
    ("interface a.b\ntype A (b: )", 2, 12, "a type is expected"),
    ("interface a.b\ntype A (b: any)", 2, 12, "a type is expected"),
    ("interface a.b\ntype A (b: ??int)", 2, 13, "a type cannot be nullable twice"),
    ("interface a.b\ntype A (b: [int]int)", 2, 12, "a type is expected"),
    ("interface a.b\ntype A (b: int,)", 2, 16, "a field name is expected"),
    ("interface a.b\ntype A (b: int", 2, 15, "')' is expected"),
    ("interface a.b\ntype A (b: int c: int)", 2, 16, "')' is expected"),
    ("interface a.b\ntype A (b, c: int)", 2, 13, "')' is expected"),
    ("interface a.b\ntype A (b: int, c)", 2, 18, "':' is expected"),
    ("interface a.b\ntype A (_b: int)", 2, 9, "a field name is expected"),
    ("interface a.b\ntype A (b_: int)", 2, 9, "a field name is expected"),
    ("interface a.b\ntype A (b__c: int)", 2, 9, "a field name is expected"),
    ("interface a.b\ntype A (1b: int)", 2, 9, "a field name is expected"),
    ("interface a.b\nmethod A() ()", 2, 12, "'->' is expected"),
    ("interface a.b\nmethod A(b, c) -> ()", 2, 9, "fields with types are expected"),
    ("interface a.b\nerror A (b: B)", 2, 13, "there is no type 'B'"),
    ("interface a.b\nmethod M() -> ()\nerror A (b: ?[]M)", 3, 16, "there is no type 'M'"),
  ])
  func errorsNameLineAndColumn(_ source: String, _ line: Int, _ column: Int, _ message: String) {
    let error = #expect(throws: InterfaceDescriptionError.self) { try InterfaceDescription(parsing: source) }
    #expect(error?.description == "\(line):\(column): \(message).")
  }

  @Test func typesAreNestedUpToALimit() {
    let nested = { (depth: Int) in
      "interface a.b\ntype A (a: \(String(repeating: "[]", count: depth - 1))int)\n"
    }
    #expect(throws: Never.self) { try InterfaceDescription(parsing: nested(64)) }
    #expect(throws: InterfaceDescriptionError.self) { try InterfaceDescription(parsing: nested(65)) }
    #expect(throws: InterfaceDescriptionError.self) { try InterfaceDescription(parsing: nested(100_000)) }
  }

  @Test func readsTheCertificationInterface() throws {
    let interface = try InterfaceDescription(parsing: certificationSource)
    #expect(interface.methods.map(\.name).first == "Start" && interface.methods.count == 13)
    #expect(interface.types.map(\.name) == ["Interface", "MyType"])
    guard case .structure(let fields) = interface.types[0].type else { return #expect(Bool(false)) }
    #expect(fields[0].type == .nullable(.array(.nullable(.map(.enumeration(["foo", "bar", "baz"]))))))
  }

  @Test(arguments: ["io.scened.Router", "io.scened.Manager"])
  func readsTheInterfacesOfTheService(_ name: String) throws {
    let source = try interfaceSource(name)
    let interface = try InterfaceDescription(parsing: source)
    #expect(interface.name == name)
    let lines = source.split(separator: "\n")
    #expect(interface.types.count == lines.count { $0.hasPrefix("type ") })
    #expect(interface.methods.count == lines.count { $0.hasPrefix("method ") })
    #expect(interface.errors.count == lines.count { $0.hasPrefix("error ") })
    #expect(!interface.documentation.isEmpty)
    #expect(interface.methods.allSatisfy { !$0.documentation.isEmpty })
    #expect(try InterfaceDescription(parsing: interface.text).text == interface.text)
  }

  @Test(arguments: 0..<20 as Range<UInt64>)
  func mutatedDescriptionsAreReadOrRefused(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let source = Array(certificationSource.utf8)
    for _ in 0..<50 {
      let mutated = String(decoding: source.mutated(using: &random), as: UTF8.self)
      guard let interface = try? InterfaceDescription(parsing: mutated) else { continue }
      #expect(try InterfaceDescription.name(in: mutated) == interface.name)
    }
  }
}

/// Returns the description of an interface of the module `RouterInterface`.
private func interfaceSource(_ name: String, _ file: String = #filePath) throws -> String {
  let project = file.split(separator: "/", omittingEmptySubsequences: false).dropLast(4).joined(
    separator: "/"
  )
  let descriptor = open("\(project)/Sources/Router/RouterInterface/\(name).varlink", O_RDONLY)
  try #require(descriptor >= 0)
  defer { close(descriptor) }
  var bytes = [UInt8](repeating: 0, count: 1 << 20)
  let count = read(descriptor, &bytes, bytes.count)
  return String(decoding: bytes.prefix(max(count, 0)), as: UTF8.self)
}
