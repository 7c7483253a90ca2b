import SceneRouting

/// A secret of 128 random bits that allows its bearer to act for a scene or an application.
struct Handle: Equatable, IDTableKey {
  private static let digitCount = 32

  private let upper: UInt64
  private let lower: UInt64

  /// The upper half is enough, because handles are random and no client chooses one.
  var tableKey: UInt64 { upper }

  init(using generator: inout some RandomNumberGenerator) {
    // The key 0 marks a vacant entry in the table of `HandleOwners`.
    upper = .random(in: 1 ... .max, using: &generator)
    lower = generator.next()
  }

  /// A text with capital letters is no handle.
  init?(_ text: String) {
    let digits = text.utf8.span
    guard digits.count == Self.digitCount, let upper = Self.number(digits, from: 0),
      let lower = Self.number(digits, from: Self.digitCount / 2)
    else { return nil }
    (self.upper, self.lower) = (upper, lower)
  }

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

  /// Each byte becomes the value of its digit, then the values are joined.
  @inline(__always)
  private static func eightDigits(_ digits: Span<UInt8>, from start: Int) -> UInt64? {
    let text = UInt64(
      bigEndian: unsafe digits.bytes.unsafeLoadUnaligned(fromByteOffset: start, as: UInt64.self)
    )
    let ones: UInt64 = 0x0101_0101_0101_0101
    let values = (text & (0x0F &* ones)) &+ (text >> 6 & ones) &* 9
    // A character that is no digit can give the value of a digit, so the text is rebuilt from the values and compared.
    let letters = ((values &+ 6 &* ones) >> 4) & ones
    guard text == values &+ UInt64(UInt8(ascii: "0")) &* ones &+ letters &* 0x27 else { return nil }
    let pairs = (values | values >> 4) & 0x00FF_00FF_00FF_00FF
    let fours = (pairs | pairs >> 8) & 0x0000_FFFF_0000_FFFF
    return (fours | fours >> 16) & 0xFFFF_FFFF
  }
}

struct HandleOwners<Owner: Sendable> {
  private var owners: IDTable<Handle, (handle: Handle, owner: Owner)?>

  init(seed: UInt64) { owners = IDTable(vacant: nil, seed: seed) }

  subscript(text: String) -> Owner? {
    guard let handle = Handle(text), let entry = owners[handle] ?? nil, entry.handle == handle else {
      return nil
    }
    return entry.owner
  }

  mutating func insert(_ owner: Owner, for handle: Handle) {
    owners.insert((handle, owner), for: handle)
  }

  mutating func remove(_ handle: Handle) { owners.remove(handle) }

  mutating func removeAll() { owners.removeAll() }
}
