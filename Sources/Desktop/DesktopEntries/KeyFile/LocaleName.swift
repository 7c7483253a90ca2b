/// The locale of messages, which says what value of `Name[de]` and `Name[pt_BR]` is taken.
package struct LocaleName: Hashable, Sendable {
  /// What can stand in the brackets, best first.
  let suffixes: [String]

  /// Reads `lang_COUNTRY.ENCODING@MODIFIER`, the value of `LC_ALL`, `LC_MESSAGES` or `LANG`.
  ///
  /// Desktop Entry Specification, "Localized values for keys"; `C` and `POSIX` stand for no language.
  package init(_ name: String) {
    let modifier = name.firstIndex(of: "@").map { name[$0...] } ?? ""
    let territory = name.prefix { $0 != "@" && $0 != "." }
    let language = territory.prefix { $0 != "_" }
    let candidates = [territory + modifier, territory, language + modifier, language]
    if language.isEmpty || language == "C" || language == "POSIX" {
      suffixes = []
    } else {
      suffixes = candidates.indices.filter { !candidates[..<$0].contains(candidates[$0]) }
        .map { String(candidates[$0]) }
    }
  }
}
