import Subprocess
import Varlink

/// What the tool asks and says on the user's bus, with busctl(1).
///
/// That comes with systemd. If libsystemd were part of the tool, to load it would take a quarter of the time in which a
/// link is opened.
enum UserBus {
  /// A desktop that does not answer must not hold up the tool for long; unset, it would be 25 s.
  private static let timeout = "--timeout=5"
  /// More than any environment.
  private static let longestAnswer = 4 << 20

  /// Shows a notification on the desktop (Desktop Notifications Specification), if there is one that does.
  ///
  /// - Parameters:
  ///   - summary: one line.
  ///   - body: more, which desktops may take for markup.
  static func showNotification(_ summary: String, _ body: String) async {
    let name = "org.freedesktop.Notifications"
    // Nothing is replaced, there are neither actions nor hints, and the desktop decides how long it stays.
    _ = await busctl(
      "call",
      name,
      "/org/freedesktop/Notifications",
      name,
      "Notify",
      "susssasa{sv}i",
      "scened",
      "0",
      "dialog-warning",
      summary,
      body,
      "0",
      "0",
      "-1"
    )
  }

  /// The environment with which the user's manager starts programs; nil if none answers.
  static func managerEnvironment() async -> [String: String]? {
    let answer = await busctl(
      "get-property",
      "org.freedesktop.systemd1",
      "/org/freedesktop/systemd1",
      "org.freedesktop.systemd1.Manager",
      "Environment"
    )
    guard let answer, let assignments = strings(in: Array(answer.utf8)) else { return nil }
    let pairs = assignments.compactMap { assignment in
      assignment.firstIndex(of: "=").map {
        (String(assignment[..<$0]), String(assignment[$0...].dropFirst()))
      }
    }
    return Dictionary(pairs) { _, last in last }
  }

  /// The value of a property that is an array of strings: `{"type":"as","data":[…]}`.
  private static func strings(in answer: [UInt8]) -> [String]? {
    var document = JSONDocument()
    guard let value = try? document.parse(answer.span) else { return nil }
    var members = value.members
    while let member = members.next() {
      if member.nameEquals("data") { return try? [String](from: member.value) }
    }
    return nil
  }

  /// What busctl prints, in JSON; nil if it fails.
  private static func busctl(_ arguments: String...) async -> String? {
    let result = try? await Subprocess.run(
      .name("busctl"),
      arguments: Arguments(["--user", "--json=short", timeout, "--"] + arguments),
      input: .none,
      output: .string(limit: longestAnswer),
      error: .discarded
    )
    guard let result, result.terminationStatus.isSuccess else { return nil }
    return result.standardOutput
  }
}
