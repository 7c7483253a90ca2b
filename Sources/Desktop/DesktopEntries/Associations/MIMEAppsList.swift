/// A `mimeapps.list`: the applications that users and distributions choose for MIME types.
///
/// Source: Association between MIME types and applications 1.0.1. A URL scheme is the type `x-scheme-handler/SCHEME`.
package struct MIMEAppsList: Hashable, Sendable {
  /// The default applications of types, the most preferred first.
  package private(set) var defaults: [Association]
  /// The applications that this list adds to types, the most preferred first.
  ///
  /// They come in addition to the applications whose desktop entries name the type.
  package private(set) var added: [Association]
  /// The applications that this list removes from types, even if their desktop entries name these types.
  package private(set) var removed: [Association]

  /// Reads a file.
  ///
  /// - Parameters:
  ///   - bytes: The whole file.
  ///   - isDesktopSpecific: Whether the file is a `DESKTOP-mimeapps.list`, which can only have defaults.
  /// - Returns: The list, and the complaints about the file.
  package static func read(
    _ bytes: [UInt8],
    isDesktopSpecific: Bool = false
  ) -> (list: MIMEAppsList, complaints: [Complaint]) {
    let tweaks = [AssociationGroup.added.name, "Removed Associations"]
    if isDesktopSpecific {
      let file = AssociationList(bytes, groups: [defaultGroup], misplaced: tweaks)
      return (MIMEAppsList(defaults: file.groups[0], added: [], removed: []), file.complaints)
    }
    let file = AssociationList(bytes, groups: [defaultGroup] + tweaks)
    let list = MIMEAppsList(defaults: file.groups[0], added: file.groups[1], removed: file.groups[2])
    return (list, file.complaints)
  }

  /// Returns this list, with the application `id` replaced by the defaults of another list.
  ///
  /// Where `id` is a default of a type, the defaults that `other` has for the same type take its place.
  package func replacing(_ id: String, with other: MIMEAppsList) -> MIMEAppsList {
    var list = self
    for index in defaults.indices where defaults[index].ids.contains(id) {
      let item = defaults[index]
      let others = other.defaults(for: item.key)?.ids ?? []
      let ids = item.ids.flatMap { $0 == id ? others : [$0] }
      list.defaults[index] = Association(key: item.key, ids: ids, line: item.line)
    }
    return list
  }

  /// Returns the line of defaults for a type.
  package func defaults(for type: String) -> Association? { defaults.first { $0.key == type } }

  private static let defaultGroup = AssociationGroup.defaults.name
}
