/// How an adapter's objects are separated in a stream of bytes.
enum ObjectFraming: Sendable {
  /// One object per line.
  case lines
  /// The framing of browsers' native messaging: 32 bits of length in the machine's byte order before each object.
  case nativeMessages

  /// The greatest length of an incoming object, in bytes.
  ///
  /// Chromium does not send longer objects.
  static let longestIn = 64 << 20

  /// The greatest length of an outgoing object, in bytes.
  ///
  /// A browser ends the connection if an object is longer.
  ///
  /// Source: "Native messaging" in the documentation of Chromium and Firefox.
  var longestOut: Int { self == .nativeMessages ? 1 << 20 : .max }

  /// Returns the bytes that carry an object.
  func framed(_ object: [UInt8]) -> [UInt8] {
    switch self {
    case .lines: object + [UInt8(ascii: "\n")]
    case .nativeMessages: unsafe withUnsafeBytes(of: UInt32(object.count)) { unsafe Array($0) } + object
    }
  }
}

/// Takes objects out of a stream of bytes.
struct ObjectSplitter {
  /// A part of the stream.
  enum Part: Equatable {
    case object([UInt8])
    /// An object longer than ``ObjectFraming/longestIn``, which was skipped.
    case tooLong
  }

  private let framing: ObjectFraming
  private let longest: Int
  private var bytes: [UInt8] = []
  /// The number of bytes at the beginning of `bytes` that ``next()`` has already returned.
  private var taken = 0
  /// The number of bytes, after the first `taken` bytes of `bytes`, that are known to contain no newline.
  private var searched = 0
  /// The number of bytes still to skip of an object that is too long; nil if none is being skipped.
  ///
  /// For a line, the number is `Int.max`, because its length is not known before its end.
  private var skipped: Int?

  init(_ framing: ObjectFraming, longest: Int = ObjectFraming.longestIn) {
    (self.framing, self.longest) = (framing, longest)
  }

  /// Adds bytes of the stream.
  mutating func append(_ more: some Sequence<UInt8>) {
    bytes.removeFirst(taken)
    taken = 0
    bytes += more
  }

  /// Returns the next part; nil if the part is incomplete.
  mutating func next() -> Part? {
    switch framing {
    case .lines: nextLine()
    case .nativeMessages: nextMessage()
    }
  }

  private mutating func nextLine() -> Part? {
    while let end = bytes[(taken + searched)...].firstIndex(of: UInt8(ascii: "\n")) {
      let line = bytes[taken..<end]
      (taken, searched) = (end + 1, 0)
      if skipped.take() != nil || line.count > longest { return .tooLong }
      if line.contains(where: { $0 > 0x20 }) { return .object(Array(line)) }
    }
    searched = bytes.count - taken
    if skipped != nil || searched > longest { (skipped, taken, searched) = (.max, bytes.count, 0) }
    return nil
  }

  private mutating func nextMessage() -> Part? {
    if let left = skipped {
      let count = min(left, bytes.count - taken)
      taken += count
      guard count == left else {
        skipped = left - count
        return nil
      }
      skipped = nil
      return .tooLong
    }
    guard bytes.count - taken >= 4 else { return nil }
    let length = Int(
      unsafe bytes.withUnsafeBytes { unsafe $0.loadUnaligned(fromByteOffset: taken, as: UInt32.self) }
    )
    if length > longest {
      (taken, skipped) = (taken + 4, length)
      return nextMessage()
    }
    guard bytes.count - taken - 4 >= length else { return nil }
    defer { taken += 4 + length }
    return .object(Array(bytes[(taken + 4)..<(taken + 4 + length)]))
  }
}
