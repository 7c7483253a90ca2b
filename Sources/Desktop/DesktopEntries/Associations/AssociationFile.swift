/// A group in one of the user's files; the lines of the group name the applications that the user chose.
package enum AssociationGroup: Hashable, Sendable {
  /// The default applications of MIME types, in `mimeapps.list`.
  case defaults
  /// The applications that the user added to MIME types, in `mimeapps.list`.
  case added
  /// The applications that the user chose for links to hosts, in `intentapps.list`.
  case hosts
  /// The applications that the user chose for links and files from one sender, in `scened/choices`; the value is the
  /// sender's id.
  case sender(String)

  /// The name of the group in the file.
  package var name: String {
    switch self {
    case .defaults: "Default Applications"
    case .added: "Added Associations"
    case .hosts: UriHandler.name
    case .sender(let id): SenderChoices.prefix + id
    }
  }
}

/// A file that lists applications for MIME types or hosts.
///
/// Each change keeps every other line as it is. ``remove(_:for:in:)`` undoes ``choose(_:for:in:)`` byte for byte,
/// even if other lines have changed in between. If `choose` has created the file, `remove` removes the file.
package struct AssociationFile: Hashable, Sendable {
  /// The first line of a file that ``choose(_:for:in:)`` has created.
  ///
  /// When only this line is left, ``remove(_:for:in:)`` removes the file.
  private static let fileMark = Array("# This file was added by scenectl.\n".utf8)

  /// The contents; nil for a missing file.
  package private(set) var bytes: [UInt8]?

  /// Makes a file with some contents.
  package init(_ bytes: [UInt8]?) { self.bytes = bytes }

  /// Why the file cannot be changed; nil if the file can be changed.
  package var error: Complaint? {
    guard let bytes else { return nil }
    if bytes.count > KeyFile.maximumSize { return .tooLarge }
    guard let zero = bytes.firstIndex(of: 0) else { return nil }
    let line = 1 + bytes[..<zero].count { $0 == UInt8(ascii: "\n") }
    return Complaint(line: line, severity: .error, text: "The file is not a text file; remove it first.")
  }

  /// Returns the associations of a group, in the order of the lines.
  package func associations(in group: AssociationGroup) -> [Association] {
    AssociationList(bytes ?? [], groups: [group.name]).groups[0]
  }

  /// Returns the group with the user's choices for events that the application `id` sends.
  ///
  /// The file may spell the id with `.desktop` at its end. The returned group keeps this spelling.
  package func group(ofSender id: String) -> AssociationGroup {
    let names = KeyFile(bytes ?? [])?.groups.map(\.name) ?? []
    let name = names.first { SenderChoices.sender(ofGroup: $0) == id }
    return .sender(name.map { String($0.dropFirst(SenderChoices.prefix.count)) } ?? id)
  }

  /// Puts an application first in the list of a key, before the applications that the list already has.
  ///
  /// Returns false and changes nothing in two cases: the file cannot be changed, or the file's format does not allow
  /// the key, the id or the sender's id in `group`.
  package mutating func choose(_ id: String, for key: String, in group: AssociationGroup) -> Bool {
    if case .sender = group, SenderChoices.sender(ofGroup: group.name) == nil { return false }
    guard error == nil, let file = KeyFile(bytes ?? Self.fileMark),
      let changed = file.placingFirst(id, inList: key, of: group.name)
    else { return false }
    bytes = changed
    return true
  }

  /// Removes the first mention of an application from the list of a key.
  ///
  /// Returns false if the application is not in the list, or if the file cannot be changed.
  @discardableResult
  package mutating func remove(_ id: String, for key: String, in group: AssociationGroup) -> Bool {
    guard let bytes, error == nil, let file = KeyFile(bytes) else { return false }
    let changed = file.removing(id, fromList: key, of: group.name)
    guard changed != bytes else { return false }
    self.bytes = changed == Self.fileMark ? nil : changed
    return true
  }
}
