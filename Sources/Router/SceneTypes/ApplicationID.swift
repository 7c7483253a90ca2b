extension String {
  /// The text as an application id: without any `.desktop` at its end.
  ///
  /// Programs write the name of their desktop entry's file, or this name without `.desktop`. The router keeps and
  /// reports ids without `.desktop`. Every type of the rules that takes an application id therefore converts the id.
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
