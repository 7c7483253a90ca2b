/// Steele, Lea and Flood's generator of random numbers, SplitMix64.
///
/// A seed gives the same numbers in each run and on every machine.
package struct SplitMix64: RandomNumberGenerator {
  private var state: UInt64

  package init(seed: UInt64) {
    state = seed
  }

  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var bits = state
    bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
    return bits ^ (bits >> 31)
  }

  /// A number in a range.
  ///
  /// The remainder `%` favors small numbers a little. In a small range, this does not matter.
  package mutating func number(in range: ClosedRange<Int>) -> Int {
    range.lowerBound + Int(next() % UInt64(range.count))
  }

  package mutating func chance(_ percent: Int) -> Bool {
    number(in: 1...100) <= percent
  }

  package mutating func pick<Element>(_ elements: [Element]) -> Element {
    elements[number(in: 0...elements.count - 1)]
  }
}
