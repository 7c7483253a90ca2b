import ExternalEvents
import Foundation
import Observation
import SceneClient
import ScriptedService
import Testing

struct Refusal: Error, CustomStringConvertible {
  var description: String { "busy" }
}

@MainActor @Suite(.timeLimit(.minutes(20)))
struct EventTests {
  private let page = Page()
  private let application: TestApplication<SceneDeclarationList>

  init() {
    let page = page
    application = TestApplication {
      WindowGroup { page }
        .handlesExternalEvents(matching: [])
    }
  }

  @Test(arguments: TestRouter.Kind.allCases)
  func actionThatReturnsTakesTheEvent(_ kind: TestRouter.Kind) async throws {
    try await application.run(kind) { router in
      for number in 0..<100 { try await router.open("x:\(number)") }
      #expect(page.links == (0..<100).map { "x:\($0)" })
      _ = try await router.send(Event(url: "x:1"), options: SendOptions(activationToken: "t"))
      #expect(page.raised.count == 101 && page.raised.last == "t")
    }
  }

  @Test(arguments: TestRouter.Kind.allCases)
  func actionThatThrowsDeclines(_ kind: TestRouter.Kind) async throws {
    page.action = { _ in throw Refusal() }
    try await application.run(kind) { router in
      let outcome = try await router.send(Event(url: "x:1"))
      #expect(outcome.description == "The event was declined: busy.")
      #expect(page.raised.isEmpty)
    }
  }

  @Test(arguments: TestRouter.Kind.allCases)
  func eventThatNoActionHandlesGoesToAnother(_ kind: TestRouter.Kind) async throws {
    try await application.run(kind) { router in
      let activity = Event(activity: Activity("org.example.view"))
      let outcome = try await router.send(activity)
      #expect(outcome.description == "The event was declined: no view of the window handles such an event.")
      let other = try await router.openScene(
        application: "b",
        registrations: [Registration(id: "r", allowing: ["*"])]
      )
      let taking = Task { for try await delivery in other.deliveries { try await delivery.acknowledge() } }
      let second = try await router.send(activity)
      #expect(second.attempts.map(\.result) == [.declined, .acknowledged])
      taking.cancel()
    }
  }

  @Test(arguments: TestRouter.Kind.allCases)
  func acceptedEventIsTakenBeforeItsActionEnds(_ kind: TestRouter.Kind) async throws {
    let end = Signal()
    page.action = { url in
      guard url.absoluteString == "x:1" else { return }
      ExternalEvent.accept()
      await end.wait()
    }
    try await application.run(kind) { router in
      try await router.open("x:1")
      try await router.open("x:2")
      #expect(page.links == ["x:2"])
      end.fire()
      while page.links.count < 2 { await Task.yield() }
    }
  }

  /// An action is cancelled when its event times out.
  ///
  /// If the action returns later, its result does not count. The next event does not wait for the action.
  @Test(arguments: TestRouter.Kind.allCases)
  func actionThatDoesNotReturnHoldsUpNothing(_ kind: TestRouter.Kind) async throws {
    let isCancelled = Signal()
    let returns = Signal()
    var begun: Set<String> = []
    page.action = { url in
      begun.insert(url.absoluteString)
      switch url.absoluteString {
      case "x:never":
        await Signal().wait()
        isCancelled.fire()
      case "x:late": await Task { await returns.wait() }.value
      default: break
      }
    }
    try await application.run(kind) { router in
      var timeouts: Int64 = 0
      for url in ["x:never", "x:late"] {
        // An event may time out before its action begins. Then the test sends the event again.
        while !begun.contains(url) {
          let options = SendOptions(timeout: .milliseconds(20))
          let outcome = try await router.send(Event(url: url), options: options)
          #expect(outcome.attempts.map(\.result) == [.timeout])
          timeouts += 1
        }
      }
      try await router.open("x:1")
      await isCancelled.wait()
      returns.fire()
      while !page.links.contains("x:late") { await Task.yield() }
      try await router.open("x:2")
      let statistics = try await router.statistics()
      #expect(statistics.events["acknowledged"] == 2 && statistics.events["timeout"] == timeouts)
    }
  }

  @Test(arguments: TestRouter.Kind.allCases)
  func windowThatIsClosedMeanwhileHasNotTakenTheEvent(_ kind: TestRouter.Kind) async throws {
    let application = TestApplication {
      WindowGroup {
        let page = Page()
        page.action = { _ in
          page.dismiss()
          await Signal().wait()
        }
        return page
      }
      .handlesExternalEvents(matching: [])
    }
    let router = try await TestRouter(kind)
    let running = Task { try await application.run(RouterConnection(socketPath: router.socket)) }
    try await router.connection.waitForScene { _ in true }
    let sending = (0..<3).map { number in Task { try await router.connection.send(Event(url: "x:\(number)")) }
    }
    var outcomes: [EventOutcome] = []
    for task in sending { outcomes.append(try await task.value) }
    #expect(outcomes.allSatisfy { !$0.isTaken })
    #expect(outcomes.contains { $0.attempts.map(\.result) == [.sceneClosed] })
    // The application ends when its last window has closed.
    try await running.value
  }

  @Test(arguments: TestRouter.Kind.allCases)
  func everyActionOfTheWindowGetsTheEvent(_ kind: TestRouter.Kind) async throws {
    final class Log { var lines: [String] = [] }
    let log = Log()
    let application = TestApplication {
      WindowGroup {
        Page()
          .onOpenURL { _ in
            log.lines.append("second")
            throw Refusal()
          }
          .onContinueUserActivity("org.example.view") { activity in
            log.lines.append(try activity.typedPayload([String: Int].self)["n"].map(String.init) ?? "")
          }
          .onContinueUserActivity("org.example.other") { _ in log.lines.append("other") }
      }
    }
    try await application.run(kind) { router in
      try await router.open("x:1")
      #expect(log.lines == ["second"])
      let activity = UserActivity(activityType: "org.example.view")
      try activity.setTypedPayload(["n": 7])
      let event = Event(activity: Activity("org.example.view", userInfo: activity.userInfo))
      #expect(try await router.send(event).isTaken)
      #expect(log.lines == ["second", "7"])
    }
  }

  @Test(arguments: TestRouter.Kind.allCases)
  func actionsThatDoNotWaitTakeOrDeclineToo(_ kind: TestRouter.Kind) async throws {
    final class Log { var lines: [String] = [] }
    let log = Log()
    let application = TestApplication {
      WindowGroup {
        Views()
          .handlesExternalEvents(preferring: [], allowing: ["*"])
          .onOpenURL { url in
            log.lines.append("first")
            throw Refusal()
          }
          .onOpenURL { url in
            log.lines.append("second")
            if url.absoluteString == "x:no" { throw CancellationError() }
          }
      }
      .handlesExternalEvents(matching: [])
    }
    try await application.run(kind) { router in
      try await router.open("x:yes")
      let outcome = try await router.send(Event(url: "x:no"))
      #expect(outcome.description == "The event was declined: busy.")
      #expect(log.lines == ["first", "second", "first", "second"])
    }
  }

  @Test(arguments: TestRouter.Kind.allCases)
  func newWindowGetsTheEventThatItIsOpenedFor(_ kind: TestRouter.Kind) async throws {
    page.allowed = []
    final class Pages { var all: [Page] = [] }
    let pages = Pages()
    let application = TestApplication {
      WindowGroup { page }
      WindowGroup("Detail", id: "detail") {
        pages.all.append(Page(allowed: []))
        return pages.all.last!
      }
      .handlesExternalEvents(matching: ["photo="])
    }
    try await application.run(kind) { router in
      for number in 0..<3 { try await router.open("x:photo=\(number)") }
      #expect(pages.all.map(\.links) == [["x:photo=0"], ["x:photo=1"], ["x:photo=2"]])
      #expect(page.links.isEmpty)
      let scenes = try await router.scenes(application: "org.example.Test")
      #expect(scenes.map(\.declarationID) == ["window1", "detail", "detail", "detail"])
    }
  }
}
