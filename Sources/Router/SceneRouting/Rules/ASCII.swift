struct ByteSet {
  /// A bit for each character below `@`.
  private let low: UInt64
  /// A bit for each character from `@` to DEL.
  private let high: UInt64

  private init(_ text: String, and other: ByteSet? = nil) {
    func bits(_ half: UInt8) -> UInt64 {
      text.utf8.reduce(0) { $1 >> 6 == half ? $0 | 1 << UInt64($1 & 0x3F) : $0 }
    }
    low = bits(0) | (other?.low ?? 0)
    high = bits(1) | (other?.high ?? 0)
  }

  private init(low: UInt64, high: UInt64) { (self.low, self.high) = (low, high) }

  var withoutCapitals: ByteSet { ByteSet(low: low, high: high & ~0x07FF_FFFE) }

  @inline(__always)
  func contains(_ byte: UInt8) -> Bool {
    byte < 0x80 && (byte < 0x40 ? low : high) &>> UInt64(byte) & 1 != 0
  }
}

/// The characters that RFC 3986 allows in the components of a URL.
extension ByteSet {
  static let digits = ByteSet("0123456789")
  static let unreserved = ByteSet(
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-._~",
    and: digits
  )
  static let scheme = ByteSet("+", and: unreserved)
  static let host = ByteSet("!$&'()*+,;=", and: unreserved)
  static let user = ByteSet(":", and: host)
  /// An IP address in brackets.
  static let literal = ByteSet("[]", and: user)
  static let path = ByteSet("@/", and: user)
  static let query = ByteSet("?", and: path)
}

@inline(__always)
func asciiLowercased(_ byte: UInt8) -> UInt8 {
  (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
}

func hexValue(_ byte: UInt8) -> UInt8? {
  switch byte {
  case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
  case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
  case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
  default: nil
  }
}

/// `value` is below 16.
func hexDigit(_ value: UInt8) -> UInt8 {
  value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") + value - 10
}
