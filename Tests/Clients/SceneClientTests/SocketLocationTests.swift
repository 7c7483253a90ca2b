import SceneClient
import Testing

struct SocketLocationTests {
  @Test(arguments: [
    (["SCENED_SOCKET": "/a", "XDG_RUNTIME_DIR": "/run/user/1"], "/a"),
    (["SCENED_SOCKET": "@a"], "@a"),
    (["SCENED_SOCKET": "", "XDG_RUNTIME_DIR": "/run/user/1"], "/run/user/1/scened/io.scened.Router"),
    (["XDG_RUNTIME_DIR": "/run/user/1"], "/run/user/1/scened/io.scened.Router"),
  ])
  func environmentTellsTheSocket(environment: [String: String], path: String) throws {
    #expect(try SocketLocation.default { environment[$0] } == path)
  }

  @Test(arguments: [[:], ["SCENED_SOCKET": "", "XDG_RUNTIME_DIR": ""]])
  func withoutAnyVariableTheErrorNamesThem(environment: [String: String]) {
    let error = #expect(throws: RouterError.self) { try SocketLocation.default { environment[$0] } }
    #expect(error?.code == .noSocketPath)
    #expect(
      error?.description
        == "The router's socket is not known: neither $SCENED_SOCKET nor $XDG_RUNTIME_DIR is set."
    )
  }
}
