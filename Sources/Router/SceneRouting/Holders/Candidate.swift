/// An index in the registry's tables of applications and scenes, which is free again after a removal.
typealias Slot = Int32

struct Candidate: Hashable {
  /// The smallest value comes first; no two scenes and no two declarations have the same value.
  var order: Int64
  var application: Slot
  /// For a scene, its slot; for a declaration, its index among the declarations of its application.
  var index: Int32

  /// This must be the first declaration of its application.
  func advanced(by distance: Int) -> Candidate {
    Candidate(
      order: order + Int64(distance),
      application: application,
      index: index + Int32(distance)
    )
  }
}
