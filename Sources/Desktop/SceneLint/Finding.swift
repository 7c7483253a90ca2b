package import DesktopEntries

/// Something in the configuration of the router that is probably not meant.
package struct Finding: Hashable, Sendable {
  /// What was looked for; the raw values are for programs.
  package enum Rule: String, Sendable, CaseIterable {
    /// A line of a file that cannot be read, or is ignored.
    case file
    /// Nothing can ever match it.
    case neverMatches
    /// Another one is always chosen before it.
    case shadowed
    /// An open scene that takes everything is always chosen before it.
    case openWildcard
    /// A claimed event that no rule has a target for.
    case unserved
    /// An identifier that many links of other programs contain.
    case shortIdentifier
    /// A claimed host whose links nobody else takes.
    case noFallback
    /// A program that is not there.
    case missingProgram
    /// An identifier that looks copied from an example.
    case placeholder
    /// An identifier that is there twice.
    case duplicate
    /// A claim of subdomains without their domain.
    case subdomainsOnly
    /// Programs that are started find no display.
    case noDisplay
  }

  /// What was looked for.
  package let rule: Rule
  /// `FILE:LINE`, or the scene or declaration.
  package let place: String
  /// What is wrong.
  package let sentence: String
  /// What to do about it; empty if the sentence says that too.
  package let advice: String

  /// Makes a finding.
  package init(_ rule: Rule, at place: String, _ sentence: String, advice: String) {
    (self.rule, self.place, self.sentence, self.advice) = (rule, place, sentence, advice)
  }

  /// What the reader of a file says of a line.
  package init(_ complaint: Complaint, in path: String) {
    self.init(.file, at: "\(path):\(complaint.line)", complaint.text, advice: "")
  }
}
