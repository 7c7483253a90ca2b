extension String {
  /// The text as an application id: without any `.desktop` at its end.
  ///
  /// Every type of the rules that takes an id converts it, because programs write either form.
  ///
  /// Source: "Words" in the routing contract.
  package var asApplicationID: String {
    let suffix = ".desktop"
    var id = utf8[...]
    while id.suffix(suffix.utf8.count).elementsEqual(suffix.utf8) { id.removeLast(suffix.utf8.count) }
    // Nearly always the text does not end in `.desktop`. Then the text is not copied.
    return id.endIndex == utf8.endIndex ? self : String(Substring(id))
  }
}
