package import DesktopEntries

/// A probable mistake in the configuration of the router.
package struct Finding: Hashable, Sendable {
  /// The kind of a mistake.
  ///
  /// In the JSON output of `scenectl check`, the field `rule` has the raw value of the kind.
  package enum Rule: String, Sendable, CaseIterable {
    /// A line of a file cannot be read, or is ignored.
    case file
    /// A part of the configuration can never match.
    case neverMatches
    /// A declaration is never chosen, because another declaration always comes first.
    case shadowed
    /// An open scene matches everything, so that it takes the events of other declarations.
    case openWildcard
    /// An application claims events that none of its scenes takes.
    case unserved
    /// An identifier is so short that many links of other programs contain it.
    case shortIdentifier
    /// An application claims a host, but no application claims `https`, so a declined link goes nowhere.
    case noFallback
    /// A program is missing.
    case missingProgram
    /// `DBusActivatable` is ignored, because the bus has no such service.
    case noService
    /// A shell would execute a part of a link.
    case shellScript
    /// A list names an application that is not installed.
    case notInstalled
    /// Another application has become the default in place of the router.
    case otherDefault
    /// A scene prefers links that never reach its application, for example because only other applications claim them.
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
