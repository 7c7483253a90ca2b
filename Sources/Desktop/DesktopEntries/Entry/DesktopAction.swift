/// A further command of an application, such as "New Private Window".
///
/// Source: Desktop Entry Specification 1.5, "Additional applications actions".
package struct DesktopAction: Hashable, Sendable {
  package let id: String
  package let name: String
  package let icon: String?
  package let exec: ExecLine

  package init(id: String, name: String, icon: String? = nil, exec: ExecLine) {
    (self.id, self.name, self.icon, self.exec) = (id, name, icon, exec)
  }

  /// In the order of the entry, without those that have no name or no usable command line.
  package static func all(in bytes: [UInt8], locale: LocaleName) -> [DesktopAction] {
    guard let file = KeyFile(bytes), let group = file.group("Desktop Entry") else { return [] }
    var main = GroupReader(file, group: group)
    return (main.strings("Actions") ?? []).compactMap { id in
      guard let group = file.group("Desktop Action \(id)") else { return nil }
      var action = GroupReader(file, group: group)
      guard let name = action.name(in: locale), !name.isEmpty,
        let exec = action.string("Exec").flatMap({ try? ExecLine(parsing: $0) })
      else { return nil }
      return DesktopAction(id: id, name: name, icon: action.string("Icon", in: locale), exec: exec)
    }
  }
}
