package import DesktopEntries

/// A probable mistake in the configuration of the router.
package struct Finding: Hashable, Sendable {
  /// In the JSON output of `scenectl check`, the field `rule` has the raw value.
  package enum Rule: String, Sendable, CaseIterable {
    /// A line of a file cannot be read, or is ignored.
    case file
    case neverMatches
    /// Another declaration always comes first.
    case shadowed
    /// An open scene takes the events of other declarations.
    case openWildcard
    /// An application claims events that none of its scenes takes.
    case unserved
    /// Many links of other programs contain it.
    case shortIdentifier
    /// A host is claimed, but no application claims `https`, so a declined link goes nowhere.
    case noFallback
    case missingProgram
    /// `DBusActivatable` is ignored.
    case noService
    /// A shell would execute a part of a link.
    case shellScript
    case notInstalled
    /// Another application has become the default in place of the router.
    case otherDefault
    /// A scene prefers links that never reach its application.
    case claimedByOthers
    /// A text looks copied from an example.
    case placeholder
    case duplicate
    case subdomainsOnly
    case noDisplay
    /// The manifest of a browser's adapter does not allow the extension of scened.
    case otherExtension
    case noAdapter
  }

  package let rule: Rule
  /// `FILE:LINE`, a scene or a declaration.
  package let place: String
  package let sentence: String
  /// Empty if ``sentence`` already says how.
  package let advice: String

  package init(_ rule: Rule, at place: String, _ sentence: String, advice: String) {
    (self.rule, self.place, self.sentence, self.advice) = (rule, place, sentence, advice)
  }

  package init(_ complaint: Complaint, in path: String) {
    self.init(.file, at: "\(path):\(complaint.line)", complaint.text, advice: "")
  }
}
