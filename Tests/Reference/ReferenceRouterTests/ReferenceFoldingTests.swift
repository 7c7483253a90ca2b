import ReferenceRouter
import Testing

struct ReferenceFoldingTests {
  @Test(arguments: FoldingProbes.all)
  func identifierMatchesAsProbed(_ probe: FoldingProbes.Probe) {
    #expect(
      ReferenceFolding.matches(identifier: probe.identifier, comparisonString: probe.string) == probe.matches
    )
  }

  /// Each string has its NFC, its NFD and its folded form.
  ///
  /// The test compares scalars, because Swift's `==` ignores differences of normalization.
  @Test(arguments: [
    ("\u{E9}", "\u{E9}", "e\u{301}", "e"),
    ("a\u{302}\u{323}", "\u{1EAD}", "a\u{323}\u{302}", "a"),
    ("\u{1112}\u{1161}\u{11AB}", "\u{D55C}", "\u{1112}\u{1161}\u{11AB}", "\u{D55C}"),
    ("\u{D558}\u{11AB}", "\u{D55C}", "\u{1112}\u{1161}\u{11AB}", "\u{D55C}"),
    ("\u{D558}\u{11A7}", "\u{D558}\u{11A7}", "\u{1112}\u{1161}\u{11A7}", "\u{D558}\u{11A7}"),
    ("\u{958}", "\u{915}\u{93C}", "\u{915}\u{93C}", "\u{915}"),
    ("\u{304B}\u{3099}", "\u{304C}", "\u{304B}\u{3099}", "\u{304C}"),
    ("\u{212B}", "\u{C5}", "A\u{30A}", "a"),
    (
      "\u{1E9E}\u{13A0}\u{AB70}", "\u{1E9E}\u{13A0}\u{AB70}", "\u{1E9E}\u{13A0}\u{AB70}", "ss\u{13A0}\u{13A0}"
    ),
    ("\u{130}I\u{131}", "\u{130}I\u{131}", "I\u{307}I\u{131}", "ii\u{131}"),
  ])
  func formsAreExact(_ string: String, nfc: String, nfd: String, fold: String) {
    #expect(Array(ReferenceFolding.nfc(string).unicodeScalars) == Array(nfc.unicodeScalars))
    #expect(Array(ReferenceFolding.nfd(string).unicodeScalars) == Array(nfd.unicodeScalars))
    #expect(Array(ReferenceFolding.fold(string).unicodeScalars) == Array(fold.unicodeScalars))
  }
}
