/// The name of a limit, as `LimitExceeded` tells it.
package enum Limit: String, Sendable, CaseIterable {
  case urlLength
  case identifierLength
  case stringLength
  case userInfoSize
  case registrationsPerScene
  case replySize
  case declarationsPerApplication
  case supportedTypesPerApplication
  case claimsPerApplication
  case scenesPerUser
  case connectionsPerUser
  case identifiersPerUser
  case bytesPerUser
  case pendingDeliveriesPerScene
  case pendingEventsPerUser
  case monitorsPerUser
}

/// How much one user may hold, and how large one thing may be.
///
/// The numbers are those of the routing contract; each stands with its reason.
package struct Limits: Sendable {
  /// Bytes of `url` and `webpageURL`: browsers cut URLs at 32 KiB to 2 MiB, and 64 KiB holds any link that
  /// is passed on in practice.
  package var urlLength = 64 << 10
  /// Bytes of an identifier and of `targetContentIdentifier`: as long as a URL, which it may be.
  package var identifierLength = 64 << 10
  /// Bytes of any other string: names and titles are for people to read.
  package var stringLength = 4 << 10
  /// Bytes of `userInfo` as received.
  package var userInfoSize = 64 << 10
  /// Views of one window.
  package var registrationsPerScene = 1024
  /// Kinds of window of one application.
  package var declarationsPerApplication = 1024
  /// Types of all kinds of window of one application: four for each, and several times as many as are in use.
  package var supportedTypesPerApplication = 4096
  /// Schemes, activity types and MIME types of one application: as many, so that a declaration is a matter of
  /// milliseconds.
  package var claimsPerApplication = 4096
  /// Bytes of a list that is answered without `more`: one message of a peer with our own limit.
  package var replySize = 1 << 20
  /// Open windows; a desktop has hundreds, a server of scenes thousands.
  package var scenesPerUser = 16_384
  /// Connections: one for each scene, one for each application and the calls beside them.
  package var connectionsPerUser = 20_000
  /// Identifiers in all sets of all scenes and declarations.
  package var identifiersPerUser = 4_000_000
  /// Bytes of identifiers, ids of registrations, events held and replies queued: what one user can make the daemon
  /// hold.
  package var bytesPerUser = 1 << 30
  /// Deliveries that wait for a scene beyond its credit.
  package var pendingDeliveriesPerScene = 1024
  /// Events accepted and not yet ended.
  package var pendingEventsPerUser = 65_536
  /// Each monitor costs a reply for every event.
  package var monitorsPerUser = 64
  /// Attempts at one event: the contract's bound on a chain of declines.
  package var attemptsPerEvent = 8
  /// Ended events whose `eventId` is remembered.
  package var rememberedEventsPerUser = 10_000
  /// How long an `eventId` is remembered after its event ended: 10 minutes, in microseconds.
  package var rememberedUSec: UInt64 = 600_000_000
  /// The least and most time for one target, in microseconds: 1 µs to 1 h.
  package var timeoutUSec: ClosedRange<UInt64> = 1...3_600_000_000
  /// The time for one target where the sender says nothing: 10 s, in microseconds.
  package var defaultTimeoutUSec: UInt64 = 10_000_000

  /// The limits of the contract.
  package init() {}
}

/// Why a call changed nothing.
package enum Refusal: Error, Hashable, Sendable {
  /// A parameter has no acceptable value; `path` names it as the caller wrote it.
  case invalidParameter(path: String)
  /// A limit would be exceeded.
  case limitExceeded(Limit, maximum: Int)
  /// No open scene has this id; `nil` for a handle, which is never repeated.
  case noSuchScene
  /// The scene has no registration with this id.
  case noSuchRegistration(String)
  /// The application is neither declared nor has it an open scene.
  case noSuchApplication
  /// The delivery is unknown, or was settled as told.
  case noSuchDelivery(SettlementResult?)
  /// The open request is unknown, or ended as told.
  case noSuchOpenRequest(OpenRequestEnd?)
  /// The application or the declaration has the one scene that it may have.
  case sceneAlreadyOpen(application: String, scene: SceneID)
  /// Another connection takes the application's open requests.
  case applicationAlreadyDeclared(processID: Int32?)
  /// No event with this id is remembered.
  case noSuchEvent
}
