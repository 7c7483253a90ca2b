import ExternalEvents
import Foundation
import Observation
import SceneClient
import Testing

/// SwiftUI's example of `handlesExternalEvents(preferring:allowing:)`.
@Observable final class ContactList: WindowContent {
  static let activityType = "org.example.contact"
  var selectedContact: UUID?

  var body: some WindowModifiers {
    Views()
      .handlesExternalEvents(
        preferring: selectedContact == nil
          ? []
          : [selectedContact!.uuidString],
        allowing: selectedContact == nil
          ? ["*"]
          : []
      )
      .onContinueUserActivity(Self.activityType) { [self] activity in
        if let identifier = activity.targetContentIdentifier {
          selectedContact = UUID(uuidString: identifier)
        }
      }
      .userActivity(
        Self.activityType,
        isActive: selectedContact != nil
      ) { [self] activity in
        activity.title = "Contact"
        activity.targetContentIdentifier = selectedContact?.uuidString
        activity.isEligibleForHandoff = true
      }
  }
}

@Observable final class Split: WindowContent {
  let sidebar = Page(allowed: ["side"])
  let inspector = Page(allowed: ["detail"])
  var showsInspector = false

  var body: some WindowModifiers {
    sidebar
    // The second use of `sidebar` in this body has no effect.
    sidebar
    if showsInspector { inspector }
  }
}

@MainActor @Suite(.timeLimit(.minutes(20)))
struct ChangeTests {
  private let page = Page()

  private var application: TestApplication<SceneDeclarationList> {
    TestApplication {
      WindowGroup { page }
        .handlesExternalEvents(matching: [])
    }
  }

  /// The example in the routing contract: a list takes any contact at first, then only the selected contact.
  @Test(arguments: TestRouter.Kind.allCases)
  func selectionIsInEffectBeforeTheNextEvent(_ kind: TestRouter.Kind) async throws {
    let application = TestApplication { WindowGroup(id: "list") { ContactList() } }
    try await application.run(kind) { router in
      func show(_ contact: UUID) async throws -> (rule: RouteDecision.Rule?, scene: String?) {
        let activity = Activity(ContactList.activityType, targetContentIdentifier: contact.uuidString)
        let outcome = try await router.send(Event(activity: activity))
        return (outcome.decision?.rule, outcome.attempts.last?.sceneID)
      }
      let (first, second) = (UUID(), UUID())
      let list = try await router.waitForScene { _ in true }.id
      #expect(try await show(first) == (.allowing, list))
      for _ in 0..<20 { #expect(try await show(first) == (.preferring, list)) }
      let another = try await show(second)
      #expect(another.rule == .default && another.scene != list)
      #expect(try await show(second) == (.preferring, another.scene))
      #expect(try await show(first) == (.preferring, list))
    }
  }

  @Test(arguments: TestRouter.Kind.allCases)
  func aChangeIsOneCallOrNone(_ kind: TestRouter.Kind) async throws {
    try await application.run(kind) { router in
      @MainActor func changes(_ action: @escaping (Page) -> Void) async throws -> Int64 {
        page.action = { _ in action(page) }
        let before = try await router.statistics().generation
        try await router.open("x:1")
        return try await router.statistics().generation - before
      }
      #expect(try await changes { _ in } == 0)
      #expect(try await changes { $0.unread += 1 } == 0)
      #expect(try await changes { $0.preferred = ["p"] } == 1)
      #expect(try await changes { $0.preferred = ["p"] } == 0)
      #expect(
        try await changes { page in
          for number in 0..<1000 { page.preferred = ["\(number)"] }
        } == 1
      )
      #expect(try await changes { $0.name = "N" } == 1)
      let scene = try await router.waitForScene { _ in true }
      #expect(scene.registrations.map(\.preferring) == [["999"]])
      #expect(scene.title == "N")
      #expect(scene.active == nil)
      #expect(try await changes { $0.works = true } == 1)
      #expect(try await changes { $0.works = false } == 0)
      #expect(try await changes { $0.works = true } == 1)
    }
  }

  @Test(arguments: TestRouter.Kind.allCases)
  func ofManyChangesTheLastIsReported(_ kind: TestRouter.Kind) async throws {
    try await application.run(kind) { router in
      for number in 1...1000 {
        page.preferred = ["\(number)"]
        await Task.yield()
      }
      let scene = try await router.waitForScene { $0.registrations.first?.preferring == ["1000"] }
      #expect(scene.registrations.count == 1)
    }
  }

  @Test(arguments: TestRouter.Kind.allCases)
  func viewsThatComeAndGoAreUnited(_ kind: TestRouter.Kind) async throws {
    let split = Split()
    let application = TestApplication {
      WindowGroup { split.title("Split").handlesExternalEvents(preferring: [], allowing: ["window"]) }
        .handlesExternalEvents(matching: [])
    }
    func links(_ links: [String]) -> (SceneDescription) -> Bool {
      { $0.registrations.map(\.allowing) == [links] && $0.title == "Split" }
    }
    try await application.run(kind) { router in
      try await router.waitForScene(links(["side", "window"]))
      split.showsInspector = true
      try await router.waitForScene(links(["detail", "side", "window"]))
      split.inspector.allowed = ["other"]
      try await router.waitForScene(links(["other", "side", "window"]))
      try await router.open("x:other")
      #expect(split.inspector.links == ["x:other"])
      split.showsInspector = false
      try await router.waitForScene(links(["side", "window"]))
    }
  }

  @Test(arguments: TestRouter.Kind.allCases)
  func refusedChangeIsReportedAndTheNextOneCounts(_ kind: TestRouter.Kind) async throws {
    let application = application
    try await application.run(kind) { router in
      page.action = { _ in page.preferred = [String(repeating: "x", count: 5000)] }
      try await router.open("x:1")
      #expect(
        application.reports.all == [
          "The limit 'identifierLength' is exceeded: at most 4096. Shorten the identifiers in handlesExternalEvents."
        ]
      )
      page.action = { _ in
        page.preferred = ["p"]
        page.name = String(repeating: "é", count: 1000)
      }
      try await router.open("x:2")
      let scene = try await router.waitForScene { _ in true }
      #expect(scene.registrations.map(\.preferring) == [["p"]])
      #expect(scene.title == String(repeating: "é", count: 512))
      #expect(application.reports.all.count == 1)
    }
  }
}
