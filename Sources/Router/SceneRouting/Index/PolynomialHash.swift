/// The hash of a part follows from the hashes of the text up to the part's start and up to its end.
///
/// A hash is a polynomial over the bytes modulo the prime 2^61 - 1, evaluated at a secret point. Two texts of n bytes
/// that an attacker chooses have the same hash with a probability of n / 2^61 (Karp and Rabin, 1987).
struct PolynomialHash: ~Copyable, Sendable {
  static var modulus: UInt64 { (1 << 61) - 1 }

  private var powers: [UInt64] = [1]
  /// Eight times the point: the upper 64 bits of `hash * scaledPoint` are the quotient of `hash * point` by 2^61.
  private let scaledPoint: UInt64

  init(seed: UInt64) {
    // SplitMix64: a seed with few bits would give a small point, and then short texts would share hashes.
    var mixed = seed &+ 0x9E37_79B9_7F4A_7C15
    mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
    mixed ^= mixed >> 31
    // At least 2^40, so that even the hashes of short texts spread over the whole range, and below 2^60, so that an
    // unreduced hash never overflows.
    let point = (mixed & (Self.modulus >> 1)) | 1 << 40
    powers.append(point)
    scaledPoint = point << 3
  }

  mutating func prepare(length: Int) {
    while powers.count <= length {
      powers.append(Self.reduced(Self.unreducedProduct(powers[powers.count - 1], powers[1])))
    }
  }

  @inline(__always)
  func hash(_ hash: UInt64, appending byte: UInt8) -> UInt64 {
    Self.reduced(unreducedHash(hash, appending: byte))
  }

  /// Not reduced modulo 2^61 - 1; `hash` need not be reduced either.
  @inline(__always)
  func unreducedHash(_ hash: UInt64, appending byte: UInt8) -> UInt64 {
    sum(of: hash, and: UInt64(byte) &+ 1)
  }

  /// For tables that look up only whole texts; differs from the value that ``hash(_:appending:)`` gives, and is faster.
  func hash(ofWhole text: Span<UInt8>) -> UInt64 {
    var hash = UInt64(text.count)
    guard text.count >= 8 else {
      for index in text.indices { hash = unreducedHash(hash, appending: text[index]) }
      return Self.reduced(hash)
    }
    // A summand must be below 2^57, so each step uses seven of eight bytes; the condition keeps reads within the text.
    var index = 0
    while index &+ 8 <= text.count {
      let word = unsafe text.bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: index, as: UInt64.self)
      hash = sum(of: hash, and: word & (1 << 56 - 1))
      index &+= 7
    }
    let last = unsafe text.bytes.unsafeLoadUnaligned(
      fromUncheckedByteOffset: text.count &- 8,
      as: UInt64.self
    )
    return Self.reduced(sum(of: hash, and: last >> 8))
  }

  /// The point times `hash`, plus `summand`, which is below 2^57; stays below 2^62 + 2^58 if `hash` is.
  @inline(__always)
  private func sum(of hash: UInt64, and summand: UInt64) -> UInt64 {
    let (quotient, remainder) = hash.multipliedFullWidth(by: scaledPoint)
    return quotient &+ (remainder >> 3) &+ summand
  }

  @inline(__always)
  static func reduced(_ number: UInt64) -> UInt64 {
    let sum = (number & modulus) &+ (number >> 61)
    return sum >= modulus ? sum &- modulus : sum
  }

  /// `prefix` and `longer` need not be reduced; ``prepare(length:)`` must have been called for the length.
  @inline(__always)
  func hash(of length: Int, between prefix: UInt64, and longer: UInt64) -> UInt64 {
    // The product is below 2^62 + 2^61 + 2^58, so the difference is not negative.
    Self.reduced(longer &+ 4 &* Self.modulus &- Self.unreducedProduct(prefix, powers[length]))
  }

  /// `left` need not be reduced; the result is not fully reduced.
  @inline(__always)
  private static func unreducedProduct(_ left: UInt64, _ right: UInt64) -> UInt64 {
    let (high, low) = left.multipliedFullWidth(by: right)
    return (low & modulus) &+ (high << 3 | low >> 61)
  }
}

/// The hashes of the parts of a text that begin at one position, computed on demand.
struct PrefixHashes: ~Copyable, Sendable {
  private static var mostKept: Int { 1024 }

  private var start = Int.max
  /// Unreduced, because a search uses few; index n has the hash of n bytes from ``start`` on, if n is below ``count``.
  private var hashes: [UInt64] = [0]
  private var count = 1

  mutating func begin() {
    start = .max
    if hashes.count > Self.mostKept { hashes = [0] }
  }

  @inline(__always)
  mutating func prefix(to end: Int, of text: Span<UInt8>, _ polynomial: borrowing PolynomialHash) -> UInt64 {
    PolynomialHash.reduced(unreducedPrefix(to: end, of: text, polynomial))
  }

  @inline(__always)
  mutating func unreducedPrefix(
    to end: Int,
    of text: Span<UInt8>,
    _ polynomial: borrowing PolynomialHash
  ) -> UInt64 {
    if end < start { (start, count) = (end, 1) }
    if end - start >= count { extend(to: end, of: text, polynomial) }
    return hashes[end - start]
  }

  @inline(never)
  private mutating func extend(to end: Int, of text: Span<UInt8>, _ polynomial: borrowing PolynomialHash) {
    let known = count
    let bytes = text.extracting(start + known - 1..<end)
    let needed = end - start + 1
    if hashes.count < needed {
      hashes.append(contentsOf: repeatElement(0, count: max(needed, 128) - hashes.count))
    }
    var hashes = hashes.mutableSpan
    var hash = hashes[known - 1]
    for index in bytes.indices {
      hash = polynomial.unreducedHash(hash, appending: bytes[index])
      // The code above has made room for all hashes.
      unsafe hashes[unchecked: known &+ index] = hash
    }
    count = needed
  }
}
