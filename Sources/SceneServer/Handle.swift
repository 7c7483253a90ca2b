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
    var number: UInt64 = 0
    // Without a branch for each digit: whether all are some is asked once.
    var areDigits = true
    for index in start..<start + digitCount / 2 {
      let byte = digits[index]
      let (decimal, letter) = (byte &- UInt8(ascii: "0"), byte &- UInt8(ascii: "a"))
      areDigits = areDigits && (decimal < 10 || letter < 6)
      number = number << 4 | UInt64(decimal < 10 ? decimal : letter &+ 10)
    }
    return areDigits ? number : nil
  }
}

/// Who acts by which handle.
struct HandleTable<Owner: Sendable> {
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
