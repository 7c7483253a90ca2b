import DesktopEntries

/// What an application is chosen for: a kind of links or files, from all programs or from one.
struct ChoiceKey: Hashable, CustomStringConvertible {
  let handled: Handled
  /// The application id of the program that the links come from; nil for all programs.
  var sender: String?

  var description: String { "\(handled)" + (sender.map { " from \($0)" } ?? "") }
}
