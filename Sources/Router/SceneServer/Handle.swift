import SceneRouting

/// What lets whoever knows it act for a scene or an application: 128 bits that cannot be guessed.
///
/// On the wire it is 32 hexadecimal digits. What clients send as one is a number before it is looked for, so that its
/// length makes no difference.
struct Handle: Equatable {
  private static let digitCount = 32

  fileprivate let upper: UInt64
  private let lower: UInt64

  /// A new one.
  init(using generator: inout some RandomNumberGenerator) {
    // 0 stands for nothing in a table.
    upper = .random(in: 1 ... .max, using: &generator)
    lower = generator.next()
  }

  /// The handle that a text is; `nil` if it is none, as one with capital letters.
  init?(_ text: String) {
    let digits = text.utf8.span
    guard digits.count == Self.digitCount, let upper = Self.number(digits, from: 0),
      let lower = Self.number(digits, from: Self.digitCount / 2)
    else { return nil }
    (self.upper, self.lower) = (upper, lower)
  }

  /// The handle as it is on the wire.
  var text: String {
    [upper, lower].map { half in
      let digits = String(half, radix: 16)
      return String(repeating: "0", count: Self.digitCount / 2 - digits.utf8.count) + digits
    }.joined()
  }

  private static func number(_ digits: Span<UInt8>, from start: Int) -> UInt64? {
    guard let upper = eightDigits(digits, from: start), let lower = eightDigits(digits, from: start + 8)
    else {
      return nil
    }
    return upper << 32 | lower
  }

  /// Eight digits as a number, all at once: each byte becomes its value, and then the values are joined.
  @inline(__always)
  private static func eightDigits(_ digits: Span<UInt8>, from start: Int) -> UInt64? {
    let text = UInt64(
      bigEndian: unsafe digits.bytes.unsafeLoadUnaligned(fromByteOffset: start, as: UInt64.self)
    )
    let ones: UInt64 = 0x0101_0101_0101_0101
    let values = (text & (0x0F &* ones)) &+ (text >> 6 & ones) &* 9
    // What else has these values is no digit.
    let letters = ((values &+ 6 &* ones) >> 4) & ones
    guard text == values &+ UInt64(UInt8(ascii: "0")) &* ones &+ letters &* 0x27 else { return nil }
    let pairs = (values | values >> 4) & 0x00FF_00FF_00FF_00FF
    let fours = (pairs | pairs >> 8) & 0x0000_FFFF_0000_FFFF
    return (fours | fours >> 16) & 0xFFFF_FFFF
  }
}

/// Who acts by which handle.
struct HandleOwners<Owner: Sendable> {
  /// By the first half of the handle, which nobody chooses.
  private var owners: IDTable<(handle: Handle, owner: Owner)?>

  init(seed: UInt64) { owners = IDTable(vacant: nil, seed: seed) }

  /// The owner of the handle that a text is.
  subscript(text: String) -> Owner? {
    guard let handle = Handle(text), let entry = owners[handle.upper] ?? nil, entry.handle == handle else {
      return nil
    }
    return entry.owner
  }

  mutating func insert(_ owner: Owner, for handle: Handle) {
    owners.insert((handle, owner), for: handle.upper)
  }

  mutating func remove(_ handle: Handle) { owners.remove(handle.upper) }

  mutating func removeAll() { owners.removeAll() }
}
