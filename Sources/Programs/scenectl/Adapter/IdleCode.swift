import CProcess

/// The code that an adapter needs only to start, and to raise a window: 7 of 14 MiB.
@MainActor enum IdleCode {
  private static let pause = Duration.seconds(1)
  private static var release: Task<Void, Never>?

  /// Call it after such work; the release waits for a pause.
  static func releaseSoon() {
    release?.cancel()
    release = Task {
      try? await Task.sleep(for: pause)
      if !Task.isCancelled { scened_release_code() }
    }
  }
}
