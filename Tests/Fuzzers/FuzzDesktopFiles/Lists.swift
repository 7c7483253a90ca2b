@testable import DesktopEntries

/// Reads the input as a list of each kind, and compares the results with the keys in a ``PlainKeyFile``.
///
/// The kinds are lists of associations, choices for hosts, and choices for senders.
func checkLists(_ bytes: [UInt8]) {
  let plain = PlainKeyFile(bytes)
  let lineCount = lines(of: bytes).count
  let (list, complaints) = MIMEAppsList.read(bytes)
  precondition(list.defaults == plain.associations(in: "Default Applications"))
  precondition(list.added == plain.associations(in: "Added Associations"))
  precondition(list.removed == plain.associations(in: "Removed Associations"))
  precondition(complaints.allSatisfy { 1...lineCount ~= $0.line && $0.severity == .warning }, "\(complaints)")
  let (desktop, _) = MIMEAppsList.read(bytes, isDesktopSpecific: true)
  precondition(desktop.defaults == list.defaults && desktop.added.isEmpty && desktop.removed.isEmpty)

  let (hosts, _) = HostChoices.read([bytes])
  var expected: [String: [String]] = [:]
  for item in plain.associations(in: "org.freedesktop.UriHandler") {
    let host = item.key.prefix { $0 != "/" }
    expected[host.lowercased() + item.key.dropFirst(host.count), default: []] += item.ids
  }
  precondition(hosts.applications == expected.mapValues(\.withoutRepetitions))

  let (choices, _) = SenderChoices.read(bytes)
  let groups = plain.groups.filter { SenderChoices.sender(ofGroup: $0) != nil }
  precondition(choices.groups.map(\.sender) == groups.compactMap(SenderChoices.sender(ofGroup:)))
  for (choices, group) in zip(choices.groups, groups) {
    precondition(choices.choices == plain.associations(in: group).filter { MIMEType.isValid($0.key) })
  }
  check(list)
}

/// Checks which applications open the types in a list, if three applications are installed.
///
/// Only two of the applications are usable. Answers must name only these two, and none twice.
private func check(_ list: MIMEAppsList) {
  let types = (list.defaults + list.added + list.removed).map(\.key)
  let entries = ["a", "b", "c"].map { id in
    MIMEAssociations.Entry(id: "\(id).desktop", mimeTypes: Array(types.prefix(2)), isUsable: id != "b")
  }
  let associations = MIMEAssociations(
    [.init(lists: [list]), .init(lists: [list], entries: entries)],
    database: MIMEDatabase([])
  )
  let usable = ["a.desktop", "c.desktop"]
  for type in types {
    let applications = associations.applications(for: type)
    precondition(applications == applications.withoutRepetitions && applications.allSatisfy(usable.contains))
    let first = associations.defaultApplication(for: type)
    precondition(first.map(usable.contains) ?? applications.isEmpty, "no default for \(type)")
  }
  for type in associations.knownTypes {
    let named = type.defaults + type.added + type.applications + type.removed
    precondition(named.allSatisfy(usable.contains))
  }
}

extension PlainKeyFile {
  /// The associations in a group, in the order of their lines.
  ///
  /// Keys with a locale are left out. If a key occurs several times, only its last line counts.
  fileprivate func associations(in group: String) -> [Association] {
    let lines = lines.filter { $0.group == group && !$0.key.hasSuffix("]") }
    return lines.indices.filter { index in !lines[(index + 1)...].contains { $0.key == lines[index].key } }
      .map { Association(key: lines[$0].key, ids: parts(of: lines[$0].value), line: lines[$0].number) }
  }
}

extension [String] {
  fileprivate var withoutRepetitions: [String] {
    indices.filter { !self[..<$0].contains(self[$0]) }.map { self[$0] }
  }
}

// MARK: - Changes

/// Changes a list, undoes the changes, and checks that every byte of the list is as before.
///
/// Each byte in the first line of the input stands for one change. The other lines are the list.
func checkChanges(_ input: [UInt8]) {
  let steps = input.prefix { $0 != UInt8(ascii: "\n") }
  let rest = Array(input[steps.count...])
  let bytes = rest.isEmpty ? nil : Array(rest.dropFirst())
  var file = AssociationFile(bytes)
  var changes: [Change] = []
  for step in steps.prefix(8) {
    let change = Change(step)
    guard !changes.contains(change) else { continue }
    let before = file
    guard file.choose(change.id, for: change.key, in: change.group) else {
      precondition(file == before, "a change was refused and made")
      continue
    }
    change.check(before, file)
    if file != before { changes.append(change) }
  }
  // If the number of steps is even, the last change is undone first. Otherwise the first change is undone first.
  for change in steps.count.isMultiple(of: 2) ? changes.reversed() : changes {
    precondition(file.remove(change.id, for: change.key, in: change.group), "nothing is taken back")
  }
  precondition(file.bytes == bytes, "what was changed is not as before")
}

private struct Change: Equatable {
  let id: String
  let key: String
  let group: AssociationGroup

  init(_ step: UInt8) {
    id = ["a.desktop", "b.desktop"][Int(step & 1)]
    key = ["a/b", "x-scheme-handler/https"][Int(step >> 1 & 1)]
    group = [.defaults, .added, .hosts, .sender("a")][Int(step >> 2 & 3)]
  }

  /// Checks that the list of `key` now begins with the chosen application, and that nothing else has changed.
  func check(_ before: AssociationFile, _ after: AssociationFile) {
    for group in [.defaults, .added, .hosts, .sender("a"), .sender("b")] as [AssociationGroup] {
      let (old, new) = (before.associations(in: group), after.associations(in: group))
      let others = new.filter { group != self.group || $0.key != key }.map { [$0.key] + $0.ids }
      precondition(others == old.filter { group != self.group || $0.key != key }.map { [$0.key] + $0.ids })
      guard group == self.group else { continue }
      let ids = new.first { $0.key == key }?.ids ?? []
      let oldIDs = old.first { $0.key == key }?.ids ?? []
      precondition(ids.first == id, "the choice is not read first")
      precondition(ids.filter { $0 != id } == oldIDs.filter { $0 != id }, "other choices: \(ids)")
    }
  }
}
