/// What lets whoever knows it act for a scene or an application: 128 bits that cannot be guessed.
///
/// On the wire it is 32 hexadecimal digits. What clients send as one is a number before it is looked for, so that its
/// length makes no difference.
struct Handle: Hashable {
  private static let digitCount = 32

  private let upper: UInt64
  private let lower: UInt64

  /// A new one.
  init(using generator: inout some RandomNumberGenerator) {
    upper = generator.next()
    lower = generator.next()
  }

  /// The handle that a text is; `nil` if it is none, as one with capital letters.
  init?(_ text: String) {
    guard text.utf8.count == Self.digitCount else { return nil }
    var (upper, lower): (UInt64, UInt64) = (0, 0)
    for byte in text.utf8 {
      guard let digit = Self.value(ofDigit: byte) else { return nil }
      upper = upper << 4 | lower >> 60
      lower = lower << 4 | UInt64(digit)
    }
    (self.upper, self.lower) = (upper, lower)
  }

  /// The handle as it is on the wire.
  var text: String {
    [upper, lower].map { half in
      let digits = String(half, radix: 16)
      return String(repeating: "0", count: Self.digitCount / 2 - digits.utf8.count) + digits
    }.joined()
  }

  private static func value(ofDigit byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    default: nil
    }
  }
}
