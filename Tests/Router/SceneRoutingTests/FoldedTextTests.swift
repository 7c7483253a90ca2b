import RandomNumbers
import ReferenceRouter
@_spi(_Unicode) import Swift
import Testing

@testable import SceneRouting

/// Folding agrees with the reference, which has the Unicode tables and no shortcuts.
@Suite struct FoldedTextTests {
  private func difference(_ text: String) -> String? {
    let folded = FoldedText(text).bytes
    let expected = Array(ReferenceFolding.fold(text).utf8)
    guard folded != expected else { return nil }
    return "\(text.unicodeScalars.map { String($0.value, radix: 16) }): \(folded), not \(expected)"
  }

  /// All scalars that the reference knows in the first two planes.
  ///
  /// All letters with case and nearly all marks are in these planes.
  @Test(arguments: 0..<UInt32(8))
  func scalarFoldsAsTheReferenceSays(part: UInt32) {
    // Since Unicode 16, U+1171E is not a nonspacing mark. The reference has an older version of Unicode.
    for value in part << 14..<(part + 1) << 14 where value != 0x1171E {
      guard let scalar = Unicode.Scalar(value), let age = scalar.properties.age, age <= (15, 0),
        let difference = difference(String(scalar))
      else { continue }
      Issue.record(Comment(rawValue: difference))
    }
  }

  /// Letters, marks of all classes, and scalars that NFC composes or decomposes.
  private static let scalars: [ClosedRange<UInt32>] = [
    0x20...0x7E, 0xC0...0x24F, 0x300...0x36F, 0x391...0x3FF, 0x410...0x52F, 0x591...0x5EA, 0x915...0x95F,
    0xF71...0xF84, 0x1037...0x103A, 0x1100...0x11FF, 0x1DC0...0x1DFF, 0x1E00...0x1FFF, 0x20D0...0x20F0,
    0x302A...0x309A, 0xAC00...0xAC80, 0x1D157...0x1D172,
  ]

  private func text(_ random: inout SplitMix64, most: Int) -> String {
    var scalars: [Unicode.Scalar] = []
    while scalars.count < Int.random(in: 1...most, using: &random) {
      let range = Self.scalars[Int.random(in: 0..<Self.scalars.count, using: &random)]
      let length = Int.random(in: 0..<8, using: &random) == 0 ? most : 1
      for _ in 0..<length {
        scalars += Unicode.Scalar(UInt32.random(in: range, using: &random)).map { [$0] } ?? []
      }
    }
    return String(String.UnicodeScalarView(scalars))
  }

  @Test(arguments: 1...4)
  func textFoldsAsTheReferenceSays(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    for number in 0..<500 {
      guard let difference = difference(text(&random, most: number % 10 == 0 ? 400 : 8)) else { continue }
      Issue.record(Comment(rawValue: difference))
    }
  }
}
