/// Selects among values such as `Name[de]` and `Name[pt_BR]`.
package struct LocaleName: Hashable, Sendable {
  /// The most preferred first.
  let suffixes: [String]

  /// `lang_COUNTRY.ENCODING@MODIFIER` (Desktop Entry Specification, "Localized values for keys").
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
