/// Hashes of texts.
///
/// The hash of any part of a text follows from the hashes of two beginnings of the text.
///
/// A hash is a polynomial over the bytes modulo the prime 2^61 - 1, evaluated at a secret point. Attackers do not
/// know the point. Two different texts of n bytes that an attacker chooses have the same hash with a probability of
/// n / 2^61 (Karp and Rabin, 1987).
struct PolynomialHash: ~Copyable, Sendable {
  static var modulus: UInt64 { (1 << 61) - 1 }

  /// The powers of the point that have been prepared.
  private var powers: [UInt64] = [1]

  init(seed: UInt64) {
    // A seed with few bits would give a small point, and then short texts would share hashes. So every seed is mixed
    // first (SplitMix64).
    var mixed = seed &+ 0x9E37_79B9_7F4A_7C15
    mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
    mixed ^= mixed >> 31
    // The point is at least 2^40, so that the hashes of short texts fill the whole range too.
    powers.append((mixed & (Self.modulus >> 1)) | 1 << 40)
  }

  /// Computes the powers that the hashes of up to `length` bytes need.
  mutating func prepare(length: Int) {
    while powers.count <= length { powers.append(Self.product(powers[powers.count - 1], powers[1])) }
  }

  /// The hash of a text with one more byte.
  @inline(__always)
  func hash(_ hash: UInt64, appending byte: UInt8) -> UInt64 {
    Self.reduced(unreducedHash(hash, appending: byte))
  }

  /// The hash of a text with one more byte, before the last step, ``reduced(_:)``.
  ///
  /// `hash` may be unreduced too.
  @inline(__always)
  func unreducedHash(_ hash: UInt64, appending byte: UInt8) -> UInt64 {
    Self.unreducedProduct(hash, powers[1], plus: UInt64(byte) + 1)
  }

  /// The reduced form of a hash that is less than twice the modulus.
  @inline(__always)
  static func reduced(_ hash: UInt64) -> UInt64 { hash >= modulus ? hash &- modulus : hash }

  /// The hash of the last `length` bytes of a beginning of a text.
  ///
  /// `longer` is the hash of this beginning, `prefix` the hash of the beginning without the `length` bytes.
  ///
  /// ``prepare(length:)`` must have been called for the length.
  @inline(__always)
  func hash(of length: Int, between prefix: UInt64, and longer: UInt64) -> UInt64 {
    Self.reduced(longer &+ Self.modulus &- Self.product(prefix, powers[length]))
  }

  @inline(__always)
  private static func product(_ left: UInt64, _ right: UInt64) -> UInt64 {
    reduced(unreducedProduct(left, right, plus: 0))
  }

  /// A number that is congruent to `left * right + summand`.
  ///
  /// The number is at most the modulus plus one. No intermediate sum overflows 64 bits. `left` may be as large as a
  /// result of this function.
  @inline(__always)
  private static func unreducedProduct(_ left: UInt64, _ right: UInt64, plus summand: UInt64) -> UInt64 {
    let (high, low) = left.multipliedFullWidth(by: right)
    let sum = (low & modulus) &+ (high << 3 | low >> 61) &+ summand
    return (sum & modulus) &+ (sum >> 61)
  }
}

/// The hashes of the parts of a text that begin at one position, computed on demand.
struct PrefixHashes: ~Copyable, Sendable {
  /// The largest number of hashes whose memory is kept for the next text.
  private static var mostKept: Int { 1024 }

  private var start = Int.max
  /// At index n, the hash of the n bytes that follow the start.
  ///
  /// The first ``count`` hashes have been computed. They are unreduced, because a search asks for few of them.
  private var hashes: [UInt64] = [0]
  private var count = 1

  /// Begins with another text.
  ///
  /// The first position that is asked for becomes the start.
  mutating func begin() {
    start = .max
    if hashes.count > Self.mostKept { hashes = [0] }
  }

  /// The hash of the bytes between the start and a position of the text.
  @inline(__always)
  mutating func prefix(to end: Int, of text: Span<UInt8>, _ polynomial: borrowing PolynomialHash) -> UInt64 {
    if end < start { (start, count) = (end, 1) }
    if end - start >= count { extend(to: end, of: text, polynomial) }
    return PolynomialHash.reduced(hashes[end - start])
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
      unsafe hashes[unchecked: known + index] = hash
    }
    count = needed
  }
}
