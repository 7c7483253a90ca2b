/// An index in the registry's tables of applications and scenes.
///
/// After a removal, the next application or scene gets the free index.
typealias Slot = Int32

/// A scene or a declaration that may take an event.
///
/// The candidate has a place among all scenes or among all declarations.
struct Candidate: Hashable {
  /// The place of the candidate; the smallest value comes first.
  ///
  /// Two scenes never have the same value, and two declarations never have the same value.
  var order: Int64
  /// The application that the candidate belongs to.
  var application: Slot
  /// The slot of a scene; the index of a declaration in its application.
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
