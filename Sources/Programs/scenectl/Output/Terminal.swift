import Glibc

enum Terminal {
  /// The raw value is the number in the escape sequence that sets the style (SGR in ECMA-48).
  enum Style: String {
    case strong = "1"
    case good = "32"
    case bad = "31"
    case quiet = "2"
  }

  private static let hasStyles =
    isatty(STDOUT_FILENO) == 1 && Host.variable("NO_COLOR") == nil && Host.variable("TERM") != "dumb"

  /// Nil if standard output is no terminal, or does not tell its size.
  static var size: (columns: Int, lines: Int)? {
    var size = winsize()
    guard unsafe ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
    return (Int(size.ws_col), Int(size.ws_row))
  }

  static let showsErrors = isatty(STDERR_FILENO) == 1

  /// Unbuffered, also into a pipe.
  static func show(_ line: String) throws(OutputError) {
    if let code = write(line + "\n", to: STDOUT_FILENO) { throw OutputError(code: code) }
  }

  static func showScreen(_ lines: [String]) throws(OutputError) {
    // ECMA-48: move the cursor to the top left corner, and erase everything after it.
    let text = "\u{1B}[H\u{1B}[J" + lines.joined(separator: "\n")
    if let code = write(text, to: STDOUT_FILENO) { throw OutputError(code: code) }
  }

  static func showJSON(_ json: String) throws(OutputError) { try show(json.printableJSON) }

  /// A terminal shows control characters spelled out; a pipe or a file gets every character as it is.
  static func showContents(_ text: String) throws(OutputError) {
    let isTerminal = isatty(STDOUT_FILENO) == 1
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    let shown = isTerminal ? lines.map { String($0).printable }.joined(separator: "\n") : text
    if let code = write(shown, to: STDOUT_FILENO) { throw OutputError(code: code) }
  }

  static func showError(_ line: String) {
    // There is no other place for a report.
    _ = write("scenectl: \(line.withShortWords)\n", to: STDERR_FILENO)
  }

  static func styled(_ text: String, _ style: Style) -> String {
    hasStyles ? "\u{1B}[\(style.rawValue)m\(text)\u{1B}[0m" : text
  }

  private static func write(_ text: String, to descriptor: CInt) -> CInt? {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let count = unsafe rest.withUnsafeBytes { unsafe Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count >= 0 {
        rest = rest.dropFirst(count)
      } else if errno != EINTR {
        return errno
      }
    }
    return nil
  }
}

struct OutputError: Error, CustomStringConvertible {
  let code: CInt

  /// For example in `scenectl monitor | head`.
  var isEndOfInterest: Bool { code == EPIPE }

  var description: String { "Standard output cannot be written: \(Host.text(ofError: code))." }
}

extension String {
  /// In characters: of a word, such as a URL, in a sentence.
  private static let longestWord = 200

  /// With an ellipsis in place of its middle if it is longer than that.
  var shortened: String {
    // Counting bytes is faster than counting characters, and most texts are short.
    guard utf8.count > Self.longestWord, count > Self.longestWord else { return self }
    return prefix(Self.longestWord * 2 / 3) + "…" + suffix(Self.longestWord / 3)
  }

  fileprivate var withShortWords: String {
    guard utf8.count > Self.longestWord else { return self }
    return split(omittingEmptySubsequences: false) { $0 == " " || $0 == "\n" }.reduce(into: "") {
      text,
      word in
      // The separator is the character before the word.
      if word.startIndex > startIndex { text.append(self[index(before: word.startIndex)]) }
      text += String(word).shortened
    }
  }

  /// One word of a shell's command line.
  var shellWord: String {
    let isPlain = utf8.allSatisfy { byte in
      let character = Character(UnicodeScalar(byte))
      return byte < 0x80 && (character.isLetter || character.isNumber || "@%+:,./-_".contains(character))
    }
    return isPlain && !isEmpty ? self : "'" + replacing("'", with: #"'\''"#) + "'"
  }

  /// Control characters are spelled out, so that text of other programs cannot steer the terminal.
  var printable: String { replacingControls { "\\u{\(String($0.value, radix: 16))}" } }

  var printableJSON: String {
    replacingControls { scalar in
      // These stand only between values, in the `userInfo` of a sender, which is passed on as it is.
      if "\t\n\r".unicodeScalars.contains(scalar) { return " " }
      // A scalar above U+FFFF is two code units; each is escaped by itself (RFC 8259 7).
      return UTF16.encode(scalar)?.reduce(into: "") { $0 += "\\u" + $1.text(digits: 4, radix: 16) } ?? ""
    }
  }

  /// Replaces characters that move the cursor, change the direction of writing or are invisible.
  fileprivate func replacingControls(_ replacement: (Unicode.Scalar) -> String) -> String {
    guard unicodeScalars.contains(where: \.isControl) else { return self }
    return unicodeScalars.reduce(into: "") { text, scalar in
      if scalar.isControl {
        text += replacement(scalar)
      } else {
        text.unicodeScalars.append(scalar)
      }
    }
  }
}

extension Unicode.Scalar {
  fileprivate var isControl: Bool {
    switch properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator: true
    default: false
    }
  }
}
