import SceneClient
import Synchronization
import Testing

/// Windows of a Swift program.
///
/// The first window changes its preferred identifiers all the time.
///
/// An event with `hold` in its URL is not settled at its first delivery.
final class ChangingWindows: Sendable {
  static let application = "org.example.Swift"

  /// Each delivery with the title of its window, in order of arrival.
  let deliveries: AsyncStream<(title: String, delivery: Delivery)>
  private let delivered: AsyncStream<(title: String, delivery: Delivery)>.Continuation
  private let scenes: [OpenScene]
  private let held = Mutex<Set<String>>([])
  private let ends = Atomic(false)
  private let changing = Mutex<Task<Void, any Error>?>(nil)

  init(_ router: RouterConnection, count: Int) async throws {
    (deliveries, delivered) = AsyncStream.makeStream()
    var scenes: [OpenScene] = []
    for number in 0..<count {
      let registration = Registration(id: "r", preferring: ["sw\(number)/"])
      scenes.append(
        try await router.openScene(
          application: Self.application,
          title: "sw\(number)",
          registrations: [registration]
        )
      )
    }
    self.scenes = scenes
    for (number, scene) in scenes.enumerated() { Task { await take(from: scene, "sw\(number)") } }
    let task = Task {
      var number = 0
      while !ends.load(ordering: .relaxed) {
        number += 1
        try await scenes[0].setRegistration("r", preferring: ["sw0/", "\(number)"])
      }
    }
    changing.withLock { $0 = task }
  }

  /// Ends the changes, and sets the final preferred identifiers of the first window.
  func endChanges() async throws {
    ends.store(true, ordering: .relaxed)
    try await changing.withLock(\.self)?.value
    try await scenes[0].setRegistration("r", preferring: ["sw0/", "last"])
  }

  /// Ends ``deliveries``.
  func end() { delivered.finish() }

  private func take(from scene: OpenScene, _ title: String) async {
    do {
      for try await delivery in scene.deliveries {
        let url = delivery.event.url ?? ""
        delivered.yield((title, delivery))
        if url.contains("hold"), held.withLock({ $0.insert(url).inserted }) { continue }
        try await delivery.acknowledge()
      }
      if !ends.load(ordering: .relaxed) { Issue.record("The scene \(scene.id) was closed.") }
    } catch {
      Issue.record("The scene \(scene.id) gets nothing any more: \(error)")
      // Without this line, the test would wait for events of this scene for ever.
      delivered.finish()
    }
  }
}
