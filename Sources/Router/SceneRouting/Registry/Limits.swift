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
  /// The descriptors that the system lets the router open (`ulimit -n`).
  case fileDescriptors
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

/// The limits on the resources of one user, and on the sizes of events, scenes, applications and replies.
///
/// Most numbers come from the routing contract, "Limits". They are so low that the router needs little time to handle a
/// call about one event, scene or declaration. The router therefore never cuts such a call into pieces of work.
package struct Limits: Sendable {
  /// The most bytes of a `url` or a `webpageURL`.
  ///
  /// The limits of browsers are between 32 KiB and 2 MiB. Links between programs are shorter.
  package var urlLength = 32 << 10
  /// The most bytes of an identifier or a `targetContentIdentifier`.
  ///
  /// This is eight times the length that URLs have in practice.
  package var identifierLength = 4 << 10
  /// The most bytes of a string that is neither a URL nor an identifier.
  ///
  /// Most of these strings are names and titles, which people read.
  package var stringLength = 1 << 10
  /// Bytes of `userInfo` as received: enough for the state that restores a view, not for documents.
  package var userInfoSize = 64 << 10
  /// Registrations of one scene, which are the views of one window.
  package var registrationsPerScene = 256
  /// Identifiers in all sets of one scene: eight for each of 256 views.
  ///
  /// Opening such a scene takes a few milliseconds.
  package var identifiersPerScene = 2048
  /// The most bytes that a scene takes in a JSON list.
  ///
  /// This is a quarter of ``replySize``. It is also the size of the largest message that the router accepts.
  package var sceneSize = 256 << 10
  /// Kinds of window of one application.
  package var declarationsPerApplication = 256
  /// The most identifiers in all `matching` sets of one application.
  ///
  /// The number equals ``identifiersPerScene``.
  package var identifiersPerApplication = 2048
  /// Supported types of all declarations of one application: four for each declaration.
  ///
  /// This is several times as many as applications use.
  package var supportedTypesPerApplication = 1024
  /// The most claims of one application.
  ///
  /// The number equals ``supportedTypesPerApplication``.
  package var claimsPerApplication = 1024
  /// The most bytes that an application takes in a JSON list.
  ///
  /// The number equals ``sceneSize``.
  package var applicationSize = 256 << 10
  /// Open scenes: a desktop has hundreds, a server of scenes has thousands.
  package var scenesPerUser = 16_384
  /// Connections: one for each scene, one for each application, and further connections for other calls.
  package var connectionsPerUser = 20_000
  /// Identifiers in all sets of all scenes and declarations: 64 for each of 16,384 scenes.
  package var identifiersPerUser = 1 << 20
  /// Bytes held for a user, received or to be sent: a hundred times as many as a desktop needs.
  package var bytesPerUser = 256 << 20
  /// The most events of one user that are under way at the same time: one for each scene.
  package var pendingEventsPerUser = 16_384
  /// Events under way from one connection: a quarter of ``pendingEventsPerUser``, so that one client leaves room for
  /// others.
  package var pendingEventsPerConnection = 4096
  /// Deliveries that wait for a scene because its credit is used up.
  package var pendingDeliveriesPerScene = 1024
  /// The most bytes of all events that wait because a scene has used up its credit: 1 KiB for each event.
  package var pendingBytesPerScene = 1 << 20
  /// The most events that wait at the same time until one application opens new scenes for them.
  ///
  /// The number equals ``pendingDeliveriesPerScene``.
  package var waitingEventsPerApplication = 1024
  /// The greatest number of unsettled deliveries that a scene may ask for at the same time.
  ///
  /// The number equals ``pendingDeliveriesPerScene``.
  package var maxPendingDeliveries = 1024
  /// The greatest number of trace steps that a call may ask for: more than anybody reads.
  package var maxTraceSteps = 1024
  /// Monitors of one user, each of which costs a reply for every event.
  package var monitorsPerUser = 16
  /// The most bytes of replies that wait to be sent to one monitor.
  ///
  /// Further replies to the monitor are dropped. The number equals ``replySize``.
  package var pendingBytesPerMonitor = 1 << 20
  /// The most bytes of a list that a call without `more` gets in one reply.
  ///
  /// This is four times the size of the largest scene.
  package var replySize = 1 << 20
  /// The most attempts to hand one event to a target.
  ///
  /// If a target does not take the event, the router tries another target. The number comes from the routing contract,
  /// "After the decision".
  package var attemptsPerEvent = 8
  /// Ended events of one user whose `eventId` is remembered.
  package var rememberedEventsPerUser = 10_000
  /// Time for which an `eventId` is remembered after the end of its event: 10 minutes, in microseconds.
  package var rememberedUSec: UInt64 = 600_000_000
  /// The most event ids in one report to a restarted router.
  ///
  /// In such a report, a client lists the events that were shown to its scene or its application in the last minute.
  /// The number is enough for four events a second.
  package var takenEventIDs = 256
  /// The longest time that a restarted router waits for clients to open their scenes and declarations again.
  ///
  /// The time is 2 s, in microseconds.
  package var returnUSec: UInt64 = 2_000_000
  /// The most held events that a restarted router decides in one step.
  ///
  /// The router holds events until clients have opened their scenes and declarations again. A step takes less than a
  /// millisecond.
  package var eventsDecidedTogether = 64
  /// Remembered starts of programs: more than a user makes in ``rememberedUSec``.
  package var rememberedStarts = 1_024
  /// The most programs that hand on a link or what came of it, one after another.
  ///
  /// A link that has been handed on so often goes to none of these programs again, whatever has become of it.
  package var chainLength = 8
  /// The most links that a started program and its children send in ``rememberedUSec``, until the guard against loops
  /// takes them for one that goes in circles.
  package var linksOfStart = 64
  /// The shortest and the longest time that a sender may give one target: 1 µs to 1 h, in microseconds.
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
  /// No open scene has the given id or handle.
  case noSuchScene
  /// The scene has no current activity that is eligible for Handoff.
  case noSuchActivity
  /// The scene has no registration with this id.
  case noSuchRegistration(String)
  /// The application is not declared and has no open scene.
  case noSuchApplication
  /// The delivery is unknown or has already been settled.
  ///
  /// The associated value is the result of a settled delivery. It is `nil` if the delivery is unknown.
  case noSuchDelivery(SettlementResult?)
  /// The open request is unknown or has already ended.
  ///
  /// The associated value tells how the request ended. It is `nil` if the request is unknown.
  case noSuchOpenRequest(OpenRequestEnd?)
  /// The application or the declaration may have only one scene, and that scene is open.
  case sceneAlreadyOpen(application: String, scene: SceneID)
  /// The application is already declared over another connection.
  case applicationAlreadyDeclared(processID: Int32?)
  /// No event with this id is remembered.
  case noSuchEvent
  /// The router is stopping and takes no more events.
  case serviceStopping
}
