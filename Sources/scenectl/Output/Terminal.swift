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
  static func show(_ line: String) {
    print(line)
    fflush(nil)
  }

  /// Prints a line on standard error.
  static func showError(_ line: String) {
    var line = "scenectl: " + line + "\n"
    line.withUTF8 { line in
      // There is nobody to tell if standard error is gone.
      _ = unsafe write(STDERR_FILENO, line.baseAddress, line.count)
    }
  }

  static func styled(_ text: String, _ style: Style) -> String {
    hasColor ? "\u{1B}[\(style.rawValue)m\(text)\u{1B}[0m" : text
  }
}

extension String {
  /// The text with control characters spelled out: what other programs say must not steer the terminal.
  var printable: String {
    guard unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else { return self }
    return unicodeScalars.reduce(into: "") { text, scalar in
      if scalar.properties.generalCategory == .control {
        text += "\\u{\(String(scalar.value, radix: 16))}"
      } else {
        text.unicodeScalars.append(scalar)
      }
    }
  }
}
