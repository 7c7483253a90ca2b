import Dispatch
import ExternalEvents
import Glibc
import SceneClient

/// An application whose window takes the links that `scenebench-load router-load --scenes 0` sends.
struct BenchmarkApplication: SceneApplication {
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

  func run() async throws { say("The window is open.") }
}

/// Runs the application; with a number as the argument, opens that many scenes instead.
///
/// All these scenes use one client. The program reports when the client has connected again.
@main enum Main {
  static func main() {
    guard let count = CommandLine.arguments.dropFirst().first.flatMap({ Int($0) }) else {
      return BenchmarkApplication.main()
    }
    Task { try await reopen(count) }
    dispatchMain()
  }

  static func reopen(_ count: Int) async throws {
    let router = try await RouterConnection()
    var scenes: [OpenScene] = []
    for number in 0..<count {
      let view = Registration(id: "view", preferring: ["/scene-\(number)/"])
      scenes.append(try await router.openScene(application: "a", registrations: [view]))
    }
    say("The scenes are open.")
    // Only a client that waits for events learns that the router has ended.
    let waiting = Task { [scenes] in for try await _ in scenes[0].messages {} }
    for await state in router.states where state == .connected { say("The scenes are open again.") }
    try await waiting.value
  }
}

private func say(_ line: String) {
  _ = write(STDOUT_FILENO, line + "\n", line.utf8.count + 1)
}
