import Foundation
import TestSupport

/// A container (the *box*) with a real systemd 257, in which a user has the daemon and one application.
final class UnitBox {
  private let name = "scenebench-\(getpid())"

  /// Starts the box, and starts the daemon in the box.
  ///
  /// The box gets the project's programs from the directory `programs`.
  init(programs: String, scheme: String, release: String = "trixie") throws {
    let installation = try Self.environment("installation", [programs])
    let places = ["/usr/local", "/home/person/.local"].map { "\(installation)\($0):\($0)" }
    try Self.environment("system-box", ["up", name, release] + places)
    let entry = """
      [Desktop Entry]
      Type=Application
      Name=Application
      Exec=sh -c "echo > /home/person/report" sh %u
      MimeType=x-scheme-handler/\(scheme);

      """
    try run(["useradd", "person"])
    try run(["chown", "person:", "/home/person"])
    try run(["systemctl", "start", "user@1000.service"])
    let script = #"""
      mkfifo report && mkdir -p desktop/applications && printf %s "$0" >desktop/applications/scenebench.desktop &&
        systemctl --user set-environment XDG_DATA_DIRS=/home/person/desktop &&
        systemctl --user start scened.socket scened.service
      """#
    try asPerson([script, entry])
  }

  deinit { _ = try? Self.environment("system-box", ["down", name]) }

  /// Returns the milliseconds that a command takes to start a program as a unit.
  func timeToStart(of command: [String]) throws -> Double {
    // The script opens the FIFO for reading and for writing. Without an open writer, `read` would get an end of file.
    let script = #"""
      exec 9<>report
      start=$EPOCHREALTIME
      "$0" "$@" >/dev/null &
      read -r -u 9
      end=$EPOCHREALTIME
      wait $! || exit
      echo $((${end/./} - ${start/./}))
      """#
    let microseconds = try asPerson([script] + command)
    guard let microseconds = Double(microseconds) else { throw BenchmarkError("\(command): \(microseconds)") }
    return microseconds / 1000
  }

  /// Returns the average time of several runs of a command, in milliseconds.
  func timeToEnd(of command: [String], runs: Int) throws -> Double {
    let script = #"""
      start=$EPOCHREALTIME
      for run in $(seq "$0"); do "$@" </dev/null >/dev/null || exit; done
      end=$EPOCHREALTIME
      echo $((${end/./} - ${start/./}))
      """#
    let microseconds = try asPerson([script, "\(runs)"] + command)
    guard let microseconds = Double(microseconds) else { throw BenchmarkError("\(command): \(microseconds)") }
    return microseconds / 1000 / Double(runs)
  }

  /// Lets `ssh HOST` in the box connect to the box itself, and opens a connection that later ssh commands share.
  func makeMasterConnection(to host: String) throws {
    let script = #"""
      mkdir -m 700 .ssh && ssh-keygen -q -t ed25519 -N '' -f .ssh/id_ed25519 && cp .ssh/id_ed25519.pub .ssh/authorized_keys
      cat >.ssh/config <<END
      Host $0
        HostName 127.0.0.1
        StrictHostKeyChecking no
        ControlMaster auto
        ControlPath %d/.ssh/master
        ControlPersist yes
      END
      ssh "$0" true </dev/null >/dev/null 2>&1
      """#
    try run(["usermod", "--shell", "/bin/bash", "person"])
    try asPerson([script, host])
  }

  @discardableResult
  private func asPerson(_ script: [String]) throws -> String {
    let shell = [
      "env", "--chdir=/home/person", "HOME=/home/person", "XDG_RUNTIME_DIR=/run/user/1000", "bash", "-c",
    ]
    return try run(["runuser", "-u", "person", "--"] + shell + script)
  }

  @discardableResult
  private func run(_ command: [String]) throws -> String {
    try Self.environment("system-box", ["run", name] + command)
  }

  @discardableResult
  private static func environment(_ name: String, _ arguments: [String]) throws -> String {
    let program = try TestEnvironment.start(name, arguments)
    guard try program.waitForEnd() == .exit(0) else {
      throw BenchmarkError("\(name) \(arguments): \(program.errorText)")
    }
    return program.outputText.trimmingCharacters(in: .newlines)
  }
}
