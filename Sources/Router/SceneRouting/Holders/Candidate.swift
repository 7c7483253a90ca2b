/// An index in the registry's tables of applications and scenes; used again after a removal.
typealias Slot = Int32

/// A scene or a declaration that may take an event, and its place among all others of its kind.
struct Candidate: Hashable {
  /// The smallest comes first; no two scenes and no two declarations have the same.
  var order: Int64
  /// The application it belongs to.
  var application: Slot
  /// The slot of a scene; the index of a declaration in its application.
  var index: Int32

  /// The declaration `distance` places after this one, which is the first of its application.
  func advanced(by distance: Int) -> Candidate {
    Candidate(
      order: order + Int64(distance),
      application: application,
      index: index + Int32(distance)
    )
  }
}
