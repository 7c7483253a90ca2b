import Glibc

/// Prints to standard output and standard error.
enum Terminal {
  /// A style for words; the raw value is the number in the escape sequence that sets the style (SGR in ECMA-48).
  enum Style: String {
    case strong = "1"
    case good = "32"
    case bad = "31"
    case quiet = "2"
  }

  private static let hasStyles =
    isatty(STDOUT_FILENO) == 1 && Host.variable("NO_COLOR") == nil && Host.variable("TERM") != "dumb"

  /// The size of the terminal; nil if standard output is no terminal, or the terminal does not tell its size.
  static var size: (columns: Int, lines: Int)? {
    var size = winsize()
    guard unsafe ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
    return (Int(size.ws_col), Int(size.ws_row))
  }

  /// Whether standard error is a terminal, where a person may see the text.
  static let showsErrors = isatty(STDERR_FILENO) == 1

  /// Prints a line without buffering, also into a pipe.
  static func show(_ line: String) throws(OutputError) {
    if let code = write(line + "\n", to: STDOUT_FILENO) { throw OutputError(code: code) }
  }

  /// Replaces the whole screen of the terminal.
  static func showScreen(_ lines: [String]) throws(OutputError) {
    // ECMA-48: move the cursor to the top left corner, and erase everything after it.
    let text = "\u{1B}[H\u{1B}[J" + lines.joined(separator: "\n")
    if let code = write(text, to: STDOUT_FILENO) { throw OutputError(code: code) }
  }

  /// Prints a JSON object in one line, without characters that could steer a terminal.
  static func showJSON(_ json: String) throws(OutputError) { try show(json.printableJSON) }

  /// Prints the contents of a file.
  ///
  /// A terminal shows control characters spelled out; a pipe or a file gets every character as it is.
  static func showContents(_ text: String) throws(OutputError) {
    let isTerminal = isatty(STDOUT_FILENO) == 1
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    let shown = isTerminal ? lines.map { String($0).printable }.joined(separator: "\n") : text
    if let code = write(shown, to: STDOUT_FILENO) { throw OutputError(code: code) }
  }

  /// Prints a line on standard error; long words, such as a URL of 32 KiB, are shortened.
  static func showError(_ line: String) {
    // An error is ignored, because there is no other place for a report.
    _ = write("scenectl: \(line.withShortWords)\n", to: STDERR_FILENO)
  }

  /// Returns the text in a style, if the terminal has styles and `NO_COLOR` is not set.
  static func styled(_ text: String, _ style: Style) -> String {
    hasStyles ? "\u{1B}[\(style.rawValue)m\(text)\u{1B}[0m" : text
  }

  /// Writes a text; returns the system's error, or nil after a success.
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

/// The reason why standard output cannot be written, as a sentence.
struct OutputError: Error, CustomStringConvertible {
  let code: CInt

  /// Whether the reader closed the pipe, for example in `scenectl monitor | head`.
  var isEndOfInterest: Bool { code == EPIPE }

  var description: String { "Standard output cannot be written: \(Host.text(ofError: code))." }
}

extension String {
  /// The largest number of characters of a word, such as a URL, in a sentence.
  private static let longestWord = 200

  /// The text, with an ellipsis in place of its middle if it has more than 200 characters.
  var shortened: String {
    // Most texts are short, and counting bytes is faster than counting characters.
    guard utf8.count > Self.longestWord, count > Self.longestWord else { return self }
    return prefix(Self.longestWord * 2 / 3) + "…" + suffix(Self.longestWord / 3)
  }

  /// The text, with an ellipsis in place of the middle of each word that has more than 200 characters.
  fileprivate var withShortWords: String {
    guard utf8.count > Self.longestWord else { return self }
    return split(omittingEmptySubsequences: false) { $0 == " " || $0 == "\n" }.reduce(into: "") {
      text,
      word in
      // The separator has to be kept: it is the character before the word.
      if word.startIndex > startIndex { text.append(self[index(before: word.startIndex)]) }
      text += String(word).shortened
    }
  }

  /// The text with control characters spelled out, so that text of other programs cannot steer the terminal.
  var printable: String { replacingControls { "\\u{\(String($0.value, radix: 16))}" } }

  /// The JSON on one line, with escapes in place of characters that could steer a terminal.
  var printableJSON: String {
    replacingControls { scalar in
      // Only the space between values can contain these characters, because a JSON string may not contain them. The
      // space comes from a sender, whose `userInfo` is passed on as it is.
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
