/// The texts by which clients know the numbers of the router.
///
/// A letter for the kind, four characters drawn when the service starts, and the number: names of an earlier run
/// are unknown instead of meaning something else. Up to nine digits they fit into a string without memory.
struct Names {
  private let run: String

  init(using generator: inout some RandomNumberGenerator) {
    let alphabet = Array("abcdefghijkmnpqrstuvwxyz23456789")
    run = String((0..<4).map { _ in alphabet[Int.random(in: 0..<alphabet.count, using: &generator)] })
  }

  /// The kinds of thing that have names.
  enum Kind: UInt8 {
    case scene = 0x73  // s
    case decision = 0x64  // d
    case delivery = 0x65  // e
    case openRequest = 0x6F  // o
  }

  func text(_ kind: Kind, _ number: UInt64) -> String {
    var digits: InlineArray<20, UInt8> = .init(repeating: 0)
    var start = digits.count
    var rest = number
    repeat {
      start -= 1
      digits[start] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
      rest /= 10
    } while rest > 0
    var text = String(UnicodeScalar(kind.rawValue))
    text += run
    text += "-"
    for index in start..<digits.count { text.unicodeScalars.append(UnicodeScalar(digits[index])) }
    return text
  }

  /// The number of a name of this kind and run; nil if it is none.
  func number(_ kind: Kind, _ text: String) -> UInt64? {
    var rest = text.utf8[...]
    guard rest.popFirst() == kind.rawValue, rest.starts(with: run.utf8) else { return nil }
    rest = rest.dropFirst(run.utf8.count)
    guard rest.popFirst() == UInt8(ascii: "-"), let first = rest.first, first != UInt8(ascii: "0"),
      rest.count <= 19
    else { return nil }
    var number: UInt64 = 0
    for byte in rest {
      guard byte &- UInt8(ascii: "0") < 10 else { return nil }
      number = number * 10 + UInt64(byte - UInt8(ascii: "0"))
    }
    return number
  }
}
