import Glibc

/// What is printed, and how.
enum Terminal {
  /// The styles of words that matter; nothing but the words if nobody looks at them on a terminal.
  enum Style: String {
    case strong = "1"
    case good = "32"
    case bad = "31"
    case quiet = "2"
  }

  private static let hasColor = isatty(STDOUT_FILENO) == 1 && Host.variable("NO_COLOR") == nil

  /// Whether somebody looks at standard error.
  static let showsErrors = isatty(STDERR_FILENO) == 1

  /// Prints a line at once, also into a pipe.
  static func show(_ line: String) throws(OutputError) {
    if let code = write(line + "\n", to: STDOUT_FILENO) { throw OutputError(code: code) }
  }

  /// Prints a JSON object on a line.
  ///
  /// What could steer a terminal is escaped; it can only be inside strings, as the rest of JSON is ASCII.
  static func showJSON(_ json: String) throws(OutputError) {
    try show(json.replacingControls { "\\u" + String(repeating: "0", count: 4 - $0.count) + $0 })
  }

  /// Prints a line on standard error.
  static func showError(_ line: String) {
    // There is nobody to tell if standard error is gone.
    _ = write("scenectl: \(line)\n", to: STDERR_FILENO)
  }

  static func styled(_ text: String, _ style: Style) -> String {
    hasColor ? "\u{1B}[\(style.rawValue)m\(text)\u{1B}[0m" : text
  }

  /// Writes all of a text; answers the system's error if that fails.
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

/// Why nothing more can be printed, as a sentence.
struct OutputError: Error, CustomStringConvertible {
  let code: CInt

  /// Whether the reader has seen enough, as in `scenectl monitor | head`.
  var isEndOfInterest: Bool { code == EPIPE }

  var description: String { "Standard output cannot be written: \(Host.text(ofError: code))." }
}

extension String {
  /// The text with control characters spelled out: what other programs say must not steer the terminal.
  var printable: String { replacingControls { "\\u{\($0)}" } }

  /// Replaces all that moves the cursor or changes the direction of writing, given in hexadecimal digits.
  fileprivate func replacingControls(_ replacement: (String) -> String) -> String {
    guard unicodeScalars.contains(where: \.isControl) else { return self }
    return unicodeScalars.reduce(into: "") { text, scalar in
      if scalar.isControl {
        text += replacement(String(scalar.value, radix: 16))
      } else {
        text.unicodeScalars.append(scalar)
      }
    }
  }
}

extension Unicode.Scalar {
  fileprivate var isControl: Bool {
    switch properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: true
    default: properties.isBidiControl
    }
  }
}
