import Varlink

/// A JSON value that is independent of its text, so that written and read values can be compared.
indirect enum JSONTree: Equatable {
  case null
  case bool(Bool)
  case integer(Int64)
  case double(Double)
  case string([UInt8])
  case array([JSONTree])
  case object([Member])

  struct Member: Equatable {
    var name: [UInt8]
    var value: JSONTree
  }
}

// MARK: - Reading

extension JSONTree {
  /// Reads a value with all its elements and members.
  init(_ value: JSONValue) {
    switch value.kind {
    case .null:
      self = .null
    case .bool:
      self = .bool(value.boolValue!)
    case .integer:
      self = value.integerValue.map { .integer($0) } ?? .double(value.doubleValue ?? .nan)
    case .double:
      self = .double(value.doubleValue ?? .nan)
    case .string:
      self = .string(Self.utf8(value))
    case .array:
      var trees: [JSONTree] = []
      var elements = value.elements
      while let element = elements.next() { trees.append(JSONTree(element)) }
      self = .array(trees)
    case .object:
      var trees: [Member] = []
      var members = value.members
      while let member = members.next() {
        trees.append(Member(name: Self.utf8(member.name), value: JSONTree(member.value)))
      }
      self = .object(trees)
    }
  }

  private static func utf8(_ value: JSONValue) -> [UInt8] {
    var utf8: [UInt8] = []
    _ = value.appendUTF8(to: &utf8)
    return utf8
  }
}

// MARK: - Writing

extension JSONTree: JSONEncodable {
  func encode(to writer: inout JSONWriter) {
    switch self {
    case .null: writer.null()
    case .bool(let bool): writer.value(bool)
    case .integer(let integer): writer.value(integer)
    case .double(let double): writer.value(double)
    case .string(let utf8): writer.value(utf8: utf8.span)
    case .array(let elements): elements.encode(to: &writer)
    case .object(let members):
      writer.beginObject()
      for member in members {
        writer.name(String(decoding: member.name, as: UTF8.self))
        member.value.encode(to: &writer)
      }
      writer.endObject()
    }
  }

  /// Writes the value as another program might: with white space and needless escape sequences.
  func write(to text: inout [UInt8], using random: inout some RandomNumberGenerator) {
    writeSpace(to: &text, using: &random)
    switch self {
    case .null, .bool, .integer, .double:
      var writer = JSONWriter()
      encode(to: &writer)
      text += writer.takeBytes()
    case .string(let utf8):
      Self.write(utf8, to: &text, using: &random)
    case .array(let elements):
      text += "[".utf8
      for (index, element) in elements.enumerated() {
        if index > 0 { text += ",".utf8 }
        element.write(to: &text, using: &random)
      }
      writeSpace(to: &text, using: &random)
      text += "]".utf8
    case .object(let members):
      text += "{".utf8
      for (index, member) in members.enumerated() {
        if index > 0 { text += ",".utf8 }
        JSONTree.string(member.name).write(to: &text, using: &random)
        text += ":".utf8
        member.value.write(to: &text, using: &random)
      }
      writeSpace(to: &text, using: &random)
      text += "}".utf8
    }
    writeSpace(to: &text, using: &random)
  }

  private func writeSpace(to text: inout [UInt8], using random: inout some RandomNumberGenerator) {
    while Int.random(in: 0..<4, using: &random) == 0 {
      text.append(Array(" \n\r\t".utf8).randomElement(using: &random)!)
    }
  }

  private static func write(
    _ utf8: [UInt8],
    to text: inout [UInt8],
    using random: inout some RandomNumberGenerator
  ) {
    text += "\"".utf8
    for scalar in String(decoding: utf8, as: UTF8.self).unicodeScalars {
      let mustEscape = scalar.value < 0x20 || scalar == "\"" || scalar == "\\"
      guard mustEscape || Int.random(in: 0..<4, using: &random) == 0 else {
        text += String(scalar).utf8
        continue
      }
      for unit in String(scalar).utf16 {
        let digits = String(unit, radix: 16, uppercase: .random(using: &random))
        text += ("\\u" + String(repeating: "0", count: 4 - digits.count) + digits).utf8
      }
    }
    text += "\"".utf8
  }
}

// MARK: - Random values

extension JSONTree {
  static func random(depth: Int = 5, using random: inout some RandomNumberGenerator) -> JSONTree {
    switch Int.random(in: 0..<(depth > 0 ? 8 : 5), using: &random) {
    case 0: .null
    case 1: .bool(.random(using: &random))
    case 2: .integer(Int64(truncatingIfNeeded: random.next()) >> Int64.random(in: 0..<64, using: &random))
    case 3: .double(finiteDouble(using: &random))
    case 4: .string(string(using: &random))
    case 5, 6:
      .object(
        (0..<Int.random(in: 0..<40, using: &random) / depth).map { index in
          Member(
            name: Array("\(index) ".utf8) + string(using: &random),
            value: .random(depth: depth - 1, using: &random)
          )
        }
      )
    default:
      .array(
        (0..<Int.random(in: 0..<6, using: &random)).map { _ in .random(depth: depth - 1, using: &random) }
      )
    }
  }

  private static func finiteDouble(using random: inout some RandomNumberGenerator) -> Double {
    let double = Double(bitPattern: random.next())
    return double.isFinite ? double : 0.5
  }

  private static func string(using random: inout some RandomNumberGenerator) -> [UInt8] {
    let scalars: [ClosedRange<UInt32>] = [
      0x20...0x7E, 0...0x7F, 0x80...0x7FF, 0x800...0xD7FF, 0x10000...0x10FFFF,
    ]
    var string = ""
    for _ in 0..<Int.random(in: 0..<20, using: &random) {
      let range = scalars[min(Int.random(in: 0..<12, using: &random), 11) % scalars.count]
      string.unicodeScalars.append(Unicode.Scalar(UInt32.random(in: range, using: &random)) ?? "x")
    }
    return Array(string.utf8)
  }
}
