import RouterInterface
import SceneRouting
import Varlink

// The types of the wire as types of the router.

extension Event {
  init(_ event: borrowing Wire.Event) {
    let content: Content =
      if let activity = event.activity {
        .activity(
          Activity(
            activityType: activity.activityType,
            targetContentIdentifier: activity.targetContentIdentifier,
            webpageURL: activity.webpageURL,
            title: activity.title,
            userInfo: activity.userInfo?.bytes,
            isEligibleForHandoff: activity.isEligibleForHandoff
          )
        )
      } else {
        .url(event.url ?? "")
      }
    self.init(content, contentType: event.contentType, encoded: event.encoded)
  }
}

extension Registration {
  init(_ registration: Wire.Registration) {
    self.init(
      id: registration.registrationID,
      preferring: registration.preferring,
      allowing: registration.allowing
    )
  }
}

extension SceneContext {
  init(_ context: Wire.SceneContext) {
    self.init(
      applicationID: context.applicationID,
      declarationID: context.declarationID,
      title: context.title,
      registrations: (context.registrations ?? []).map { Registration($0) }
    )
  }
}

extension ApplicationDeclaration {
  init(_ call: Wire.DeclareApplication) {
    self.init(
      applicationID: call.applicationID,
      scenes: call.scenes.map { SceneDeclaration($0) },
      claims: Claims(
        schemes: call.claims?.schemes ?? [],
        activityTypes: call.claims?.activityTypes ?? [],
        mimeTypes: call.claims?.mimeTypes ?? []
      ),
      isSingleScene: call.isSingleScene ?? false
    )
  }
}

extension SceneDeclaration {
  fileprivate init(_ declaration: Wire.SceneDeclaration) {
    self.init(
      id: declaration.declarationID,
      title: declaration.title,
      kind: declaration.kind == .documentGroup ? .documentGroup : .windowGroup,
      matching: declaration.matching,
      supportedTypes: declaration.supportedTypes ?? [],
      isSingleton: declaration.isSingleton ?? false
    )
  }
}
