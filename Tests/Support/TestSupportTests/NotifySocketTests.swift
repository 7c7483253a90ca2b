import TestSupport
import Testing

@Suite struct NotifySocketTests {
  @Test func passesOverOtherMessages() throws {
    let systemd = try NotifySocket()
    let script = #"""
      import os, socket
      s = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
      for message in [b"STATUS=starting", b"READY=1\nSTATUS=ready", b"STOPPING=1"]:
        s.sendto(message, os.environ["NOTIFY_SOCKET"])
      """#
    let (ending, _, error) = try SpawnedProgram.run(
      "/usr/bin/env",
      ["python3", "-c", script],
      environment: ["NOTIFY_SOCKET": systemd.path]
    )
    #expect(ending == .exit(0), "\(error)")
    #expect(try systemd.message(with: "READY=1") == ["READY=1", "STATUS=ready"])
    #expect(try systemd.nextMessage() == ["STOPPING=1"])
    #expect(throws: Overdue.self) { try systemd.nextMessage(by: Deadline(in: .zero)) }
  }
}
