import Glibc
import TestSupport
import Testing
import UnixSocket

/// Each test starts a process as systemd does, because this process already uses the fixed descriptor numbers.
@Suite struct ListenDescriptorsTests {
  @Test func comeWithTheirNames() throws {
    let pair = try StreamSocketPair()
    let report = try report(passing: [
      "router": pair.first.descriptor.rawValue, "x": pair.second.descriptor.rawValue,
    ])
    #expect(report == ["2 router:x", "[3, 4]", "[]", "0 "])
  }

  @Test func areUnknownWithoutNames() throws {
    let pair = try StreamSocketPair()
    let report = try report(
      passing: ["": pair.first.descriptor.rawValue, " ": pair.second.descriptor.rawValue],
      setup: "unset LISTEN_FDNAMES"
    )
    #expect(report == ["2 unknown:unknown", "[3, 4]", "[]", "0 "])
  }

  @Test func ofAnotherProcessAreNotOurs() throws {
    let pair = try StreamSocketPair()
    let report = try report(passing: ["router": pair.first.descriptor.rawValue], setup: "LISTEN_PID=1")
    #expect(report == ["0 ", "[]", #"["LISTEN_FDNAMES", "LISTEN_FDS", "LISTEN_PID"]"#, "0 "])
  }

  @Test func areNotThereWithoutSystemd() throws {
    #expect(try report(passing: [:]) == ["0 ", "[]", "[]", "0 "])
  }

  @Test func haveNamesThatJustFit() throws {
    let pair = try StreamSocketPair()
    // The text `ab:cd` and its NUL take exactly 6 bytes.
    let report = try report(
      passing: ["ab": pair.first.descriptor.rawValue, "cd": pair.second.descriptor.rawValue],
      room: 6
    )
    #expect(report.first == "2 ab:cd")
  }

  @Test(arguments: [1, 3, 5])
  func stayForAnotherCallIfTheirNamesDoNotFit(room: Int) throws {
    let pair = try StreamSocketPair()
    let report = try report(
      passing: ["ab": pair.first.descriptor.rawValue, "cd": pair.second.descriptor.rawValue],
      room: room
    )
    #expect(report.first == "\(-ENOBUFS) ")
    #expect(report.last == "2 ab:cd")
  }

  @Test(arguments: [
    ("LISTEN_FDS=many", -EINVAL),
    ("LISTEN_PID=me", -EINVAL),
    ("LISTEN_FDNAMES=one:two", -EINVAL),
    ("LISTEN_FDS=2 LISTEN_FDNAMES=one:two; exec 4>&-", -EBADF),
  ])
  func areRefusedIfTheEnvironmentIsWrong(setup: String, error: CInt) throws {
    let pair = try StreamSocketPair()
    let report = try report(passing: ["router": pair.first.descriptor.rawValue], setup: setup)
    #expect(report.first == "\(error) ")
    #expect(report.last == report.first)
  }

  /// Runs `setup` in a shell, then `PrintListenDescriptors` with `descriptors`; returns the lines of the output.
  private func report(
    passing descriptors: KeyValuePairs<String, CInt>,
    setup: String = ":",
    room: Int = 512
  ) throws -> [Substring] {
    let (ending, output, error) = try SpawnedProgram.run(
      "/bin/sh",
      [
        "-c", #"\#(setup); exec "$0" "$1""#, SpawnedProgram.buildDirectory + "/PrintListenDescriptors",
        "\(room)",
      ],
      activation: descriptors
    )
    try #require(ending == .exit(0), "\(error)")
    return output.split(separator: "\n")
  }
}
