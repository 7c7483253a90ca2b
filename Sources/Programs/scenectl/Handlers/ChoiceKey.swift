import DesktopEntries

/// What an application is chosen for: a kind of links or files.
///
/// The choice counts for the links or files that any program opens, or only for those that one program opens.
struct ChoiceKey: Hashable, CustomStringConvertible {
  let handled: Handled
  /// The application id of the program that the links come from; nil for all programs.
  var sender: String?

  /// The text of ``handled``, and the sender if there is one.
  var description: String { "\(handled)" + (sender.map { " from \($0)" } ?? "") }
}
