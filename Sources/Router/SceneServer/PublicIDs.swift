import SceneRouting

/// A letter for the kind, four characters that are random for each run, a separator and the router's number.
///
/// An id of an earlier run is unknown and cannot name another item. With a number of up to nine digits, an id fits into
/// a string without an allocation.
struct PublicIDs {
  private static let separator = UInt8(ascii: "-")

  private let run: InlineArray<4, UInt8>

  init(using generator: inout some RandomNumberGenerator) {
    let alphabet = Array("abcdefghijkmnpqrstuvwxyz23456789".utf8)
    run = InlineArray { _ in alphabet[Int.random(in: 0..<alphabet.count, using: &generator)] }
  }

  enum Kind: UInt8 {
    case scene = 0x73  // s
    case decision = 0x64  // d
    case delivery = 0x65  // e
    case openRequest = 0x6F  // o
  }

  /// Not inlined: an event needs five ids, and five copies of the code would not stay in the cache.
  @inline(never)
  func text(_ kind: Kind, _ number: UInt64) -> String {
    var digitCount = 1
    var rest = number / 10
    while rest > 0 {
      digitCount += 1
      rest /= 10
    }
    let count = 2 + run.count + digitCount
    return unsafe String(unsafeUninitializedCapacity: count) { text in
      unsafe text[0] = kind.rawValue
      for index in run.indices { unsafe text[1 + index] = run[index] }
      unsafe text[1 + run.count] = Self.separator
      var rest = number
      for index in (count - digitCount..<count).reversed() {
        unsafe text[index] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
        rest /= 10
      }
      return count
    }
  }

  /// `nil` if the text is no id of this kind and this run.
  func number(_ kind: Kind, _ text: String) -> UInt64? {
    var text = text
    return text.withUTF8 { unsafe number(kind, $0.span) }
  }

  private func number(_ kind: Kind, _ text: Span<UInt8>) -> UInt64? {
    let start = 2 + run.count
    guard (start + 1...start + 19).contains(text.count), text[0] == kind.rawValue,
      run.indices.allSatisfy({ text[1 + $0] == run[$0] }), text[start - 1] == Self.separator,
      text[start] != UInt8(ascii: "0")
    else { return nil }
    var number: UInt64 = 0
    for index in start..<text.count {
      guard text[index] &- UInt8(ascii: "0") < 10 else { return nil }
      number = number * 10 + UInt64(text[index] - UInt8(ascii: "0"))
    }
    return number
  }
}

extension PublicIDs {
  func text(_ scene: SceneID) -> String { text(.scene, scene.rawValue) }
  func text(_ decision: DecisionID) -> String { text(.decision, decision.rawValue) }
  func text(_ delivery: DeliveryID) -> String { text(.delivery, delivery.rawValue) }
  func text(_ request: OpenRequestID) -> String { text(.openRequest, request.rawValue) }

  func scene(_ text: String) -> SceneID? { number(.scene, text).map { SceneID(rawValue: $0) } }
  func decision(_ text: String) -> DecisionID? { number(.decision, text).map { DecisionID(rawValue: $0) } }
  func delivery(_ text: String) -> DeliveryID? { number(.delivery, text).map { DeliveryID(rawValue: $0) } }
  func openRequest(_ text: String) -> OpenRequestID? {
    number(.openRequest, text).map { OpenRequestID(rawValue: $0) }
  }
}
