import SceneClient
import Synchronization
import Testing

/// Four windows of a Swift program, of which the first changes its preferred identifiers all the time.
///
/// An event with `hold` in its URL is not settled at its first delivery.
final class ChangingWindows: Sendable {
  static let application = "org.example.Swift"

  /// All deliveries, in order of arrival.
  let deliveries: AsyncStream<Delivery>
  private let delivered: AsyncStream<Delivery>.Continuation
  private let scenes: [OpenScene]
  private let held = Mutex<Set<String>>([])
  private let ends = Atomic(false)
  private let changing = Mutex<Task<Void, any Error>?>(nil)

  init(_ router: RouterConnection) async throws {
    (deliveries, delivered) = AsyncStream.makeStream()
    var scenes: [OpenScene] = []
    for number in 0..<4 {
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
    for scene in scenes { Task { await take(from: scene) } }
    let task = Task {
      var number = 0
      while !ends.load(ordering: .relaxed) {
        number += 1
        try await scenes[0].setRegistration("r", preferring: ["sw0/", "\(number)"])
      }
    }
    changing.withLock { $0 = task }
  }

  /// Ends the changes, and sets the last preferred identifiers of the first window.
  func endChanges() async throws {
    ends.store(true, ordering: .relaxed)
    try await changing.withLock(\.self)?.value
    try await scenes[0].setRegistration("r", preferring: ["sw0/", "last"])
  }

  /// Ends ``deliveries``.
  func end() { delivered.finish() }

  private func take(from scene: OpenScene) async {
    do {
      for try await delivery in scene.deliveries {
        let url = delivery.event.url ?? ""
        delivered.yield(delivery)
        if url.contains("hold"), held.withLock({ $0.insert(url).inserted }) { continue }
        // The router may have been killed since.
        try? await delivery.acknowledge()
      }
      if !ends.load(ordering: .relaxed) { Issue.record("The scene \(scene.id) was closed.") }
    } catch {
      Issue.record("The scene \(scene.id) gets nothing any more: \(error)")
    }
  }
}
