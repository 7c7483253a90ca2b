/// As `LimitExceeded` reports it.
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
  /// `ulimit -n`.
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

/// Most numbers come from the routing contract, "Limits".
///
/// They are so low that the router need not cut a call about one event, scene or declaration into pieces of work.
package struct Limits: Sendable {
  /// In bytes: browsers allow between 32 KiB and 2 MiB, and links between programs are shorter.
  package var urlLength = 32 << 10
  /// In bytes: eight times the length that URLs have in practice.
  package var identifierLength = 4 << 10
  /// In bytes, of texts other than URLs and identifiers: mostly names and titles, which people read.
  package var stringLength = 1 << 10
  /// In bytes as received: enough for the state that restores a view, not for documents.
  package var userInfoSize = 64 << 10
  package var registrationsPerScene = 256
  /// Eight for each of 256 views; opening such a scene takes a few milliseconds.
  package var identifiersPerScene = 2048
  /// In bytes of a JSON list: a quarter of ``replySize``, and the size of the largest message that is accepted.
  package var sceneSize = 256 << 10
  package var declarationsPerApplication = 256
  /// The same number as ``identifiersPerScene``.
  package var identifiersPerApplication = 2048
  /// Four for each declaration, several times as many as applications use.
  package var supportedTypesPerApplication = 1024
  /// The same number as ``supportedTypesPerApplication``.
  package var claimsPerApplication = 1024
  /// In bytes of a JSON list: the same number as ``sceneSize``.
  package var applicationSize = 256 << 10
  /// A desktop has hundreds, a server of scenes has thousands.
  package var scenesPerUser = 16_384
  /// One for each scene, one for each application, and some for other calls.
  package var connectionsPerUser = 20_000
  /// 64 for each of 16,384 scenes.
  package var identifiersPerUser = 1 << 20
  /// Received or to be sent: a hundred times as many as a desktop needs.
  package var bytesPerUser = 256 << 20
  /// Under way: one for each scene.
  package var pendingEventsPerUser = 16_384
  /// A quarter of ``pendingEventsPerUser``, so that one client leaves room for others.
  package var pendingEventsPerConnection = 4096
  /// Deliveries that wait because the scene's credit is used up.
  package var pendingDeliveriesPerScene = 1024
  /// 1 KiB for each of ``pendingDeliveriesPerScene``.
  package var pendingBytesPerScene = 1 << 20
  /// Events that wait for new scenes: the same number as ``pendingDeliveriesPerScene``.
  package var waitingEventsPerApplication = 1024
  /// The most that a scene may ask for: the same number as ``pendingDeliveriesPerScene``.
  package var maxPendingDeliveries = 1024
  /// More than anybody reads.
  package var maxTraceSteps = 1024
  /// Each monitor costs a reply for every event.
  package var monitorsPerUser = 16
  /// The same number as ``replySize``; further replies to the monitor are dropped.
  package var pendingBytesPerMonitor = 1 << 20
  /// In bytes, of a list for a call without `more`: four times the largest scene.
  package var replySize = 1 << 20
  /// The number is that of the routing contract, "After the decision".
  package var attemptsPerEvent = 8
  /// Ended events whose `eventId` is remembered.
  package var rememberedEventsPerUser = 10_000
  /// 10 minutes after the end of the event.
  package var rememberedUSec: UInt64 = 600_000_000
  /// Events of the last minute that a client reports to a restarted router: enough for four a second.
  package var takenEventIDs = 256
  /// 2 s for clients to open their scenes and declarations again.
  package var returnUSec: UInt64 = 2_000_000
  /// Held events that a restarted router decides in one step, in less than a millisecond.
  package var eventsDecidedTogether = 64
  /// More than a user makes in ``rememberedUSec``.
  package var rememberedStarts = 1_024
  /// Programs that hand on a link, or what came of it, one after another, until it goes to none of them again.
  package var chainLength = 8
  /// Links that a started program and its children send in ``rememberedUSec``, until they seem to go in circles.
  package var linksOfStart = 64
  /// For one target: 1 µs to 1 h.
  package var timeoutUSec: ClosedRange<UInt64> = 1...3_600_000_000
  /// 60 s at least if the program has to be started first.
  package var startTimeoutUSec: UInt64 = 60_000_000
  /// 10 s for one target, if the sender gives no time.
  package var defaultTimeoutUSec: UInt64 = 10_000_000

  package init() {}
}

/// A refused call has changed nothing.
package enum CallError: Error, Hashable, Sendable {
  /// `path` is the parameter's place in the call.
  case invalidParameter(path: String)
  case limitExceeded(Limit, maximum: Int)
  case noSuchScene
  /// The scene has no activity that is eligible for Handoff.
  case noSuchActivity
  case noSuchRegistration(String)
  /// The application is not declared and has no open scene.
  case noSuchApplication
  /// The result of the delivery; `nil` if the delivery is unknown.
  case noSuchDelivery(SettlementResult?)
  /// The end of the request; `nil` if the request is unknown.
  case noSuchOpenRequest(OpenRequestEnd?)
  case sceneAlreadyOpen(application: String, scene: SceneID)
  case applicationAlreadyDeclared(processID: Int32?)
  case noSuchEvent
  case serviceStopping
}
