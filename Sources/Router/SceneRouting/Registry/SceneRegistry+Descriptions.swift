// Descriptions of scenes and applications for other modules.

/// A description of an open scene.
package struct SceneDescription: Hashable, Sendable {
  /// The scene's id, which is no secret: lists, logs and monitors may show it.
  package var id: SceneID
  /// The scene's context, with which the owner could open the scene again.
  package var context: SceneContext
  /// The time at which the scene opened, by `CLOCK_REALTIME`, in microseconds.
  package var openedUSec: Int64
  /// The time at which the scene last reported that it was active, by `CLOCK_REALTIME`, in microseconds.
  package var activeUSec: Int64?
  /// The process that opened the scene; `nil` if the process is in another PID namespace.
  package var processID: Int32?
  /// The approximate number of bytes that the scene takes in a list, in JSON.
  package var listedSize: Int
}

/// A description of a declared application.
package struct ApplicationDescription: Hashable, Sendable {
  /// The declaration in force.
  package var declaration: ApplicationDeclaration
  /// Whether the application is declared over a connection.
  package var isRunning: Bool
  /// The application's desktop id; `nil` if no desktop entry declares the application.
  ///
  /// The id is present even while a connection's declaration is in force.
  package var desktopID: String?
  /// The approximate number of bytes that the application takes in a list, in JSON.
  package var listedSize: Int
}

extension SceneRegistry {
  /// Describes a scene; `nil` if it is not open.
  package func description(of id: SceneID) -> SceneDescription? {
    guard let scene = scenesByID[id] else { return nil }
    return SceneDescription(
      id: scene.id,
      context: SceneContext(
        applicationID: scene.applicationID,
        declarationID: scene.declarationID,
        title: scene.title,
        registrations: scene.registrations.map { sets in
          Registration(
            id: sets.id,
            preferring: sets.preferring.texts(holders),
            allowing: sets.allowing.texts(holders),
            showing: sets.showing.texts(shown)
          )
        }
      ),
      openedUSec: scene.openedUSec,
      activeUSec: scene.activeUSec,
      processID: scene.processID,
      listedSize: scene.charge.bytes
    )
  }

  /// The open scenes of an application that were opened after a given scene, in opening order.
  ///
  /// If no application is given, the scenes of all applications count. If no scene is given, all scenes count.
  package func sceneIDs(of application: String? = nil, after place: SceneID? = nil) -> [SceneID] {
    scenesByID.values.filter { scene in
      (application == nil || scene.applicationID == application) && scene.id.rawValue > place?.rawValue ?? 0
    }.map(\.id).sorted { $0.rawValue < $1.rawValue }
  }

  /// The declaration in force of an application; `nil` if the application is not declared.
  func declaration(ofApplication id: String) -> ApplicationDeclaration? {
    applicationsByID[id]?.declaration?.declaration
  }

  /// Whether an application is declared over a connection.
  func isConnected(_ id: String) -> Bool { applicationsByID[id]?.declaration?.owner != nil }

  /// Describes an application; `nil` if it is not declared.
  package func description(ofApplication id: String) -> ApplicationDescription? {
    guard let declared = applicationsByID[id]?.declaration else { return nil }
    return ApplicationDescription(
      declaration: declared.declaration,
      isRunning: declared.owner != nil,
      desktopID: applicationsByID[id]?.desktopID,
      listedSize: declared.declaration.charge.bytes
    )
  }

  /// The declared applications in the order in which the rules ask them, each with its place in this order.
  ///
  /// Only the applications after the given place are returned.
  package func applications(after place: Int64 = .min) -> [(place: Int64, id: String)] {
    declaredApplications.compactMap { candidate in
      guard candidate.order > place, let id = applications[Int(candidate.application)]?.id else { return nil }
      return (candidate.order, id)
    }
  }
}
