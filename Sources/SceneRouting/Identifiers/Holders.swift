/// Names a set of identifiers; given again only when none of its identifiers is left in the table.
struct IdentifierSetID: Hashable {
  let slot: Int32

  /// The same as an id that counts up from 1.
  var number: UInt64 { UInt64(slot) + 1 }
}

/// Names the scene or the application that sets belong to; given again only when none of its sets is left.
struct SetOwnerID: Hashable {
  let slot: Int32
}

/// Names several sets that hold the same text.
struct HolderGroupID: Hashable {
  let slot: Int32
}

/// Who holds a text.
enum Holders: Equatable {
  case none
  case single(IdentifierSetID)
  case group(HolderGroupID)
}
