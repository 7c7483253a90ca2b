package struct ListedScene: Hashable, Sendable {
  /// No secret: lists, logs and monitors may show it.
  package var id: SceneID
  /// The owner could open the scene again with this context.
  package var context: SceneContext
  /// By `CLOCK_REALTIME`.
  package var openedUSec: Int64
  /// The last report that the scene was active, by `CLOCK_REALTIME`.
  package var activeUSec: Int64?
  /// `nil` if the process is in another PID namespace.
  package var processID: Int32?
  /// Bytes in a JSON list, approximately.
  package var listedSize: Int
}

package struct ListedApplication: Hashable, Sendable {
  package var declaration: ApplicationDeclaration
  package var isRunning: Bool
  /// The id of its desktop entry, even while a connection's declaration is in force.
  package var desktopID: String?
  /// Bytes in a JSON list, approximately.
  package var listedSize: Int
}

extension SceneRegistry {
  package func description(of id: SceneID) -> ListedScene? {
    guard let scene = scenesByID[id] else { return nil }
    return ListedScene(
      id: scene.id,
      context: SceneContext(
        applicationID: scene.applicationID,
        declarationID: scene.declarationID,
        title: scene.title,
        registrations: scene.registrations.map { sets in
          Registration(
            id: sets.id,
            preferring: sets.preferring.texts,
            allowing: sets.allowing.texts,
            showing: sets.showing.texts
          )
        }
      ),
      openedUSec: scene.openedUSec,
      activeUSec: scene.activeUSec,
      processID: scene.processID,
      listedSize: scene.charge.bytes
    )
  }

  package func sceneIDs(of application: String? = nil, after place: SceneID? = nil) -> [SceneID] {
    scenesByID.values.filter { scene in
      (application == nil || scene.applicationID == application) && scene.id.rawValue > place?.rawValue ?? 0
    }.map(\.id).sorted { $0.rawValue < $1.rawValue }
  }

  func declaration(ofApplication id: String) -> ApplicationDeclaration? {
    applicationsByID[id]?.declaration?.declaration
  }

  func isConnected(_ id: String) -> Bool { applicationsByID[id]?.declaration?.owner != nil }

  package func description(ofApplication id: String) -> ListedApplication? {
    guard let declared = applicationsByID[id]?.declaration else { return nil }
    return ListedApplication(
      declaration: declared.declaration,
      isRunning: declared.owner != nil,
      desktopID: applicationsByID[id]?.desktopID,
      listedSize: declared.declaration.charge.bytes
    )
  }

  /// In the order in which the rules ask them, each with its place in this order.
  package func applications(after place: Int64 = .min) -> [(place: Int64, id: String)] {
    declaredApplications.compactMap { candidate in
      guard candidate.order > place, let id = applications[Int(candidate.application)]?.id else { return nil }
      return (candidate.order, id)
    }
  }
}
