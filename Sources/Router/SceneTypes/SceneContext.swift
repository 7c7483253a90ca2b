/// The description that a scene's owner gives when opening the scene.
package struct SceneContext: Hashable, Sendable {
  /// The application that the scene belongs to.
  ///
  /// The application need not be declared.
  package var applicationID: String
  /// The id of the declaration that the scene is an instance of.
  ///
  /// The application need not have a declaration with this id.
  package var declarationID: String?
  /// The scene's title for people.
  package var title: String?
  /// The registrations, in the order in which lists and decisions name them.
  package var registrations: [Registration]

  /// Makes a context; the router checks it when the scene is opened.
  package init(
    applicationID: String,
    declarationID: String? = nil,
    title: String? = nil,
    registrations: [Registration] = []
  ) {
    self.applicationID = applicationID
    self.declarationID = declarationID
    self.title = title
    self.registrations = registrations
  }
}
