import CLinux
import Foundation
import Synchronization
import UnixSocket

/// A program that runs beside the test.
///
/// A program that still runs is killed when this object is released.
package final class SpawnedProgram {
  /// How a program ended.
  package enum Ending: Equatable, Sendable {
    case exit(CInt)
    case signal(CInt)
  }

  /// The identifier of the process.
  ///
  /// No other process gets this identifier before the program has ended.
  package let processID: CInt

  private let name: String
  private var output: CapturedStream
  private var error: CapturedStream
  private let running: OwnedDescriptor
  private let child: Child
  private var ending: Ending?

  private final class Child: Sendable {
    let identifier: pid_t
    /// As wait(2) describes it; nil while the program runs.
    private let status = Mutex<CInt?>(nil)

    init(_ identifier: pid_t) { self.identifier = identifier }

    var ending: Ending? {
      // Decodes the status itself, because Swift cannot import the macros for it.
      status.withLock(\.self).map { $0 & 0x7F == 0 ? .exit($0 >> 8 & 0xFF) : .signal($0 & 0x7F) }
    }

    func send(signal: CInt) {
      status.withLock { if $0 == nil { kill(identifier, signal) } }
    }

    /// A zombie must not stay, because Swift Testing's thread for exit tests would look at it again and again.
    func waitForEnd() {
      var information = siginfo_t()
      while waitid(P_PID, id_t(identifier), &information, WEXITED | WNOWAIT) == -1 && errno == EINTR {}
      // Under the lock, so that no signal goes to a later process with this identifier.
      status.withLock { status in
        var value: CInt = 0
        waitpid(identifier, &value, 0)
        status = value
      }
    }
  }

  /// Starts a program.
  ///
  /// The program's standard input is empty. The program's `$TMPDIR` is removed when this process ends. The program
  /// does not depend on the desktop that the test runs on, because the program gets only these variables of this
  /// process:
  /// - `PATH`, `HOME`, `LD_LIBRARY_PATH` and `LANG`
  /// - `TSAN_OPTIONS` and `ASAN_OPTIONS`, which say where sanitizers report
  ///
  /// - Parameters:
  ///   - program: The name of a program of this package, or a path.
  ///   - arguments: The arguments after the program's name.
  ///   - environment: More environment variables.
  ///   - activation: Named descriptors to pass as systemd does. The program gets the descriptors as 3 and up.
  /// - Throws: `SpawnFailure` if the program cannot be started.
  package init(
    _ program: String,
    _ arguments: [String] = [],
    environment: [String: String] = [:],
    activation: KeyValuePairs<String, CInt> = [:]
  ) throws {
    name = program
    let path = program.contains("/") ? program : Self.buildDirectory + "/" + program
    var environment = environment.merging(Self.inheritedEnvironment) { own, _ in own }
    var command = [path] + arguments
    if !activation.isEmpty {
      environment["LISTEN_FDS"] = "\(activation.count)"
      environment["LISTEN_FDNAMES"] = activation.map(\.key).joined(separator: ":")
      // $LISTEN_PID has to be the identifier of the new process. Only that process knows it, so a shell sets the
      // variable and then becomes the program.
      command = ["/bin/sh", "-c", #"export LISTEN_PID=$$; exec "$0" "$@""#] + command
    }

    let pipes = try (0..<3).map { _ in try Self.makePipe() }
    output = CapturedStream(OwnedDescriptor(pipes[0].reading))
    error = CapturedStream(OwnedDescriptor(pipes[1].reading))
    running = OwnedDescriptor(pipes[2].reading)
    let (outputEnd, errorEnd, runningEnd) = (pipes[0].writing, pipes[1].writing, pipes[2].writing)
    defer {
      close(outputEnd)
      close(errorEnd)
    }

    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_adddup2(&actions, outputEnd, 1)
    posix_spawn_file_actions_adddup2(&actions, errorEnd, 2)
    // Copies the descriptors to high numbers first. Otherwise dup2(2) could overwrite a descriptor that has not been
    // passed yet.
    let copies = activation.map { fcntl($0.value, F_DUPFD_CLOEXEC, 100) }
    defer { copies.forEach { close($0) } }
    for (number, copy) in copies.enumerated() {
      posix_spawn_file_actions_adddup2(&actions, copy, 3 + CInt(number))
    }

    // No signal shall be blocked in the program. A program inherits the mask of the thread that starts the program, and
    // the threads that run tests block all signals.
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var signals = sigset_t()
    posix_spawnattr_setsigmask(&attributes, &signals)
    sigfillset(&signals)
    posix_spawnattr_setsigdefault(&attributes, &signals)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))

    var identifier: pid_t = 0
    let failure = Self.withPointers(to: command) { arguments in
      Self.withPointers(to: environment.map { "\($0)=\($1)" }) { environment in
        posix_spawn(&identifier, command[0], &actions, &attributes, arguments, environment)
      }
    }
    processID = identifier
    child = Child(identifier)
    guard failure == 0 else {
      close(runningEnd)
      ending = .exit(127)
      throw SpawnFailure(command[0], failure)
    }
    // Closes a pipe when the process ends, so that poll(2) can wait for the process and its output together.
    Thread.detachNewThread { [child] in
      child.waitForEnd()
      close(runningEnd)
    }
  }

  deinit {
    guard ending == nil else { return }
    child.send(signal: SIGKILL)
    var end = pollfd(fd: running.rawValue, events: Int16(POLLIN), revents: 0)
    while poll(&end, 1, -1) == -1 && errno == EINTR {}
  }

  /// Sends `signal`, such as `SIGTERM`.
  package func send(signal: CInt) { child.send(signal: signal) }

  /// Whether the program still runs.
  package var isRunning: Bool { child.ending == nil }

  /// Suspends the program with `SIGSTOP`, and returns when all its threads are suspended.
  package func freeze() {
    send(signal: SIGSTOP)
    var information = siginfo_t()
    while waitid(P_PID, id_t(processID), &information, WSTOPPED | WNOWAIT) == -1 && errno == EINTR {}
  }

  /// Waits for a line with `text` on standard output.
  ///
  /// Lines that an earlier call has read do not count.
  ///
  /// - Returns: The line.
  /// - Throws: `Overdue` with all output of the program, if no such line comes.
  @discardableResult
  package func outputLine(containing text: String, by deadline: Deadline = Deadline()) throws -> String {
    try line(containing: text, by: deadline) { $0.output.nextLine(containing: text) }
  }

  /// Waits for a line with `text` on standard error.
  ///
  /// Lines that an earlier call has read do not count.
  ///
  /// - Returns: The line.
  /// - Throws: `Overdue` with all output of the program, if no such line comes.
  @discardableResult
  package func errorLine(containing text: String, by deadline: Deadline = Deadline()) throws -> String {
    try line(containing: text, by: deadline) { $0.error.nextLine(containing: text) }
  }

  /// The standard output of the program so far.
  package var outputText: String {
    while pump(milliseconds: 0) {}
    return output.text
  }

  /// The standard error of the program so far.
  package var errorText: String {
    while pump(milliseconds: 0) {}
    return error.text
  }

  /// Waits until the program has ended.
  ///
  /// - Throws: `Overdue` if the program does not end.
  @discardableResult
  package func waitForEnd(by deadline: Deadline = Deadline()) throws -> Ending {
    while true {
      if let ending { return ending }
      guard pump(milliseconds: deadline.millisecondsLeft) else { throw overdue("\(name) did not end.") }
    }
  }

  private func line(
    containing text: String,
    by deadline: Deadline,
    next: (SpawnedProgram) -> String?
  ) throws -> String {
    while true {
      if let line = next(self) { return line }
      guard ending == nil, pump(milliseconds: deadline.millisecondsLeft) else {
        if let line = next(self) { return line }
        throw overdue("\(name) did not write '\(text)'.")
      }
    }
  }

  private func overdue(_ sentence: String) -> Overdue {
    Overdue(
      "\(sentence) Ending: \(ending.map { "\($0)" } ?? "none"); output: \(output.text); error: \(error.text)"
    )
  }

  /// Reads the output of the program, and notes the end of the program.
  ///
  /// Returns false if there is no output and no end within the time.
  @discardableResult
  private func pump(milliseconds: Int) -> Bool {
    var ready = [output.descriptor, error.descriptor, ending == nil ? running.rawValue : -1].map {
      pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
    }
    guard poll(&ready, nfds_t(ready.count), CInt(milliseconds)) > 0 else { return false }
    if ready[0].revents != 0 { output.read() }
    if ready[1].revents != 0 { error.read() }
    if ready[2].revents != 0, ready[0].revents & Int16(POLLIN) == 0, ready[1].revents & Int16(POLLIN) == 0 {
      ending = child.ending
    }
    return true
  }
}

extension SpawnedProgram {
  /// The directory of the programs that were built with the tests.
  package static let buildDirectory: String = {
    URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent().path
  }()

  /// Runs a program to its end.
  ///
  /// - Returns: The ending of the program, its standard output and its standard error.
  /// - Throws: `Overdue` if the program does not end.
  package static func run(
    _ program: String,
    _ arguments: [String] = [],
    environment: [String: String] = [:],
    activation: KeyValuePairs<String, CInt> = [:],
    by deadline: Deadline = Deadline()
  ) throws -> (ending: Ending, output: String, error: String) {
    let program = try SpawnedProgram(program, arguments, environment: environment, activation: activation)
    let ending = try program.waitForEnd(by: deadline)
    return (ending, program.outputText, program.errorText)
  }

  private static var inheritedEnvironment: [String: String] {
    let inherited = ProcessInfo.processInfo.environment.filter {
      ["PATH", "HOME", "LD_LIBRARY_PATH", "LANG", "TSAN_OPTIONS", "ASAN_OPTIONS"].contains($0.key)
    }
    // These variables name no existing directory, so that installed applications make no difference.
    let places = ["XDG_CONFIG_HOME", "XDG_CONFIG_DIRS", "XDG_DATA_HOME", "XDG_DATA_DIRS", "XDG_STATE_HOME"]
    return places.reduce(into: inherited.merging(["TMPDIR": TestRun.directory]) { $1 }) {
      $0[$1] = "/nonexistent"
    }
  }

  static func makePipe() throws -> (reading: CInt, writing: CInt) {
    var ends: [CInt] = [0, 0]
    guard pipe2(&ends, O_CLOEXEC) == 0 else { throw SpawnFailure("A pipe", errno) }
    return (ends[0], ends[1])
  }

  private static func withPointers<Value>(
    to strings: [String],
    _ body: ([UnsafeMutablePointer<CChar>?]) -> Value
  ) -> Value {
    let pointers = strings.map { strdup($0) }
    defer { pointers.forEach { free($0) } }
    return body(pointers + [nil])
  }
}

/// A program that could not be started.
package struct SpawnFailure: Error, CustomStringConvertible {
  /// A sentence with the name of the program and the error of the system.
  package let description: String

  init(_ program: String, _ code: CInt) {
    description = "\(program) cannot be started: \(String(cString: strerror(code)))."
  }
}
