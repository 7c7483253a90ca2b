import CSystemd
import SceneRouting

/// The last line that a failed program wrote, safe to show to people.
struct LastLine {
  /// In characters; the whole message is in the journal.
  static let maximumLength = 200

  /// Control characters are escaped, and an ellipsis follows a line that was cut.
  let text: String

  /// Waits for the disk; nil if the processes of the unit wrote no line since then, in microseconds of the monotonic
  /// clock.
  init?(ofUnit unit: String, since: UInt64, hiding urls: [String]) {
    let most = 4096
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: most) { buffer, count in
      let room = unsafe UnsafeMutableRawBufferPointer(buffer).bindMemory(to: CChar.self)
      count = unsafe Int(max(0, scened_journal_last_message(unit, since, room.baseAddress, most)))
    }
    guard !bytes.isEmpty else { return nil }
    self.init(String(decoding: bytes, as: UTF8.self), hiding: urls)
  }

  /// An ellipsis replaces the private parts of `urls`, which the history of scened leaves out too.
  init(_ message: String, hiding urls: [String]) {
    let lines = message.split { $0.isNewline }.filter { !$0.allSatisfy(\.isWhitespace) }
    var line = String(lines.last ?? "")
    for part in urls.flatMap(Self.privateParts) { line = Self.replacing(part, in: line, with: "…") }
    let isCut = line.count > Self.maximumLength
    var text = ""
    for scalar in line.prefix(Self.maximumLength).unicodeScalars {
      text += Self.isShown(scalar) ? String(scalar) : scalar.escaped(asASCII: true)
    }
    self.text = text + (isCut ? "…" : "")
  }

  /// Whether it neither controls a terminal nor changes the direction of text.
  private static func isShown(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator: false
    default: true
    }
  }

  /// The user with its `@`, the query with its `?`, and the fragment with its `#`.
  private static func privateParts(of url: String) -> [[UInt8]] {
    let parts = URLParts(url.utf8.span)
    let rest = url.utf8[parts.scheme.upperBound..<parts.path.upperBound].dropFirst()
    let start = rest.drop { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "\\") }
    let user = start.lastIndex(of: UInt8(ascii: "@")).map { start[...$0] }
    return [user, url.utf8[parts.query], url.utf8[parts.fragment]].compactMap { $0.map(Array.init) }
      .filter { $0.count > 1 }
  }

  private static func replacing(_ part: [UInt8], in text: String, with replacement: String) -> String {
    var rest = Array(text.utf8)[...]
    var result: [UInt8] = []
    while let byte = rest.first {
      if rest.starts(with: part) {
        result += replacement.utf8
        rest = rest.dropFirst(part.count)
      } else {
        result.append(byte)
        rest = rest.dropFirst()
      }
    }
    return String(decoding: result, as: UTF8.self)
  }
}
