import ExternalEvents
import Foundation
import Observation
import SceneClient
import ScriptedService
import Testing

/// An application that a test describes.
struct TestApplication<Body: SceneDeclarations>: SceneApplication {
  static var id: String { "org.example.Test" }
  var body: Body
  var claims = Claims()
  var isSingleScene = false
  var reports = Reports()

  init() { fatalError("Only main() calls this.") }

  init(
    claims: Claims = Claims(),
    isSingleScene: Bool = false,
    @SceneDeclarationsBuilder body: () -> Body
  ) {
    self.body = body()
    self.claims = claims
    self.isSingleScene = isSingleScene
  }

  func report(_ error: SceneApplicationError) { reports.all.append(error.description) }
}

/// The errors that an application has reported.
final class Reports {
  var all: [String] = []
}

extension TestApplication {
  /// Runs the application on the main actor while `test` runs.
  ///
  /// The test begins when the first window is open.
  @MainActor func run(
    _ kind: TestRouter.Kind,
    whileOpen test: @MainActor (RouterConnection) async throws -> Void
  ) async throws {
    let router = try await TestRouter(kind)
    let running = Task { try await run(RouterConnection(socketPath: router.socket)) }
    try await router.connection.waitForScene { _ in true }
    try await test(router.connection)
    running.cancel()
    try await running.value
  }
}

extension RouterConnection {
  /// Waits for a scene for which `isWanted` returns true, and returns the scene.
  @discardableResult
  func waitForScene(_ isWanted: (SceneDescription) -> Bool) async throws -> SceneDescription {
    for try await change in try await monitor(showsDecisions: false) {
      switch change {
      case .snapshot(let snapshot): if let scene = snapshot.scenes.first(where: isWanted) { return scene }
      case .sceneChanged(let scene) where isWanted(scene): return scene
      default: break
      }
    }
    throw RouterHasEnded()
  }

  /// Waits until no scene with this id is open.
  func waitForEnd(of id: String) async throws {
    for try await change in try await monitor(showsDecisions: false) {
      switch change {
      case .snapshot(let snapshot): if !snapshot.scenes.contains(where: { $0.id == id }) { return }
      case .sceneClosed(id): return
      default: break
      }
    }
    throw RouterHasEnded()
  }

  /// Sends a link, and returns the id of the scene that has taken it.
  @discardableResult
  func open(_ url: String) async throws -> String {
    // On a busy machine, the actors of all tests together can need longer than the usual ten seconds.
    let outcome = try await send(Event(url: url), options: SendOptions(timeout: .seconds(60)))
    return try #require(outcome.isTaken ? outcome.attempts.last?.sceneID : nil, "\(outcome)")
  }
}

struct RouterHasEnded: Error {}

/// A window that notes the links that it gets.
@Observable final class Page: WindowContent {
  var preferred: Set<String> = []
  var allowed: Set<String>
  var unread = 0
  var links: [String] = []
  var name: String?
  var shown: String?
  var works = false
  @ObservationIgnored var action: ((URL) async throws -> Void)?
  @ObservationIgnored var raised: [String?] = []
  @ObservationIgnored @Environment(\.openWindow) var openWindow
  @ObservationIgnored @Environment(\.dismissWindow) var dismissWindow
  @ObservationIgnored @Environment(\.dismiss) var dismiss
  @ObservationIgnored @Environment(\.openURL) var openURL

  init(allowed: Set<String> = ["*"]) { self.allowed = allowed }

  var body: some WindowModifiers {
    Views()
      .handlesExternalEvents(preferring: preferred, allowing: allowed)
      .onOpenURL { url in
        try await self.action?(url)
        self.links.append(url.absoluteString)
      }
      .userActivity("org.example.Test.page", element: shown) { shown, activity in
        activity.targetContentIdentifier = shown
        activity.isEligibleForHandoff = true
      }
      .title(name ?? "Page")
      .isActive(works)
  }

  func raise(activationToken: String?) { raised.append(activationToken) }
}
