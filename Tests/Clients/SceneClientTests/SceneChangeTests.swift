import SceneClient
import ScriptedService
import Testing

/// Changes of a scene that are under way at the same moment.
@Suite(.timeLimit(.minutes(20)))
struct SceneChangeTests {
  /// A change, and whether the router refuses it.
  struct Change: Sendable {
    let isRefused: Bool
    let make: @Sendable (OpenScene) async throws(RouterError) -> Int64

    static func title(_ title: String, isRefused: Bool = false) -> Change {
      Change(isRefused: isRefused) { scene throws(RouterError) in try await scene.update(title: title) }
    }

    static func registration(_ preferred: String, isRefused: Bool = false) -> Change {
      Change(isRefused: isRefused) { scene throws(RouterError) in
        try await scene.setRegistration("r", preferring: [preferred])
      }
    }
  }

  private static func context(_ title: String, _ preferred: String) -> String {
    #"{"context":{"applicationId":"a","title":"\#(title)","registrations":"#
      + #"[{"registrationId":"r","preferring":["\#(preferred)"],"allowing":[]}]}}"#
  }

  /// After a lost connection, the client opens the scene with the title and identifier that the router last accepted.
  @Test(arguments: [
    ([Change.title("2", isRefused: true), .registration("q")], ("1", "q")),
    ([.registration("q", isRefused: true), .title("2")], ("2", "p")),
    ([.registration("q", isRefused: true), .registration("s")], ("1", "s")),
    ([.registration("q"), .registration("s", isRefused: true)], ("1", "q")),
    ([.registration("q", isRefused: true), .registration("s", isRefused: true)], ("1", "p")),
  ])
  func refusedChangeTakesNoOtherWithIt(_ changes: [Change], _ kept: (String, String)) async throws {
    let isSent = changes.map { _ in Signal() }
    try await withRouter(reconnects: true) { listener, ordinary in
      let scene = try listener.accept()
      _ = try scene.nextCall()
      try scene.reply(#"{"opened":{"sceneId":"s1","sceneHandle":"h1","generation":1}}"#, continues: true)
      for signal in isSent {
        _ = try ordinary.nextCall()
        signal.fire()
      }
      for change in changes {
        if change.isRefused {
          try ordinary.fail("LimitExceeded", #"{"limit":"bytesPerUser","maximum":1}"#)
        } else {
          try ordinary.reply(#"{"generation":2}"#)
        }
      }
      // The client makes this call after it has noted all earlier answers.
      try ordinary.expect("Manager.Reload", "")
      try ordinary.reply(#"{"loaded":0,"problems":[]}"#)
      ordinary.close()
      // The client ends the scene's connection after it has read the answer, which an end made here could overtake.
      try scene.expectEnd()
      let next = try listener.accept()
      let again = try listener.accept()
      #expect(try again.nextCall().parameters == Self.context(kept.0, kept.1))
      try again.reply(#"{"opened":{"sceneId":"s2","sceneHandle":"h2","generation":1}}"#, continues: true)
      try again.reply(#"{"closed":"requested"}"#)
      try next.expectEnd()
    } _: { router in
      let scene = try await router.openScene(
        application: "a",
        title: "1",
        registrations: [Registration(id: "r", preferring: ["p"])]
      )
      var results: [Task<Bool, Never>] = []
      for (change, signal) in zip(changes, isSent) {
        results.append(
          Task {
            do throws(RouterError) {
              _ = try await change.make(scene)
              return false
            } catch {
              return true
            }
          }
        )
        await signal.wait()
      }
      for (result, change) in zip(results, changes) { #expect(await result.value == change.isRefused) }
      _ = try await router.reload()
      for try await _ in scene.messages {}
      router.close()
    }
  }
}
