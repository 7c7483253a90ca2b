import Glibc
import SceneClient

/// Opens a scene, forks, and ends in the way that the argument names: `closes`, `exits` or `killed`.
///
/// The child makes a call over the connection of its parent, prints the error, and lives on. With the argument `execs`
/// it becomes `sleep` at once, and its parent closes the scene. The parent prints the process of the child.
@main enum ForkWithScene {
  static func main() async throws {
    let router = try await RouterConnection(reconnects: false)
    let scene = try await router.openScene(
      application: "parent",
      registrations: [Registration(id: "r", showing: ["x-doc:1"])]
    )
    let end = CommandLine.arguments[1]
    let child = fork()
    if child == 0 {
      if end == "execs" {
        var arguments = [strdup("sleep"), strdup("1000"), nil]
        execvp("sleep", &arguments)
      }
      do {
        _ = try await router.scenes()
      } catch {
        say("error: \(error)", to: STDERR_FILENO)
      }
      while true { pause() }
    }
    say("\(child)")
    if end == "killed" { kill(getpid(), SIGKILL) }
    if end == "exits" { exit(0) }
    // The connections of the parent go on.
    guard try await router.scenes().map(\.id) == [scene.id] else { exit(1) }
    try await scene.close()
    say("closed")
    while true { pause() }
  }

  /// Prints a line without a buffer, which the child would print again.
  private static func say(_ line: String, to stream: CInt = STDOUT_FILENO) {
    _ = write(stream, line + "\n", line.utf8.count + 1)
  }
}
