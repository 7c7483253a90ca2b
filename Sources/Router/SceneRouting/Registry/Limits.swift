/// A limit, as `LimitExceeded` reports it.
package enum Limit: String, Sendable, CaseIterable {
  case urlLength
  case identifierLength
  case stringLength
  case userInfoSize
  case registrationsPerScene
  case identifiersPerScene
  case sceneSize
  case declarationsPerApplication
  case identifiersPerApplication
  case supportedTypesPerApplication
  case claimsPerApplication
  case applicationSize
  case scenesPerUser
  case connectionsPerUser
  case identifiersPerUser
  case bytesPerUser
  case pendingEventsPerUser
  case pendingEventsPerConnection
  case pendingDeliveriesPerScene
  case pendingBytesPerScene
  case waitingEventsPerApplication
  case monitorsPerUser
  case replySize
}

/// How much one user may hold, and how large one thing may be.
///
/// The numbers are those of the routing contract, "Limits"; each stands with its reason. They are so small that what a
/// call asks of one event, scene or declaration is done in one step.
package struct Limits: Sendable {
  /// Bytes of `url` and `webpageURL`: browsers cut URLs at 32 KiB to 2 MiB, and links that are passed on are shorter.
  package var urlLength = 32 << 10
  /// Bytes of an identifier and of `targetContentIdentifier`: eight times as many as URLs in practice.
  package var identifierLength = 4 << 10
  /// Bytes of any other string: names and titles are for people to read.
  package var stringLength = 1 << 10
  /// Bytes of `userInfo` as received: state to restore a view, no documents.
  package var userInfoSize = 64 << 10
  /// Views of one window.
  package var registrationsPerScene = 256
  /// Identifiers in all sets of one scene: eight for each of 256 views, which are opened in a few milliseconds.
  package var identifiersPerScene = 2048
  /// Bytes of a scene as it is listed, in JSON: a quarter of the longest reply, and as much as one call can say.
  package var sceneSize = 256 << 10
  /// Kinds of window of one application.
  package var declarationsPerApplication = 256
  /// Identifiers in all `matching` sets of one application: as many as of a scene.
  package var identifiersPerApplication = 2048
  /// Types of all kinds of window of one application: four for each, and several times as many as are in use.
  package var supportedTypesPerApplication = 1024
  /// Schemes, activity types and MIME types of one application: as many as types.
  package var claimsPerApplication = 1024
  /// Bytes of an application as it is listed, in JSON: as many as of a scene.
  package var applicationSize = 256 << 10
  /// Open windows; a desktop has hundreds, a server of scenes thousands.
  package var scenesPerUser = 16_384
  /// Connections: one for each scene, one for each application and the calls beside them.
  package var connectionsPerUser = 20_000
  /// Identifiers in all sets of all scenes and declarations: 64 for each of 16,384 scenes.
  package var identifiersPerUser = 1 << 20
  /// Bytes that are held for a user, received or to be sent: a hundred times as many as a desktop needs.
  package var bytesPerUser = 256 << 20
  /// Events accepted and not yet ended: one for each scene.
  package var pendingEventsPerUser = 16_384
  /// Events accepted from one connection and not yet ended: a quarter, so that one client leaves room for others.
  package var pendingEventsPerConnection = 4096
  /// Deliveries that wait for a scene beyond its credit.
  package var pendingDeliveriesPerScene = 1024
  /// Bytes of the events that wait for a scene beyond its credit: a kibibyte for each.
  package var pendingBytesPerScene = 1 << 20
  /// Events that wait for scenes of one application that are not yet open: as many as may wait for an open one.
  package var waitingEventsPerApplication = 1024
  /// The most unsettled deliveries that a scene may want to see at once: as many as may wait behind them.
  package var maxPendingDeliveries = 1024
  /// The most steps of a trace that may be asked for: more than anybody reads.
  package var maxTraceSteps = 1024
  /// Each monitor costs a reply for every event.
  package var monitorsPerUser = 16
  /// Bytes that wait for a monitor before replies to it are dropped: as much as the longest other reply.
  package var pendingBytesPerMonitor = 1 << 20
  /// Bytes of a list that is answered without `more`: four times as many as the largest scene.
  package var replySize = 1 << 20
  /// Attempts at one event: the contract's bound on a chain of declines.
  package var attemptsPerEvent = 8
  /// Ended events whose `eventId` is remembered.
  package var rememberedEventsPerUser = 10_000
  /// How long an `eventId` is remembered after its event ended: 10 minutes, in microseconds.
  package var rememberedUSec: UInt64 = 600_000_000
  /// Starts of programs whose events are remembered: more than anybody starts in that time.
  package var rememberedStarts = 1_024
  /// The least and most time for one target, in microseconds: 1 µs to 1 h.
  package var timeoutUSec: ClosedRange<UInt64> = 1...3_600_000_000
  /// The least time for a target whose program has to be started first: 60 s, in microseconds.
  package var startTimeoutUSec: UInt64 = 60_000_000
  /// The time for one target where the sender says nothing: 10 s, in microseconds.
  package var defaultTimeoutUSec: UInt64 = 10_000_000

  /// The limits of the contract.
  package init() {}
}

/// Why a call changed nothing.
package enum CallError: Error, Hashable, Sendable {
  /// A parameter has no acceptable value; `path` is where the caller wrote it.
  case invalidParameter(path: String)
  /// A limit would be exceeded.
  case limitExceeded(Limit, maximum: Int)
  /// No open scene has this id or handle.
  case noSuchScene
  /// The scene has no current activity that is eligible for Handoff.
  case noSuchActivity
  /// The scene has no registration with this id.
  case noSuchRegistration(String)
  /// The application is neither declared nor has it an open scene.
  case noSuchApplication
  /// The delivery is unknown, or has been settled with this result.
  case noSuchDelivery(SettlementResult?)
  /// The open request is unknown, or has ended like this.
  case noSuchOpenRequest(OpenRequestEnd?)
  /// The application or the declaration has the one scene that it may have.
  case sceneAlreadyOpen(application: String, scene: SceneID)
  /// Another connection takes the application's open requests.
  case applicationAlreadyDeclared(processID: Int32?)
  /// No event with this id is remembered.
  case noSuchEvent
}
