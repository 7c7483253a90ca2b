/// Hashes texts and parts of texts.
///
/// The hash of a part is computed without reading the part. It follows from two other hashes: the hash of the text up
/// to the start of the part, and the hash of the text up to the end of the part.
///
/// A hash is a polynomial over the bytes modulo the prime 2^61 - 1, evaluated at a secret point. Attackers do not
/// know the point. Two different texts of n bytes that an attacker chooses have the same hash with a probability of
/// n / 2^61 (Karp and Rabin, 1987).
struct PolynomialHash: ~Copyable, Sendable {
  static var modulus: UInt64 { (1 << 61) - 1 }

  /// The powers of the secret point: `powers[n]` is the point to the power of n.
  private var powers: [UInt64] = [1]
  /// Eight times the secret point.
  ///
  /// The factor is eight because the upper 64 bits of `hash * scaledPoint` are then the quotient of `hash * point` by
  /// 2^61.
  private let scaledPoint: UInt64

  init(seed: UInt64) {
    // A seed with few bits would give a small point, and then short texts would share hashes. So every seed is mixed
    // first (SplitMix64).
    var mixed = seed &+ 0x9E37_79B9_7F4A_7C15
    mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
    mixed ^= mixed >> 31
    // The point is at least 2^40, so that even the hashes of short texts spread over the whole range. The point is
    // below 2^60, so that an unreduced hash never overflows.
    let point = (mixed & (Self.modulus >> 1)) | 1 << 40
    powers.append(point)
    scaledPoint = point << 3
  }

  /// Computes the powers that the hashes of up to `length` bytes need.
  mutating func prepare(length: Int) {
    while powers.count <= length {
      powers.append(Self.reduced(Self.unreducedProduct(powers[powers.count - 1], powers[1])))
    }
  }

  /// The hash of a text with `byte` added at its end.
  ///
  /// The parameter `hash` is the hash of the text without this byte.
  @inline(__always)
  func hash(_ hash: UInt64, appending byte: UInt8) -> UInt64 {
    Self.reduced(unreducedHash(hash, appending: byte))
  }

  /// The hash of a text with `byte` added at its end, not yet reduced modulo 2^61 - 1.
  ///
  /// ``reduced(_:)`` turns the result into the hash. The parameter `hash` is the hash of the text without this byte. It
  /// need not be reduced.
  @inline(__always)
  func unreducedHash(_ hash: UInt64, appending byte: UInt8) -> UInt64 {
    sum(of: hash, and: UInt64(byte) &+ 1)
  }

  /// A faster hash of a whole text, for tables that look up only whole texts.
  ///
  /// The length of the text is hashed first. A text of at least eight bytes is then hashed seven bytes at a time. The
  /// result therefore differs from the value that ``hash(_:appending:)`` gives.
  func hash(ofWhole text: Span<UInt8>) -> UInt64 {
    var hash = UInt64(text.count)
    guard text.count >= 8 else {
      for index in text.indices { hash = unreducedHash(hash, appending: text[index]) }
      return Self.reduced(hash)
    }
    // Each step reads eight bytes and uses seven of them, because a summand must be below 2^57. The condition
    // of the loop keeps every read within the text.
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

  /// The secret point times `hash`, plus `summand`, not fully reduced modulo 2^61 - 1.
  ///
  /// `summand` must be below 2^57. If `hash` is below 2^62 + 2^58, the result is too.
  @inline(__always)
  private func sum(of hash: UInt64, and summand: UInt64) -> UInt64 {
    let (quotient, remainder) = hash.multipliedFullWidth(by: scaledPoint)
    return quotient &+ (remainder >> 3) &+ summand
  }

  /// Reduces an unreduced hash modulo 2^61 - 1.
  @inline(__always)
  static func reduced(_ number: UInt64) -> UInt64 {
    let sum = (number & modulus) &+ (number >> 61)
    return sum >= modulus ? sum &- modulus : sum
  }

  /// The hash of a part of a text: of the `length` bytes between two positions.
  ///
  /// `prefix` is the hash of the text up to the first position, and `longer` is the hash up to the second position.
  /// Neither hash need be reduced.
  ///
  /// ``prepare(length:)`` must have been called for the length.
  @inline(__always)
  func hash(of length: Int, between prefix: UInt64, and longer: UInt64) -> UInt64 {
    // Four times the modulus is added so that the difference is not negative. The product is smaller than that: it is
    // below 2^62 + 2^61 + 2^58.
    Self.reduced(longer &+ 4 &* Self.modulus &- Self.unreducedProduct(prefix, powers[length]))
  }

  /// The product of an unreduced hash and a reduced hash, not fully reduced modulo 2^61 - 1.
  @inline(__always)
  private static func unreducedProduct(_ left: UInt64, _ right: UInt64) -> UInt64 {
    let (high, low) = left.multipliedFullWidth(by: right)
    return (low & modulus) &+ (high << 3 | low >> 61)
  }
}

/// The hashes of the parts of a text that begin at one position, computed on demand.
struct PrefixHashes: ~Copyable, Sendable {
  /// The largest number of hashes whose memory is kept for the next text.
  private static var mostKept: Int { 1024 }

  private var start = Int.max
  /// The hashes of the bytes from position ``start`` on; index n has the hash of the first n of these bytes.
  ///
  /// Only the first ``count`` hashes have been computed. They are not reduced modulo 2^61 - 1. Reducing all of them
  /// would cost time, and a search uses only a few.
  private var hashes: [UInt64] = [0]
  private var count = 1

  /// Forgets the hashes of the last text, so that another text can be hashed.
  ///
  /// The first position for which a hash is requested then becomes the new ``start``.
  mutating func begin() {
    start = .max
    if hashes.count > Self.mostKept { hashes = [0] }
  }

  /// The hash of the bytes of a text from position ``start`` to position `end`.
  @inline(__always)
  mutating func prefix(to end: Int, of text: Span<UInt8>, _ polynomial: borrowing PolynomialHash) -> UInt64 {
    PolynomialHash.reduced(unreducedPrefix(to: end, of: text, polynomial))
  }

  /// The hash of the bytes of a text from position ``start`` to position `end`, not yet reduced modulo 2^61 - 1.
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
