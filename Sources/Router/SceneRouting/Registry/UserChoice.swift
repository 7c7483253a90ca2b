package struct UserChoice: Hashable, Sendable {
  package var applicationID: String
  /// `PATH:LINE` for the decisions that follow from the choice; `nil` if not known.
  package var source: String?

  package init(_ applicationID: String, source: String? = nil) {
    self.applicationID = applicationID.asApplicationID
    self.source = source
  }
}
