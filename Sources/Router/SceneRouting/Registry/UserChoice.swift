/// An application that the user chose for some events.
package struct UserChoice: Hashable, Sendable {
  /// The id of the application.
  package var applicationID: String
  /// The place where the choice is written, `PATH:LINE`; `nil` if the place is not known.
  ///
  /// Decisions that follow from the choice report this place.
  package var source: String?

  /// Makes a choice.
  package init(_ applicationID: String, source: String? = nil) {
    self.applicationID = applicationID.asApplicationID
    self.source = source
  }
}
