/// The name of a limit, as `LimitExceeded` reports it.
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

/// The limits for one user's resources and for the size of single things.
///
/// The numbers come from the routing contract, "Limits"; the reason for each number is given beside it. A call about
/// one event, scene or declaration is never cut into pieces, because the limits keep such a call short.
package struct Limits: Sendable {
  /// Bytes of `url` and `webpageURL`: browsers cut URLs at 32 KiB to 2 MiB, and links between programs are
  /// shorter.
  package var urlLength = 32 << 10
  /// Bytes of an identifier and of `targetContentIdentifier`: eight times as many as URLs have in practice.
  package var identifierLength = 4 << 10
  /// Bytes of any other string: names and titles are for people to read.
  package var stringLength = 1 << 10
  /// Bytes of `userInfo` as received: enough for the state that restores a view, not for documents.
  package var userInfoSize = 64 << 10
  /// Registrations of one scene, which are the views of one window.
  package var registrationsPerScene = 256
  /// Identifiers in all sets of one scene: eight for each of 256 views.
  ///
  /// Opening such a scene takes a few milliseconds.
  package var identifiersPerScene = 2048
  /// Bytes of a scene in a JSON list: a quarter of the longest reply, and as many as one call can carry.
  package var sceneSize = 256 << 10
  /// Kinds of window of one application.
  package var declarationsPerApplication = 256
  /// Identifiers in all `matching` sets of one application: as many as a scene may have.
  package var identifiersPerApplication = 2048
  /// Supported types of all declarations of one application: four for each declaration.
  ///
  /// This is several times as many as applications use.
  package var supportedTypesPerApplication = 1024
  /// Claims of one application: as many as its supported types.
  package var claimsPerApplication = 1024
  /// Bytes of an application in a JSON list: as many as a scene may have.
  package var applicationSize = 256 << 10
  /// Open scenes: a desktop has hundreds, a server of scenes has thousands.
  package var scenesPerUser = 16_384
  /// Connections: one for each scene, one for each application, and further connections for other calls.
  package var connectionsPerUser = 20_000
  /// Identifiers in all sets of all scenes and declarations: 64 for each of 16,384 scenes.
  package var identifiersPerUser = 1 << 20
  /// Bytes held for a user, received or to be sent: a hundred times as many as a desktop needs.
  package var bytesPerUser = 256 << 20
  /// Events under way: one for each scene.
  package var pendingEventsPerUser = 16_384
  /// Events under way from one connection: a quarter of ``pendingEventsPerUser``, so that one client leaves room for
  /// others.
  package var pendingEventsPerConnection = 4096
  /// Deliveries that wait for a scene because its credit is used up.
  package var pendingDeliveriesPerScene = 1024
  /// Bytes of the events that wait because the scene's credit is used up: a kibibyte for each.
  package var pendingBytesPerScene = 1 << 20
  /// Events that wait for requested scenes of one application: as many as may wait for an open scene.
  package var waitingEventsPerApplication = 1024
  /// The greatest number of unsettled deliveries that a scene may ask for at the same time: as many as may wait.
  package var maxPendingDeliveries = 1024
  /// The greatest number of trace steps that a call may ask for: more than anybody reads.
  package var maxTraceSteps = 1024
  /// Monitors of one user, each of which costs a reply for every event.
  package var monitorsPerUser = 16
  /// Bytes of the replies that may wait for a monitor: as many as the longest other reply has.
  ///
  /// Further replies to the monitor are dropped.
  package var pendingBytesPerMonitor = 1 << 20
  /// Bytes of a list that is returned without `more`: four times as many as the largest scene has.
  package var replySize = 1 << 20
  /// Attempts at one event: the contract's bound for a chain of declines.
  package var attemptsPerEvent = 8
  /// Ended events of one user whose `eventId` is remembered.
  package var rememberedEventsPerUser = 10_000
  /// Time for which an `eventId` is remembered after the end of its event: 10 minutes, in microseconds.
  package var rememberedUSec: UInt64 = 600_000_000
  /// Ids of events that a scene or an application reports as shown by the last router.
  ///
  /// Clients report the events of the last minute, so this is enough for several events a second.
  package var takenEventIDs = 256
  /// The longest wait of a new router for the scenes and declarations of the last router: 2 s, in microseconds.
  package var returnUSec: UInt64 = 2_000_000
  /// Held events decided in one piece: less than a millisecond of work.
  package var eventsDecidedTogether = 64
  /// Remembered starts of programs: more than a user makes in ``rememberedUSec``.
  package var rememberedStarts = 1_024
  /// The least and most time for one target, in microseconds: 1 µs to 1 h.
  package var timeoutUSec: ClosedRange<UInt64> = 1...3_600_000_000
  /// The least time for a target whose program has to be started first: 60 s, in microseconds.
  package var startTimeoutUSec: UInt64 = 60_000_000
  /// The time for one target if the sender gives none: 10 s, in microseconds.
  package var defaultTimeoutUSec: UInt64 = 10_000_000

  /// The limits of the contract.
  package init() {}
}

/// The reason why a call was refused.
///
/// A refused call has changed nothing.
package enum CallError: Error, Hashable, Sendable {
  /// A parameter has an invalid value. `path` is the parameter's place in the call.
  case invalidParameter(path: String)
  /// A limit would be exceeded.
  case limitExceeded(Limit, maximum: Int)
  /// No open scene has this id, or this handle, which only the scene's owner knows.
  case noSuchScene
  /// The scene has no current activity that is eligible for Handoff.
  case noSuchActivity
  /// The scene has no registration with this id.
  case noSuchRegistration(String)
  /// The application is not declared and has no open scene.
  case noSuchApplication
  /// The delivery is unknown (`nil`), or has been settled with this result.
  case noSuchDelivery(SettlementResult?)
  /// The open request is unknown (`nil`), or has ended in this way.
  case noSuchOpenRequest(OpenRequestEnd?)
  /// The application or the declaration may have only one scene, and that scene is open.
  case sceneAlreadyOpen(application: String, scene: SceneID)
  /// Another connection takes the application's open requests.
  case applicationAlreadyDeclared(processID: Int32?)
  /// No event with this id is remembered.
  case noSuchEvent
  /// The router stops, and takes no event any more.
  case serviceStopping
}
