/// All that files say of applications.
package struct FileDeclarations: Sendable {
  /// What they declare, at most one for each application; in no order.
  package var applications: [ApplicationDeclaration]
  /// What the user made each application the default for, by id.
  package var userDefaults: [String: Claims]

  /// Makes them; they are not checked any more.
  package init(applications: [ApplicationDeclaration] = [], userDefaults: [String: Claims] = [:]) {
    (self.applications, self.userDefaults) = (applications, userDefaults)
  }
}

extension Router {
  /// Puts all that files say in the place of what they said before, in one step.
  ///
  /// What waits for scenes of an application that is no longer declared is resumed with other targets.
  package mutating func replaceFiles(with files: FileDeclarations, now: UInt64) -> [Effect] {
    self.now = now
    var removed = registry.fileDeclarations
    registry.setFileDeclarations(files.applications)
    registry.setUserDefaults(files.userDefaults)
    for declaration in files.applications {
      let id = declaration.applicationID
      let isNew = removed.removeValue(forKey: id) != declaration
      if isNew, registry.declaration(ofApplication: id) == declaration { add(.applicationChanged(id)) }
    }
    for id in removed.keys.sorted() where registry.declaration(ofApplication: id) == nil {
      add(.applicationRemoved(id))
      for request in requests.requests(ofApplication: id) {
        fail(request, .launchFailed, reason: "applicationGone")
      }
    }
    return takeEffects()
  }
}
