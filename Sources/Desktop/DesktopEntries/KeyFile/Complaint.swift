/// What is wrong with a line of a file, and what to do about it.
package struct Complaint: Hashable, Sendable {
  /// What follows from it.
  package enum Severity: String, Sendable {
    /// The file is not taken.
    case error
    /// The line, or a part of it, is ignored.
    case warning
  }

  /// Counted from 1.
  package let line: Int
  /// What follows from it.
  package let severity: Severity
  /// A sentence for the author of the file.
  package let text: String

  /// Makes a complaint.
  package init(line: Int, severity: Severity, text: String) {
    (self.line, self.severity, self.text) = (line, severity, text)
  }
}

extension Complaint: CustomStringConvertible {
  /// `LINE: SEVERITY: TEXT`, to be put behind a file's name and a colon.
  package var description: String { "\(line): \(severity.rawValue): \(text)" }
}

extension [Complaint] {
  /// How many warnings one file can cause; more of them help nobody, and a large file can hold half a million.
  private static var maximumWarnings: Int { 50 }

  /// Whether the file is not taken.
  package var hasErrors: Bool { contains { $0.severity == .error } }

  mutating func error(_ line: Int, _ text: String) {
    append(Complaint(line: line, severity: .error, text: text))
  }

  /// Looks for line and text only if the warning is kept.
  mutating func warn(_ line: @autoclosure () -> Int, _ text: @autoclosure () -> String) {
    guard count < Self.maximumWarnings else { return }
    append(Complaint(line: line(), severity: .warning, text: text()))
  }
}
