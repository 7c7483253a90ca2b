import Glibc

/// The search without an index: each folded identifier is searched for in the folded text.
struct PlainScan {
  /// The identifiers, each with a final NUL for strstr(3).
  private let identifiers: [[CChar]]

  init(_ identifiers: [[UInt8]]) { self.identifiers = identifiers.map { $0.map { CChar($0) } + [0] } }

  /// Returns the number of identifiers that are in the text.
  func matches(in text: [UInt8]) -> Int {
    let folded =
      text.map { CChar($0 >= UInt8(ascii: "A") && $0 <= UInt8(ascii: "Z") ? $0 | 0x20 : $0) } + [0]
    return identifiers.count { strstr(folded, $0) != nil }
  }
}
