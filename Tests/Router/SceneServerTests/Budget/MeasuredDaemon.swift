import RouterInterface
import TestSupport
import Varlink

/// The daemon with two open scenes, and the exchanges whose cost is counted.
final class MeasuredDaemon {
  static let batchSize = 64

  let program: SpawnedProgram
  private let directory: TemporaryDirectory
  private let path: String
  private let sender: WireClient
  private let calls: WireClient
  /// The stream of the scene that gets the deliveries.
  private let stream: WireClient
  /// The stream that keeps the second scene open; the second scene gets no events.
  private let otherStream: WireClient
  /// The handle of the scene that gets the deliveries, and the handle of the second scene.
  private let sceneHandles: [String]
  private var turns = 0

  /// Starts the daemon, and opens two scenes.
  init(environment: [String: String] = [:]) throws {
    let directory = try TemporaryDirectory()
    let path = directory.appending("router")
    self.path = path
    program = try SpawnedProgram("scened", ["--socket", path], environment: environment)
    try program.errorLine(containing: "Ready.")
    sender = try WireClient(path: path)
    calls = try WireClient(path: path)
    let streams = [try WireClient(path: path), try WireClient(path: path)]
    sceneHandles = try zip(streams, [4711, 4713]).map { stream, album in
      let view = Registration(id: "view", preferring: ["/album/\(album)"], allowing: [])
      let context = SceneContext(applicationID: "org.example.Gallery", registrations: [view])
      let call = Wire.OpenSceneCall(context: context, maxPendingDeliveries: Int64(Self.batchSize))
      guard case .opened(let opened) = try stream.call(call, .more) else {
        throw Overdue("No scene was opened.")
      }
      return opened.sceneHandle
    }
    stream = streams[0]
    otherStream = streams[1]
    self.directory = directory
  }
}

/// The messages between a client and the daemon until the client has its reply.
enum Exchange {
  /// A scene gets an event, and acknowledges the event with a `oneway` call. The sender gets a reply.
  case deliveredEvent
  /// An event that no scene takes.
  case refusedEvent
  /// A scene becomes active in place of another scene.
  case activeScene
  /// A scene replaces its registration by one with another identifier.
  case changedRegistration

  /// The method of the call that begins the exchange.
  var method: String {
    switch self {
    case .deliveredEvent, .refusedEvent: "io.scened.Router.SendEvent"
    case .activeScene: "io.scened.Router.UpdateScene"
    case .changedRegistration: "io.scened.Router.SetRegistration"
    }
  }
}

extension MeasuredDaemon {
  /// Plays an exchange to its end.
  func play(_ exchange: Exchange) throws {
    switch exchange {
    case .deliveredEvent: try playEvents(1)
    case .refusedEvent:
      guard case .notRouted = try sender.failure(of: Self.event(album: 4712)) else {
        throw Overdue("It was routed.")
      }
    case .activeScene:
      turns += 1
      let handle = sceneHandles[turns % sceneHandles.count]
      try calls.call(Wire.UpdateSceneCall(sceneHandle: handle, isActive: true))
    case .changedRegistration:
      turns += 1
      let view = Registration(id: "view", preferring: ["/album/\(5000 + turns)"])
      try calls.call(Wire.SetRegistrationCall(sceneHandle: sceneHandles[1], registration: view))
    }
  }

  /// Plays events that are sent with one write, and acknowledged with one write of `oneway` calls.
  ///
  /// The events are sent over the connection `other`, or over the usual connection if `other` is nil.
  func playEvents(_ count: Int, from other: WireClient? = nil) throws {
    let sender = other ?? self.sender
    var events = JSONWriter()
    for _ in 0..<count { events.call(Wire.SendEventCall.method, Self.event(album: 4711), mode: .plain) }
    try sender.send(events.takeBytes())
    var acknowledgements = JSONWriter()
    for _ in 0..<count {
      guard case .delivery(let delivery) = try stream.reply(to: Wire.OpenSceneCall.self) else {
        throw Overdue("No delivery came.")
      }
      let call = Wire.AcknowledgeDeliveryCall(sceneHandle: sceneHandles[0], deliveryID: delivery.deliveryID)
      acknowledgements.call(Wire.AcknowledgeDeliveryCall.method, call, mode: .oneway)
    }
    try calls.send(acknowledgements.takeBytes())
    for _ in 0..<count { _ = try sender.outcome() }
  }

  /// Makes a connection that has sent nothing.
  func connect() throws -> WireClient { try WireClient(path: path) }

  private static func event(album: Int) -> Wire.SendEventCall { .url("https://example.org/album/\(album)") }
}
