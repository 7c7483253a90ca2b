import RandomNumbers
import Testing

@testable import SceneRouting

@Suite struct ByteOrderTests {
  /// The comparison takes eight bytes at a time.
  ///
  /// The compared texts have a common beginning of up to 200 bytes.
  @Test func bytesSortAsOneByOne() {
    var random = SplitMix64(seed: 5)
    func bytes(_ lengths: ClosedRange<Int>, _ values: ClosedRange<UInt8>) -> [UInt8] {
      (0..<Int.random(in: lengths, using: &random)).map { _ in UInt8.random(in: values, using: &random) }
    }
    for _ in 0..<2000 {
      let shared = bytes(0...200, 0...255)
      let left = shared + bytes(0...70, 0...2)
      let right = shared + bytes(0...70, 0...2)
      let isBefore = left.span.sortsBefore(right.span)
      #expect(isBefore == left.lexicographicallyPrecedes(right))
      let isBeforeItself = left.span.sortsBefore(left.span)
      #expect(!isBeforeItself)
    }
  }
}
