import ExternalEvents
import Glibc

/// The window that takes the links of `scenebench-load router-load --scenes 0`.
@main struct BenchmarkApplication: SceneApplication {
  static let id = "org.example.bench"

  var body: some SceneDeclarations {
    WindowGroup { Taker() }
      .handlesExternalEvents(matching: [])
  }
}

/// Takes each link and counts it.
final class Taker: WindowContent {
  private var count = 0

  var body: some WindowModifiers {
    Views()
      .handlesExternalEvents(preferring: ["/scene-0/"], allowing: [])
      .onOpenURL { [self] _ in count += 1 }
  }

  func run() async throws {
    let line = "The window is open.\n"
    _ = write(STDOUT_FILENO, line, line.utf8.count)
  }
}
