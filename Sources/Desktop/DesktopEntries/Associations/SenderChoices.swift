/// The applications that the user chose for links and files that a program sends: the file `scened/choices` in
/// `$XDG_CONFIG_HOME`.
///
/// The file has the format of `mimeapps.list`. The group `[From ID]` has the choices for events that the application
/// ID sends. `.desktop` at the end of ID is ignored, even if it is there more than once. The lines are
/// `TYPE=DESKTOP-ID;…`. A URL scheme is written as the type `x-scheme-handler/SCHEME`.
///
/// Only `scened` and `scenectl` read the file.
package struct SenderChoices: Hashable, Sendable {
  /// The applications that the user chose for events from one sender.
  package struct Group: Hashable, Sendable {
    /// The id of the application that sends, without `.desktop`.
    package let sender: String
    /// The chosen applications for types, in the order of the lines; the key is a MIME type.
    package let choices: [Association]
  }

  /// The groups, in the order of the file.
  package private(set) var groups: [Group] = []

  /// Makes an empty set of choices.
  package init() {}

  /// Reads a file.
  ///
  /// - Parameter bytes: The whole file.
  /// - Returns: The choices, and the complaints about the file.
  package static func read(_ bytes: [UInt8]) -> (choices: SenderChoices, complaints: [Complaint]) {
    guard let file = KeyFile(bytes) else { return (SenderChoices(), [.tooLarge]) }
    var (known, unknown): ([(name: String, sender: String)], [KeyFile.Group]) = ([], [])
    for group in file.groups {
      if let sender = sender(ofGroup: group.name) {
        known.append((group.name, sender))
      } else {
        unknown.append(group)
      }
    }
    let list = AssociationList(file, groups: known.map(\.name))
    var choices = SenderChoices()
    var complaints = list.complaints
    for ((_, sender), associations) in zip(known, list.groups) {
      let valid = associations.filter { MIMEType.isValid($0.key) }
      choices.groups.append(Group(sender: sender, choices: valid))
      for association in associations where !MIMEType.isValid(association.key) {
        let text = "'\(association.key)' is ignored; write 'x-scheme-handler/SCHEME' or 'TYPE/SUBTYPE'."
        complaints.warn(association.line, text)
      }
    }
    for group in unknown {
      complaints.warn(group.line, "Group '\(group.name)' is ignored; write '[From APPLICATION]'.")
    }
    return (choices, complaints.sorted { $0.line < $1.line })
  }

  static let prefix = "From "

  /// Returns the sender's id from the name of a group; nil if the name is not `From ID`.
  static func sender(ofGroup name: String) -> String? {
    guard name.hasPrefix(prefix) else { return nil }
    let sender = name.dropFirst(prefix.count)
    let isID = sender.utf8.allSatisfy {
      0x20 < $0 && $0 < 0x7F && $0 != UInt8(ascii: "[") && $0 != UInt8(ascii: "]")
    }
    let id = DesktopEntry.applicationID(ofDesktopID: String(sender))
    return isID && !id.isEmpty ? id : nil
  }
}
