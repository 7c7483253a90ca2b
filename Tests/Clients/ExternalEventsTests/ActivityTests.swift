import ExternalEvents
import Foundation
import Observation
import SceneClient
import Testing

/// A window with two views, each of which offers an activity.
@Observable final class Editor: WindowContent {
  var reads: String?
  var writes: String?
  var isSent = true
  @ObservationIgnored var action: (() -> Void)?

  var body: some WindowModifiers {
    Views {
      Views()
        .userActivity("read", element: reads) { text, activity in self.describe(activity, text) }
      Views()
        .userActivity("write", element: writes) { text, activity in self.describe(activity, text) }
    }
    .handlesExternalEvents(preferring: [], allowing: ["*"])
    .onOpenURL { _ in self.action?() }
  }

  private func describe(_ activity: UserActivity, _ text: String) {
    activity.title = text
    activity.isEligibleForHandoff = isSent
    try? activity.setTypedPayload(Dictionary(uniqueKeysWithValues: "abcdefghi".map { ("\($0)", text) }))
  }
}

@MainActor @Suite(.timeLimit(.minutes(20)))
struct ActivityTests {
  private let editor = Editor()

  private var application: TestApplication<SceneDeclarationList> {
    TestApplication { WindowGroup { editor } }
  }

  /// Sends a link, and changes the editor while the editor handles the link.
  ///
  /// The change is in effect when this method returns.
  private func change(_ router: RouterConnection, _ change: @escaping (Editor) -> Void) async throws {
    editor.action = { [editor] in change(editor) }
    try await router.open("x:1")
  }

  @Test(arguments: TestRouter.Kind.allCases)
  func selectedContactIsOfferedAndCanBeContinued(_ kind: TestRouter.Kind) async throws {
    let application = TestApplication { WindowGroup(id: "list") { ContactList() } }
    try await application.run(kind) { router in
      #expect(try await router.activities().isEmpty)
      let contacts = [UUID(), UUID()]
      var scenes: [String?] = []
      for contact in contacts {
        let activity = Activity(ContactList.activityType, targetContentIdentifier: contact.uuidString)
        scenes.append(try await router.send(Event(activity: activity)).attempts.last?.sceneID)
      }
      let offered = try await router.activities()
      #expect(offered.map(\.scene.id) == scenes)
      #expect(offered.map(\.activity.targetContentIdentifier) == contacts.map(\.uuidString))
      #expect(offered.map(\.activity.title) == ["Contact", "Contact"])
      // The router sends the activity to the scene that already shows the same contact.
      let taken = try await router.takeActivity(of: offered[1].scene.id)
      let outcome = try await router.send(Event(activity: taken))
      #expect(outcome.decision?.rule == .preferring)
      #expect(outcome.attempts.last?.sceneID == scenes[1])
    }
  }

  @Test(arguments: TestRouter.Kind.allCases)
  func latestOfSeveralIsCurrent(_ kind: TestRouter.Kind) async throws {
    let steps: [(reads: String?, writes: String?, type: String?, title: String?)] = [
      ("1", nil, "read", "1"), ("1", "a", "write", "a"), ("2", "a", "write", "a"), ("2", nil, "read", "2"),
      ("2", "b", "write", "b"), (nil, "c", "write", "c"), ("3", "c", "read", "3"), (nil, nil, nil, nil),
      ("4", "d", "write", "d"),
    ]
    try await application.run(kind) { router in
      for step in steps {
        try await change(router) { ($0.reads, $0.writes) = (step.reads, step.writes) }
        let activity = try await router.activities().first?.activity
        #expect((activity?.activityType, activity?.title) == (step.type, step.title), "\(step)")
      }
    }
  }

  @Test(arguments: TestRouter.Kind.allCases)
  func activityIsSetWhenItDiffersAndNotElse(_ kind: TestRouter.Kind) async throws {
    editor.reads = "1"
    try await application.run(kind) { router in
      @MainActor func since(_ change: @escaping (Editor) -> Void) async throws -> Duration? {
        try await self.change(router, change)
        return try await router.activities().first?.since
      }
      let first = try await since { _ in }
      try #require(first != nil)
      for _ in 0..<20 {
        // The body is evaluated again, with the same result.
        #expect(try await since { $0.reads = "1" } == first)
      }
      let second = try await since { editor in for number in 0..<100 { editor.reads = "\(number)" } }
      #expect(second != first)
      #expect(try await since { $0.isSent = false } == nil)
      #expect(try await since { $0.isSent = true } != second)
      let scene = try #require(try await router.activities().first?.scene.id)
      // The keys are sorted, so that equal payloads give equal texts.
      let members = "abcdefghi".map { #""\#($0)":"99""# }.joined(separator: ",")
      #expect(try await router.takeActivity(of: scene).userInfo?.json == "{\(members)}")
    }
  }

  @Test(arguments: TestRouter.Kind.allCases)
  func refusedActivityIsReportedAndTheNextOneCounts(_ kind: TestRouter.Kind) async throws {
    let application = application
    try await application.run(kind) { router in
      try await change(router) { $0.reads = String(repeating: "x", count: 8000) }
      #expect(
        application.reports.all == [
          "The limit 'userInfoSize' is exceeded: at most 65536. Put less into the user info of userActivity."
        ]
      )
      try await change(router) { $0.reads = "1" }
      #expect(try await router.activities().map(\.activity.title) == ["1"])
      #expect(application.reports.all.count == 1)
    }
  }
}
