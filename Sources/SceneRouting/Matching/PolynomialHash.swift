/// Hashes of texts such that the hash of any part follows from two of the whole's prefixes.
///
/// Polynomials over the bytes modulo the prime 2^61 - 1, at a secret point. Two different texts of n bytes have the
/// same hash with probability n / 2^61 for whoever does not know the point (Karp and Rabin, 1987).
struct PolynomialHash: Sendable {
  static var modulus: UInt64 { (1 << 61) - 1 }

  /// The powers of the point, as far as they have been prepared.
  private var powers: [UInt64] = [1]

  init(seed: UInt64) {
    // A point with few bits would give short texts the same hash: any seed is mixed first (SplitMix64).
    var mixed = seed &+ 0x9E37_79B9_7F4A_7C15
    mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
    mixed ^= mixed >> 31
    // Above 2^32, so that short texts fill the whole range too.
    powers.append((mixed & (Self.modulus >> 1)) | 1 << 40)
    prepare(length: 8)
  }

  /// Makes parts of up to `length` bytes ready to be hashed.
  mutating func prepare(length: Int) {
    while powers.count <= length { powers.append(Self.product(powers[powers.count - 1], powers[1])) }
  }

  /// The hash of a text with one more byte.
  @inline(__always)
  func hash(_ hash: UInt64, appending byte: UInt8) -> UInt64 {
    Self.sum(Self.product(hash, powers[1]), UInt64(byte) + 1)
  }

  /// The hash of a text with up to 8 more bytes.
  ///
  /// The products do not wait for one another, which makes this several times as fast as byte by byte.
  @inline(__always)
  func hash(_ hash: UInt64, appending bytes: Span<UInt8>, from start: Int, count: Int) -> UInt64 {
    let powers = powers.span
    let bytes = bytes.extracting(start..<start + count)
    // Halves of powers, so that no product leaves its 64 bits: the sums are below 2^44 and 2^41.
    var low: UInt64 = 0
    var high: UInt64 = 0
    for index in bytes.indices {
      let power = powers[count - 1 - index]
      let digit = UInt64(bytes[index]) + 1
      low &+= (power & 0xFFFF_FFFF) &* digit
      high &+= (power &>> 32) &* digit
    }
    let sum = Self.product(hash, powers[count]) + low + (high << 32 & Self.modulus) + (high >> 29)
    return Self.sum(sum & Self.modulus, sum >> 61)
  }

  /// The hash of the bytes between two prefixes with known hashes, of a length that has been prepared.
  @inline(__always)
  func hash(of length: Int, between prefix: UInt64, and longer: UInt64) -> UInt64 {
    guard prefix != 0 else { return longer }
    let difference = longer + Self.modulus - Self.product(prefix, powers[length])
    return difference >= Self.modulus ? difference - Self.modulus : difference
  }

  @inline(__always)
  private static func product(_ left: UInt64, _ right: UInt64) -> UInt64 {
    let (high, low) = left.multipliedFullWidth(by: right)
    return reduce(high, low)
  }

  @inline(__always)
  private static func sum(_ left: UInt64, _ right: UInt64) -> UInt64 {
    let sum = left + right
    return sum >= modulus ? sum - modulus : sum
  }

  @inline(__always)
  private static func reduce(_ high: UInt64, _ low: UInt64) -> UInt64 {
    let once = (low & modulus) + (high << 3 | low >> 61)
    return sum(once & modulus, once >> 61)
  }
}

/// The hashes of a text's prefixes, computed as far as they are asked for.
struct PrefixHashes: ~Escapable {
  private static var step: Int { 8 }
  /// For so many nothing is allocated: texts of 120 bytes.
  private static var few: Int { 16 }

  private let text: Span<UInt8>
  /// How many hashes of prefixes are known whose lengths are multiples of ``step``; that of none always is.
  private var knownCount = 1
  private var first = InlineArray<16, UInt64>(repeating: 0)
  /// Those after the first few.
  private var more: [UInt64] = []
  /// Those of all prefixes, as far as they have been prepared.
  private var all: [UInt64] = []

  @_lifetime(copy text)
  init(of text: Span<UInt8>) { self.text = text }

  /// Makes the hashes of all prefixes up to a length ready, at most the text's; it pays if many are asked for.
  mutating func prepare(to length: Int, _ polynomial: PolynomialHash) {
    if all.isEmpty { all.reserveCapacity(length + Self.step) }
    while all.count <= length {
      let start = all.count
      var hash = prefix(start, polynomial)
      all.append(hash)
      for index in start..<min(start + Self.step - 1, text.count) {
        hash = polynomial.hash(hash, appending: text[index])
        all.append(hash)
      }
    }
  }

  /// The hash of the first `length` bytes.
  @inline(__always)
  mutating func prefix(_ length: Int, _ polynomial: PolynomialHash) -> UInt64 {
    if length < all.count { return all[length] }
    let index = length / Self.step
    if index >= knownCount { extend(to: index, polynomial) }
    let rest = length % Self.step
    guard rest > 0 else { return known(index) }
    return polynomial.hash(known(index), appending: text, from: length - rest, count: rest)
  }

  @inline(__always)
  private func known(_ index: Int) -> UInt64 { index < Self.few ? first[index] : more[index - Self.few] }

  private mutating func extend(to index: Int, _ polynomial: PolynomialHash) {
    var hash = known(knownCount - 1)
    while knownCount <= index {
      hash = polynomial.hash(hash, appending: text, from: (knownCount - 1) * Self.step, count: Self.step)
      if knownCount < Self.few { first[knownCount] = hash } else { more.append(hash) }
      knownCount += 1
    }
  }
}
