import DesktopEntries

/// The subject of a choice: the kind of links or files that the chosen application opens.
///
/// The links come from all programs, or from one program.
struct ChoiceKey: Hashable, CustomStringConvertible {
  let handled: Handled
  /// The application id of the program that the links come from; nil for all programs.
  var sender: String?

  /// The kind, and the sender if there is one.
  var description: String { "\(handled)" + (sender.map { " from \($0)" } ?? "") }
}
