/// A problem with a line of a file, and how to correct it.
package struct Complaint: Hashable, Sendable {
  /// The consequence of a problem.
  package enum Severity: String, Sendable {
    /// The whole file is ignored.
    case error
    /// The line, or a part of it, is ignored.
    case warning
  }

  /// The number of the line, from 1.
  package let line: Int
  /// Whether the problem is an error or a warning.
  package let severity: Severity
  /// A sentence for the author of the file.
  package let text: String

  /// Makes a complaint.
  package init(line: Int, severity: Severity, text: String) {
    (self.line, self.severity, self.text) = (line, severity, text)
  }
}

extension Complaint: CustomStringConvertible {
  /// `LINE: SEVERITY: TEXT`; messages put the file's name and a colon before this text.
  package var description: String { "\(line): \(severity.rawValue): \(text)" }
}

extension [Complaint] {
  /// The largest number of warnings for one file.
  ///
  /// More warnings do not help, and a large file could cause half a million.
  private static var maximumWarnings: Int { 50 }

  /// Whether one of the complaints is an error.
  package var hasErrors: Bool { contains { $0.severity == .error } }

  mutating func error(_ line: Int, _ text: String) {
    append(Complaint(line: line, severity: .error, text: text))
  }

  /// Adds a warning; line and text are computed only if the warning is kept.
  mutating func warn(_ line: @autoclosure () -> Int, _ text: @autoclosure () -> String) {
    guard count < Self.maximumWarnings else { return }
    append(Complaint(line: line(), severity: .warning, text: text()))
  }
}
