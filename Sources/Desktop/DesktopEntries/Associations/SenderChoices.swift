/// The file `scened/choices` in `$XDG_CONFIG_HOME`, which only `scened` and `scenectl` read.
///
/// The format is that of `mimeapps.list`, with a group `[From ID]` for the events that the application ID sends. Each
/// `.desktop` at the end of ID is ignored.
package struct SenderChoices: Hashable, Sendable {
  package struct Group: Hashable, Sendable {
    package let sender: String
    /// In the order of the lines; the keys are MIME types.
    package let choices: [Association]
  }

  package private(set) var groups: [Group] = []

  package init() {}

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

  /// Nil if the name is not `From ID`.
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
