/// `defaults` and `added` are in `mimeapps.list`, `hosts` in `intentapps.list`, `sender` in `scened/choices`.
package enum AssociationGroup: Hashable, Sendable {
  case defaults
  case added
  case hosts
  case sender(String)

  package var name: String {
    switch self {
    case .defaults: "Default Applications"
    case .added: "Added Associations"
    case .hosts: UriHandler.name
    case .sender(let id): SenderChoices.prefix + id
    }
  }
}

/// ``remove(_:for:in:)`` undoes ``choose(_:for:in:)`` byte for byte, even if other lines have changed in between.
package struct AssociationFile: Hashable, Sendable {
  /// Written if ``choose(_:for:in:)`` makes the file; ``remove(_:for:in:)`` removes a file with nothing else.
  private static let fileMark = Array("# This file was added by scenectl.\n".utf8)

  /// Nil for a missing file.
  package private(set) var bytes: [UInt8]?

  package init(_ bytes: [UInt8]?) { self.bytes = bytes }

  package var error: Complaint? {
    guard let bytes else { return nil }
    if bytes.count > KeyFile.maximumSize { return .tooLarge }
    guard let zero = bytes.firstIndex(of: 0) else { return nil }
    let line = 1 + bytes[..<zero].count { $0 == UInt8(ascii: "\n") }
    return Complaint(line: line, severity: .error, text: "The file is not a text file; remove it first.")
  }

  package func associations(in group: AssociationGroup) -> [Association] {
    AssociationList(bytes ?? [], groups: [group.name]).groups[0]
  }

  /// The file may spell the id with `.desktop` at its end; the group keeps this spelling.
  package func group(ofSender id: String) -> AssociationGroup {
    let names = KeyFile(bytes ?? [])?.groups.map(\.name) ?? []
    let name = names.first { SenderChoices.sender(ofGroup: $0) == id }
    return .sender(name.map { String($0.dropFirst(SenderChoices.prefix.count)) } ?? id)
  }

  /// Returns false and changes nothing if the file cannot be changed, or if its format does not allow the key or an id.
  package mutating func choose(_ id: String, for key: String, in group: AssociationGroup) -> Bool {
    if case .sender = group, SenderChoices.sender(ofGroup: group.name) == nil { return false }
    guard error == nil, let file = KeyFile(bytes ?? Self.fileMark),
      let changed = file.placingFirst(id, inList: key, of: group.name)
    else { return false }
    bytes = changed
    return true
  }

  /// Removes the first mention; returns false if there is none, or if the file cannot be changed.
  @discardableResult
  package mutating func remove(_ id: String, for key: String, in group: AssociationGroup) -> Bool {
    guard let bytes, error == nil, let file = KeyFile(bytes) else { return false }
    let changed = file.removing(id, fromList: key, of: group.name)
    guard changed != bytes else { return false }
    self.bytes = changed == Self.fileMark ? nil : changed
    return true
  }
}
