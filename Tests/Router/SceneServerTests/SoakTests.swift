import Glibc
import RouterInterface
import TestSupport
import Testing
import Varlink

/// Plays a busy day on a desktop in a minute.
///
/// Scenes take or decline events, fall silent, stop reading, or are killed. Senders leave, and monitors do not read.
/// With `SCENED_LONG_CHECKS`, the daemon is the release program that systemd/build has built.
@Suite struct SoakTests {
  @Test func everythingEndsOnceAndNothingIsKept() throws {
    let isLong = TestRun.isLong
    let (firstCount, count, underWay) = isLong ? (50_000, 500_000, 256) : (2500, 1500, 64)
    let directory = try TemporaryDirectory()
    let path = directory.appending("router")
    let program = isLong ? PackageDirectory.appending(".build/installed/release/scened") : "scened"
    let daemon = try SpawnedProgram(program, ["--socket", path])
    try daemon.errorLine(containing: "Ready.")
    // After the first run, tables and the allocator's free lists have grown to their lasting size.
    try Soak(path, underWay: underWay).play(firstCount)
    let before = try memory(of: daemon)
    try Soak(path, underWay: underWay).play(count)
    let after = try memory(of: daemon)
    #expect(after - before < 4 << 10, "\(before) KiB became \(after) KiB.")
  }

  /// Returns the resident memory of a process, in KiB.
  private func memory(of program: SpawnedProgram) throws -> Int {
    let file = try #require(fopen("/proc/\(program.processID)/status", "r"))
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 256)
    while fgets(&line, CInt(line.count), file) != nil {
      let text = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
      guard text.hasPrefix("VmRSS:") else { continue }
      return try #require(Int(text.filter(\.isNumber)))
    }
    throw Overdue("The kernel does not say what the daemon holds.")
  }
}

/// The router's clients in the soak.
private final class Soak {
  private static let sceneCount = 20
  private static let senderCount = 8

  private let path: String
  /// The largest number of unanswered events that each sender may have.
  private let underWay: Int
  private let calls: WireClient
  private var scenes: [SoakScene] = []
  private var senders: [SoakSender] = []
  private var silentMonitors: [WireClient] = []
  /// The URLs of events whose acknowledgement the router has not answered yet, oldest first.
  private var acknowledging: [String] = []
  /// The events whose acknowledgement the router has accepted.
  private var taken: Set<String> = []

  init(_ path: String, underWay: Int) throws {
    self.path = path
    self.underWay = underWay
    calls = try WireClient(path: path)
  }

  /// Sends `count` events, and waits until all events have ended and all clients have left.
  func play(_ count: Int) throws {
    let earlier = try calls.call(Wire.GetStatisticsCall()).events
    for number in 0..<Self.sceneCount { scenes.append(try SoakScene(number, path)) }
    for number in 0..<Self.senderCount { senders.append(try SoakSender(number, path)) }
    for _ in 0..<2 {
      let monitor = try WireClient(path: path)
      try monitor.send(Wire.MonitorCall(), .more)
      silentMonitors.append(monitor)
    }
    var round = 0
    while senders.reduce(0, { $0 + $1.sentCount }) < count {
      round += 1
      for sender in senders { try sender.sendMore(upTo: underWay) }
      try takeWhatHasCome(round)
      if round % 97 == 0 { try senders[round / 97 % (Self.senderCount / 2)].leave() }
      // These scenes all die in the same round, like the scenes of a process that ends.
      if round % 61 == 0 { for scene in scenes where scene.behaviour == .dies { try scene.die() } }
    }
    while !senders.allSatisfy(\.isDone) || !acknowledging.isEmpty {
      round += 1
      try takeWhatHasCome(round)
    }
    try waitForTheEndsOfThoseWhoLeft()
    try check(since: earlier, count)
    for client in scenes.map(\.client) + senders.map(\.client) + silentMonitors { try client.leave() }
    #expect(try calls.call(Wire.ListScenesCall()).scenes == [])
    try calls.leave()
  }

  private func takeWhatHasCome(_ round: Int) throws {
    let listening = scenes.filter { !$0.isStopped(round) }
    try WireClient.waitForInput([calls] + listening.map(\.client) + senders.map(\.client))
    // Reads all input, because the router closes a slow reader's connection when 16 MiB wait for the reader.
    for scene in listening { while scene.client.hasInput { try takeDeliveries(of: scene) } }
    for sender in senders { while sender.client.hasInput { try sender.takeReply() } }
    while !acknowledging.isEmpty, calls.hasInput { try takeAnswer() }
  }

  private func takeDeliveries(of scene: SoakScene) throws {
    guard let delivery = try scene.nextDelivery() else { return }
    switch scene.behaviour {
    case .takes, .takesWhatIsLeft, .stops:
      try calls.send(
        Wire.AcknowledgeDeliveryCall(sceneHandle: scene.handle, deliveryID: delivery.deliveryID)
      )
      acknowledging.append(delivery.event.url ?? "")
    case .declines:
      try calls.send(
        Wire.DeclineDeliveryCall(sceneHandle: scene.handle, deliveryID: delivery.deliveryID),
        .oneway
      )
    case .isSilent, .dies: break
    }
  }

  private func takeAnswer() throws {
    let url = acknowledging.removeFirst()
    do {
      let _: NoParameters = try calls.reply()
      #expect(taken.insert(url).inserted, "\(url) was taken twice.")
    } catch Wire.RouterErrorReply.noSuchDelivery {
      // The acknowledgement came too late: the event's `timeoutUSec` had passed.
    }
  }

  /// Waits for the ends of all events whose senders have left.
  ///
  /// The router reports these ends to nobody, so this method asks for the number of pending deliveries.
  private func waitForTheEndsOfThoseWhoLeft() throws {
    let deadline = Deadline()
    while try calls.call(Wire.GetStatisticsCall()).pendingDeliveries > 0 {
      guard deadline.millisecondsLeft > 0 else { throw Overdue("Deliveries have not been settled.") }
      for scene in scenes where scene.client.hasInput { try takeDeliveries(of: scene) }
      while !acknowledging.isEmpty { try takeAnswer() }
    }
  }

  private func check(since earlier: [String: Int64], _ count: Int) throws {
    let events = try calls.call(Wire.GetStatisticsCall()).events.merging(earlier) { $0 - $1 }
    #expect(events["acknowledged"] == Int64(taken.count))
    let ended = events.values.reduce(0, +)
    let (sent, unknown) = senders.reduce((0, 0)) { ($0.0 + $1.sentCount, $0.1 + $1.unknownCount) }
    #expect((sent - unknown...sent).contains(Int(ended)), "\(ended) of \(sent) events have ended.")
    for sender in senders {
      #expect(sender.acknowledged.isSubset(of: taken))
      #expect(sender.notTaken.isDisjoint(with: taken))
    }
    #expect(senders.allSatisfy { !$0.acknowledged.isEmpty && !$0.notTaken.isEmpty })
  }
}

/// A scene, and how the scene behaves towards events.
///
/// A scene that `takesWhatIsLeft` prefers nothing and allows all events. Every other scene prefers the events whose URL
/// has the scene's number.
private final class SoakScene {
  enum Behaviour: CaseIterable {
    case takes, declines, isSilent, stops, dies
    /// Allows everything, and so takes events that other scenes did not take.
    case takesWhatIsLeft
  }

  let behaviour: Behaviour
  private let number: Int
  private let path: String
  private(set) var client: WireClient
  private(set) var handle = ""
  /// The number of the last event that came from each connection of a sender.
  ///
  /// The numbers from one connection must increase, because order is kept within a connection.
  private var last: [Substring: Int] = [:]

  init(_ number: Int, _ path: String) throws {
    self.number = number
    self.path = path
    behaviour = Behaviour.allCases[number % Behaviour.allCases.count]
    client = try WireClient(path: path)
    try open()
  }

  private func open() throws {
    let view = Registration(
      id: "view",
      preferring: behaviour == .takesWhatIsLeft ? [] : ["scene\(number)/"],
      allowing: behaviour == .takesWhatIsLeft ? ["*"] : []
    )
    let context = SceneContext(
      applicationID: behaviour == .takesWhatIsLeft ? "rest" : "app",
      registrations: [view]
    )
    guard case .opened(let opened) = try client.call(Wire.OpenSceneCall(context: context), .more) else {
      throw Overdue("No scene was opened.")
    }
    handle = opened.sceneHandle
  }

  /// Returns whether the scene has stopped reading in this round.
  func isStopped(_ round: Int) -> Bool { behaviour == .stops && round / 16 % 2 == number % 2 }

  /// Ends the connection without a message, and connects again.
  func die() throws {
    client = try WireClient(path: path)
    try open()
  }

  /// Returns the next delivery; `nil` if the reply was of another kind.
  func nextDelivery() throws -> Wire.EventDelivered? {
    guard case .delivery(let delivery) = try client.reply(to: Wire.OpenSceneCall.self) else { return nil }
    if behaviour == .takes { try checkOrder(of: delivery.event.url ?? "") }
    return delivery
  }

  private func checkOrder(of url: String) throws {
    let parts = url.split(separator: "/")
    let (sender, number) = (parts[1], try #require(Int(parts[2])))
    #expect(number > last[sender] ?? -1, "\(url) came after \(last[sender] ?? -1).")
    last[sender] = number
  }
}

/// A sender with many events under way.
private final class SoakSender {
  private(set) var client: WireClient
  private(set) var sentCount = 0
  /// The number of events that had not ended when the sender left; the router may not have seen them.
  private(set) var unknownCount = 0
  private(set) var acknowledged: Set<String> = []
  private(set) var notTaken: Set<String> = []
  private let number: Int
  private let path: String
  private var underWay: [String] = []
  private var connectionCount = 1

  init(_ number: Int, _ path: String) throws {
    self.number = number
    self.path = path
    client = try WireClient(path: path)
  }

  var isDone: Bool { underWay.isEmpty }

  func sendMore(upTo count: Int) throws {
    while underWay.count < count {
      // The URL has the connection and the event's number, so that a scene can check the order within a connection.
      let url = "test:scene\((sentCount * 7 + number) % 20)/\(number).\(connectionCount)/\(sentCount)"
      var call = Wire.SendEventCall.url(url)
      // Every third event is only for the application `app`, so that only the scene that prefers the event can take it.
      if sentCount % 3 == 0 { call.applicationID = "app" }
      // An event for a scene that is silent, stopped or dead waits at most this long.
      call.timeoutUSec = 200_000
      try client.send(call)
      underWay.append(url)
      sentCount += 1
    }
  }

  func takeReply() throws {
    let url = underWay.removeFirst()
    do {
      _ = try client.outcome()
      acknowledged.insert(url)
    } catch is Wire.RouterErrorReply {
      notTaken.insert(url)
    }
  }

  /// Ends the connection with events under way, and connects again.
  func leave() throws {
    unknownCount += underWay.count
    underWay = []
    connectionCount += 1
    client = try WireClient(path: path)
  }
}
