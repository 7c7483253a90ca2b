import SceneClient

extension EventRecord {
  var sender: String? {
    let process = senderProcessID.map { "process \($0)" }
    if let application = senderApplicationID {
      // `scenectl` sends for the program that runs it, so the clause leaves `scenectl` out.
      guard let name = senderName, !Self.isCommand(name) else {
        return ["sent by \(application)", process].compactMap(\.self).joined(separator: ", ").printable
      }
      return ["sent by \(name) (\(application))", process].compactMap(\.self).joined(separator: ", ")
        .printable
    }
    switch senderName {
    case "xdg-desktop-portal"?:
      return "the sender is not known, because a desktop portal (xdg-desktop-portal) handed the event on"
    case "scened-open"?:
      return "the sender is not known, because the desktop (KDE's KIO, or GNOME Shell) handed the event on"
    case let name?: return ["sent by \(name)", process].compactMap(\.self).joined(separator: ", ").printable
    case nil: return process.map { "sent by \($0)" }
    }
  }

  private static func isCommand(_ name: String) -> Bool { name == "scenectl" }
}
