/// How an adapter's objects are separated in a stream of bytes.
enum ObjectFraming: Sendable {
  case lines
  /// Of browsers: 32 bits of length, in the machine's byte order, before each object.
  case nativeMessages

  /// In bytes; Chromium sends no longer ones.
  static let longestIn = 64 << 20

  /// In bytes; a browser ends the connection at a longer one ("Native messaging", documentation of Chromium and
  /// Firefox).
  var longestOut: Int { self == .nativeMessages ? 1 << 20 : .max }

  func framed(_ object: [UInt8]) -> [UInt8] {
    switch self {
    case .lines: object + [UInt8(ascii: "\n")]
    case .nativeMessages: unsafe withUnsafeBytes(of: UInt32(object.count)) { unsafe Array($0) } + object
    }
  }
}

/// Takes objects out of a stream of bytes.
struct ObjectSplitter {
  enum Part: Equatable {
    case object([UInt8])
    case tooLong
  }

  private let framing: ObjectFraming
  private let longest: Int
  private var bytes: [UInt8] = []
  /// The bytes at the beginning that ``next()`` has already returned.
  private var taken = 0
  /// Of the bytes after `taken`, those that are known to contain no newline.
  private var searched = 0
  /// The bytes still to skip of an object that is too long; `Int.max` for a line, whose length is not known before its
  /// end.
  private var skipped: Int?

  init(_ framing: ObjectFraming, longest: Int = ObjectFraming.longestIn) {
    (self.framing, self.longest) = (framing, longest)
  }

  mutating func append(_ more: some Sequence<UInt8>) {
    bytes.removeFirst(taken)
    taken = 0
    bytes += more
  }

  /// Nil if the next part is incomplete.
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
