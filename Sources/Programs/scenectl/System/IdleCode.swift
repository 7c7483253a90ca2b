import CProcess

/// The code of an adapter that its next step does not need.
///
/// Without a release, an adapter would keep 8 of 12 MiB that it needs only to start, or to raise a window. The kernel
/// maps code again when it runs. Other commands end soon, and release nothing.
@MainActor enum IdleCode {
  private static let pause = Duration.seconds(1)
  private static var isReleased = false
  private static var lastRelease: Task<Void, Never>?

  static func beginToRelease() {
    isReleased = true
    release()
  }

  /// Gives back all code, and again when a pause follows.
  static func release() {
    guard isReleased else { return }
    scened_release_code()
    lastRelease?.cancel()
    lastRelease = Task {
      try? await Task.sleep(for: pause)
      if !Task.isCancelled { scened_release_code() }
    }
  }
}
