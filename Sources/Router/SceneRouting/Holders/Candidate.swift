/// An index in the registry's tables of applications and scenes.
///
/// After a removal, the next application or scene gets the free index.
typealias Slot = Int32

/// A scene or a declaration that may take an event.
struct Candidate: Hashable {
  /// The place of the candidate among all scenes, or among all declarations; the smallest value comes first.
  ///
  /// Two scenes never have the same value, and two declarations never have the same value.
  var order: Int64
  /// The application that the candidate belongs to.
  var application: Slot
  /// For a scene, its slot; for a declaration, its index among the declarations of its application.
  var index: Int32

  /// The declaration `distance` places after this declaration.
  ///
  /// This declaration must be the first declaration of its application.
  func advanced(by distance: Int) -> Candidate {
    Candidate(
      order: order + Int64(distance),
      application: application,
      index: index + Int32(distance)
    )
  }
}
