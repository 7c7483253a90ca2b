import Glibc
import ScriptedService
import Synchronization
import Testing
import UnixSocket
import VarlinkClient

@testable import SceneClient

@Suite(.timeLimit(.minutes(20)))
struct ReconnectingTests {
  private static func opened(_ id: String) -> String {
    #"{"opened":{"sceneId":"\#(id)","sceneHandle":"h-\#(id)","generation":3}}"#
  }

  private static func declared(_ handle: String) -> String {
    #"{"declared":{"applicationHandle":"\#(handle)","generation":3}}"#
  }

  private static func context(_ title: String, _ registrations: String = "") -> String {
    let list = registrations.isEmpty ? "" : #","registrations":[\#(registrations)]"#
    return #"{"context":{"applicationId":"a","title":"\#(title)"\#(list)}}"#
  }

  @Test func everythingIsOpenedAgainInItsOrderAsItIsNow() async throws {
    let isLost = Signal()
    try await withRouter(reconnects: true) { listener, ordinary in
      let scenes = try ["s1", "s2"].map { id in
        let scene = try listener.accept()
        _ = try scene.nextCall()
        try scene.reply(Self.opened(id), continues: true)
        return scene
      }
      let application = try listener.accept()
      try application.expect("Router.DeclareApplication", #"{"applicationId":"a","scenes":[]}"#)
      try application.reply(#"{"declared":{"applicationHandle":"h1","generation":3}}"#, continues: true)
      for method in ["UpdateScene", "SetRegistration", "UpdateScene", "SetActivity", "SetActivity"] {
        #expect(try ordinary.nextCall().method == "io.scened.Router.\(method)")
        try ordinary.reply(#"{"generation":4}"#)
      }
      for peer in [ordinary, application] + scenes { peer.close() }
      isLost.fire()

      let next = try listener.accept()
      let registration = #"{"registrationId":"r","preferring":["p"],"allowing":[]}"#
      let contexts = [("s3", Self.context("T")), ("s4", Self.context("2", registration))]
      let reopened = try contexts.map { id, context in
        let scene = try listener.accept()
        try scene.expect("Router.OpenScene", context)
        try scene.reply(Self.opened(id), continues: true)
        if id == "s4" {
          let activity = #"{"activityType":"t","title":"latest"}"#
          try next.expect("Router.SetActivity", #"{"sceneHandle":"h-s4","activity":\#(activity)}"#)
          // The router refuses the activity, as an older router would. The scene stays open all the same.
          try next.send(
            #"{"error":"org.varlink.service.MethodNotFound","parameters":{"method":"io.scened.Router.SetActivity"}}"#
          )
          try scene.reply(#"{"closed":"requested"}"#)
        } else {
          try scene.reply(#"{"withdrawn":{"deliveryId":"v1","reason":"timeout"}}"#, continues: true)
        }
        return scene
      }
      let again = try listener.accept()
      try again.expect("Router.DeclareApplication", #"{"applicationId":"a","scenes":[]}"#)
      try again.reply(#"{"declared":{"applicationHandle":"h2","generation":5}}"#, continues: true)
      // The client reports that this scene was active last.
      try next.expect("Router.UpdateScene", #"{"sceneHandle":"h-s4","isActive":true}"#)
      try next.reply(#"{"generation":6}"#)
      try again.reply(#"{"closed":"other"}"#)
      try next.expectEnd()
      for scene in reopened { scene.close() }
    } _: { router in
      let first = try await router.openScene(application: "a", title: "1")
      let second = try await router.openScene(application: "a", title: "2")
      let application = try await router.declareApplication("a", scenes: [])
      try await first.update(title: "T")
      try await second.setRegistration("r", preferring: ["p"])
      try await second.becomeActive()
      for title in ["first", "latest"] { try await second.setActivity(Activity("t", title: title)) }
      await isLost.wait()
      var states = router.states.makeAsyncIterator()
      var closed = application.messages.makeAsyncIterator()
      guard case .closed? = try await closed.next() else {
        Issue.record("The application was not declared again.")
        return
      }
      #expect(await states.next() == .reconnecting)
      #expect(await states.next() == .connected)
      #expect([first.id, second.id] == ["s3", "s4"])
      var messages = first.messages.makeAsyncIterator()
      guard case .reopened? = try await messages.next(), case .withdrawn? = try await messages.next() else {
        Issue.record("The first scene goes on with something else.")
        return
      }
      for try await _ in second.deliveries {}
      router.close()
    }
  }

  @Test func changeThatMeetsTheEndIsMadeOverTheNextConnection() async throws {
    try await withRouter(reconnects: true) { listener, ordinary in
      let scene = try listener.accept()
      _ = try scene.nextCall()
      try scene.reply(Self.opened("s1"), continues: true)
      _ = try ordinary.nextCall()
      for peer in [ordinary, scene] { peer.close() }
      let next = try listener.accept()
      let again = try listener.accept()
      let registration = #"{"registrationId":"r","preferring":["p"],"allowing":[]}"#
      try again.expect("Router.OpenScene", Self.context("1", registration))
      try again.reply(Self.opened("s2"), continues: true)
      try next.expect("Router.SetRegistration", #"{"sceneHandle":"h-s2","registration":\#(registration)}"#)
      try next.reply(#"{"generation":9}"#)
      try next.expectEnd()
    } _: { router in
      let scene = try await router.openScene(application: "a", title: "1")
      #expect(try await scene.setRegistration("r", preferring: ["p"]) == 9)
      router.close()
    }
  }

  @Test func changeDuringReconnectingWaitsForTheScene() async throws {
    let isReopening = Signal()
    try await withRouter(reconnects: true) { listener, ordinary in
      let scene = try listener.accept()
      _ = try scene.nextCall()
      try scene.reply(Self.opened("s1"), continues: true)
      for peer in [ordinary, scene] { peer.close() }
      let next = try listener.accept()
      let again = try listener.accept()
      _ = try again.nextCall()
      isReopening.fire()
      try again.reply(Self.opened("s2"), continues: true)
      try next.expect("Router.UpdateScene", #"{"sceneHandle":"h-s2","title":"2"}"#)
      try next.reply(#"{"generation":9}"#)
      try again.reply(#"{"closed":"requested"}"#)
      try next.expectEnd()
    } _: { router in
      let scene = try await router.openScene(application: "a", title: "1")
      let messages = Task { for try await _ in scene.messages {} }
      await isReopening.wait()
      #expect(try await scene.update(title: "2") == 9)
      try await messages.value
      router.close()
    }
  }

  @Test func whatIsRefusedEndsAndAllElseGoesOn() async throws {
    try await withRouter(reconnects: true) { listener, ordinary in
      let scenes = try ["s1", "s2"].map { id in
        let scene = try listener.accept()
        _ = try scene.nextCall()
        try scene.reply(Self.opened(id), continues: true)
        return scene
      }
      // The router closes the first scene without a request from the client, so the client opens the scene again.
      try scenes[0].reply(#"{"closed":"shutdown"}"#)
      for peer in [ordinary] + scenes { peer.close() }
      // The second router ends before everything is open again.
      let short = try listener.accept()
      let scene = try listener.accept()
      _ = try scene.nextCall()
      for peer in [short, scene] { peer.close() }
      let next = try listener.accept()
      let refused = try listener.accept()
      _ = try refused.nextCall()
      try refused.fail("LimitExceeded", #"{"limit":"scenesPerUser","maximum":0}"#)
      let open = try listener.accept()
      _ = try open.nextCall()
      try open.reply(Self.opened("s4"), continues: true)
      try open.reply(#"{"closed":"requested"}"#)
      try next.expectEnd()
    } _: { router in
      let first = try await router.openScene(application: "a", title: "1")
      let second = try await router.openScene(application: "a", title: "2")
      let error = await #expect(throws: RouterError.self) { for try await _ in first.messages {} }
      #expect(error?.code == .limitExceeded(limit: "scenesPerUser", maximum: 0))
      for try await _ in second.messages {}
      router.close()
    }
  }

  /// A client declares its application, loses the connection, and declares the application again.
  ///
  /// The router has not noticed yet that the first connection has ended, and refuses the second declaration. The client
  /// then repeats the declaration.
  @Test func firstDeclarationIsRepeatedWhenItMeetsItself() async throws {
    try await withRouter(reconnects: true) { listener, ordinary in
      let lost = try listener.accept()
      _ = try lost.nextCall()
      for peer in [ordinary, lost] { peer.close() }
      let next = try listener.accept()
      let refused = try listener.accept()
      _ = try refused.nextCall()
      try refused.fail("ApplicationAlreadyDeclared", #"{"applicationId":"a","processId":\#(getpid())}"#)
      let again = try listener.accept()
      try again.expect("Router.DeclareApplication", #"{"applicationId":"a","scenes":[]}"#)
      try again.reply(#"{"declared":{"applicationHandle":"h2","generation":5}}"#, continues: true)
      try again.expectEnd()
      try next.expectEnd()
    } _: { router in
      let application = try await router.declareApplication("a", scenes: [])
      #expect(application.generation == 5)
      router.close()
    }
  }

  /// The declaration of another process, unlike one over a lost connection of this process, may stay for long.
  @Test func declarationOfAnotherProcessIsNotRepeated() async throws {
    let other = Int64(getppid())
    // A second declaration would get no answer, and the timeout would end it.
    try await withRouter(timeout: .seconds(10), reconnects: true) { listener, ordinary in
      let lost = try listener.accept()
      _ = try lost.nextCall()
      for peer in [ordinary, lost] { peer.close() }
      let next = try listener.accept()
      let refused = try listener.accept()
      _ = try refused.nextCall()
      try refused.fail("ApplicationAlreadyDeclared", #"{"applicationId":"a","processId":\#(other)}"#)
      try next.expectEnd()
    } _: { router in
      let error = await #expect(throws: RouterError.self) {
        _ = try await router.declareApplication("a", scenes: [])
      }
      #expect(error?.code == .applicationAlreadyDeclared(application: "a", process: other))
      router.close()
    }
  }

  @Test func pausesBetweenTriesGrowToASecond() throws {
    var link = Link()
    link.start = nil
    let pauses = (0..<10).compactMap { _ in link.nextPause() }
    #expect(pauses.first == .zero)
    #expect(pauses.allSatisfy { $0 <= .seconds(1) }, "\(pauses)")
    #expect(try #require(pauses.last) >= .milliseconds(500))
    // The last connection lasted longer than the last pause.
    link.start = ContinuousClock.now - .seconds(2)
    let pause = link.nextPause()
    #expect(pause == .zero)
  }

  /// From the second snapshot on, the reader knows that the router was restarted.
  @Test func whoReadsLateGetsTheFirstAndTheLatestSnapshot() async throws {
    let isLast = Signal()
    try await withRouter(reconnects: true) { listener, ordinary in
      var peers = [ordinary]
      for generation in 1...3 {
        if generation > 1 {
          for peer in peers { peer.close() }
          peers = [try listener.accept()]
        }
        let monitor = try listener.accept()
        peers.append(monitor)
        _ = try monitor.nextCall()
        let snapshot = #""scenes":[],"applications":[],"generation":\#(generation),"isComplete":true"#
        try monitor.reply(#"{"snapshot":{\#(snapshot)}}"#, continues: true)
        if generation == 1 {
          // This call comes after the client has got the first snapshot.
          try ordinary.expect("Manager.Reload", "")
          try ordinary.reply(#"{"loaded":0,"problems":[]}"#)
        }
      }
      try peers[1].reply(#"{"closed":"other"}"#)
      isLast.fire()
      try peers[0].expectEnd()
      withExtendedLifetime(peers) {}
    } _: { router in
      let monitor = try await router.monitor()
      _ = try await router.reload()
      await isLast.wait()
      var generations: [Int64] = []
      for try await case .snapshot(let snapshot) in monitor { generations.append(snapshot.generation) }
      #expect(generations == [1, 3])
      router.close()
    }
  }

  /// The client loses its connection while it connects a new socket for its declaration.
  ///
  /// The socket then reaches the next router, and the client has to close the socket. If the socket stayed open, the
  /// next router would regard the application as declared again, and would soon lose this declaration.
  @Test func socketOfALostConnectionIsClosedBeforeTheNextConnection() async throws {
    let listener = try ScriptedListener()
    let (lostSockets, lostSocket) = AsyncStream.makeStream(of: ScriptedPeer.self)
    let script = Task.immediate {
      try await onThread {
        let ordinary = try listener.accept()
        let application = try listener.accept()
        _ = try application.nextCall()
        try application.reply(Self.declared("h1"), continues: true)
        let scene = try listener.accept()
        _ = try scene.nextCall()
        try scene.reply(Self.opened("s1"), continues: true)
        // The client makes this call when the declaration and the scene are open.
        _ = try ordinary.nextCall()
        try ordinary.reply(#"{"generation":4}"#)
        for peer in [ordinary, application, scene] { peer.close() }

        lostSocket.yield(try listener.accept())
        let sceneAgain = try listener.accept()
        _ = try sceneAgain.nextCall()
        lostSocket.yield(sceneAgain)
        try sceneAgain.reply(Self.opened("s2"), continues: true)
        let late = try listener.accept()
        // The client closes this socket with or without a call. A reply before the call would be a violation of Varlink.
        if (try? late.nextCall()) != nil { try? late.reply(Self.declared("h2"), continues: true) }

        let next = try listener.accept()
        let lastScene = try listener.accept()
        _ = try lastScene.nextCall()
        let hasLeft = late.clientHasLeft
        try lastScene.reply(Self.opened("s3"), continues: true)
        let lastApplication = try listener.accept()
        _ = try lastApplication.nextCall()
        try lastApplication.reply(Self.declared("h3"), continues: true)
        for peer in [lastScene, lastApplication] { try peer.reply(#"{"closed":"other"}"#) }
        try next.expectEnd()
        return hasLeft
      }
    }
    let count = Mutex(0)
    let address = try SocketAddress(path: listener.path)
    let router = try await RouterConnection(socketPath: listener.path, nil, true) {
      () async throws(VarlinkClientError) in
      let number = count.withLock { count in
        count += 1
        return count
      }
      // Each connection to the router has three sockets: for ordinary calls, for the scene, and for the declaration.
      // Number 6 is the declaration's socket of the second connection. It connects only after the client has closed the
      // scene's socket. The client closes that socket after the socket for ordinary calls.
      if number == 6 {
        var sockets = lostSockets.makeAsyncIterator()
        guard let ordinary = await sockets.next(), let scene = await sockets.next() else { throw .cancelled }
        ordinary.endOutput()
        _ = try? await onThread { try scene.expectEnd() }
      }
      return try await VarlinkConnection.connect(to: address)
    }
    let application = try await router.declareApplication("a", scenes: [])
    let scene = try await router.openScene(application: "a")
    try await scene.update(title: "T")
    for try await _ in application.openRequests {}
    for try await _ in scene.deliveries {}
    #expect(scene.id == "s3")
    router.close()
    #expect(try await script.value)
  }

  /// The router accepts the new connection, and answers no call.
  @Test func whoWaitsForTheRouterCanBeCancelled() async throws {
    let isReopening = Signal()
    try await withRouter(reconnects: true) { listener, ordinary in
      let scene = try listener.accept()
      _ = try scene.nextCall()
      try scene.reply(Self.opened("s1"), continues: true)
      _ = try ordinary.nextCall()
      for peer in [ordinary, scene] { peer.close() }
      let next = try listener.accept()
      let again = try listener.accept()
      _ = try again.nextCall()
      isReopening.fire()
      try next.expectEnd()
    } _: { router in
      let scene = try await router.openScene(application: "a")
      let changing = Task { _ = try await scene.update(title: "2") }
      let waiting = Task { for try await _ in scene.messages {} }
      await isReopening.wait()
      for task in [changing, waiting] {
        task.cancel()
        let result = await task.result
        let error = #expect(throws: RouterError.self) { try result.get() }
        #expect(error?.code == .cancelled)
      }
      router.close()
    }
  }
}
