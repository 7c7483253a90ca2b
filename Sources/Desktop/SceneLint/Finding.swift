package import DesktopEntries

/// A probable mistake in the configuration of the router.
package struct Finding: Hashable, Sendable {
  /// The rule of a finding; programs read the raw values.
  package enum Rule: String, Sendable, CaseIterable {
    /// A line of a file cannot be read, or is ignored.
    case file
    /// A part of the configuration can never match.
    case neverMatches
    /// Another declaration is always chosen first.
    case shadowed
    /// An open scene that matches everything is always chosen first.
    case openWildcard
    /// An application claims events that none of its scenes takes.
    case unserved
    /// An identifier is contained in many links of other programs.
    case shortIdentifier
    /// No other application takes the links of a claimed host.
    case noFallback
    /// A program is missing.
    case missingProgram
    /// A shell would execute a part of a link.
    case shellScript
    /// A list names an application that is not installed.
    case notInstalled
    /// Another application has become the default in place of the router.
    case otherDefault
    /// A scene prefers links that its application does not claim.
    case claimedByOthers
    /// A text looks copied from an example.
    case placeholder
    /// An identifier occurs twice.
    case duplicate
    /// Subdomains are claimed without their domain.
    case subdomainsOnly
    /// Started programs find no display.
    case noDisplay
    /// The manifest of a browser's adapter does not allow the extension of scened.
    case otherExtension
    /// A browser runs without its adapter.
    case noAdapter
  }

  /// The rule.
  package let rule: Rule
  /// The place: `FILE:LINE`, a scene or a declaration.
  package let place: String
  /// The problem.
  package let sentence: String
  /// How to correct the problem; empty if ``sentence`` already says how.
  package let advice: String

  /// Makes a finding.
  package init(_ rule: Rule, at place: String, _ sentence: String, advice: String) {
    (self.rule, self.place, self.sentence, self.advice) = (rule, place, sentence, advice)
  }

  /// Turns a complaint about a line of a file into a finding.
  package init(_ complaint: Complaint, in path: String) {
    self.init(.file, at: "\(path):\(complaint.line)", complaint.text, advice: "")
  }
}
