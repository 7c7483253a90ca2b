/// Source: Association between MIME types and applications 1.0.1; a URL scheme is the type `x-scheme-handler/SCHEME`.
package struct MIMEAppsList: Hashable, Sendable {
  /// The most preferred first, as in ``added``.
  package private(set) var defaults: [Association]
  /// In addition to the applications whose desktop entries name the type.
  package private(set) var added: [Association]
  package private(set) var removed: [Association]

  /// A `DESKTOP-mimeapps.list` can only have defaults.
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

  package func defaults(for type: String) -> Association? { defaults.first { $0.key == type } }

  private static let defaultGroup = AssociationGroup.defaults.name
}
