/// A problem with a line of a file, and how to correct it.
package struct Complaint: Hashable, Sendable {
  /// A warning ignores a line, or a part of it; an error ignores the whole file.
  package enum Severity: String, Sendable {
    case error
    case warning
  }

  /// From 1.
  package let line: Int
  package let severity: Severity
  /// A sentence for the author of the file.
  package let text: String

  package init(line: Int, severity: Severity, text: String) {
    (self.line, self.severity, self.text) = (line, severity, text)
  }
}

extension Complaint: CustomStringConvertible {
  /// Messages put the file's name and a colon before this text.
  package var description: String { "\(line): \(severity.rawValue): \(text)" }
}

extension [Complaint] {
  /// For one file; more do not help, and a large file could cause half a million.
  private static var maximumWarnings: Int { 50 }

  package var hasErrors: Bool { contains { $0.severity == .error } }

  mutating func error(_ line: Int, _ text: String) {
    append(Complaint(line: line, severity: .error, text: text))
  }

  /// Line and text are computed only if the warning is kept.
  mutating func warn(_ line: @autoclosure () -> Int, _ text: @autoclosure () -> String) {
    guard count < Self.maximumWarnings else { return }
    append(Complaint(line: line(), severity: .warning, text: text()))
  }
}
