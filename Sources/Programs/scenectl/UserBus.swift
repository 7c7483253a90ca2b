import Subprocess
import Varlink

/// Calls on the user's session bus, made with systemd's busctl(1).
///
/// The tool does not link libsystemd. Loading libsystemd would take a quarter of the time for opening a link.
enum UserBus {
  /// The time limit of a call: 5 s instead of the usual 25 s, so that a silent desktop delays the tool only briefly.
  private static let timeout = "--timeout=5"
  /// The longest answer in bytes: 4 MiB, far more than the environment of a service manager.
  private static let longestAnswer = 4 << 20

  /// Shows a notification (Desktop Notifications Specification).
  ///
  /// - Parameters:
  ///   - summary: One line.
  ///   - body: More text, which desktops may interpret as markup.
  /// - Returns: Whether a desktop shows the notification.
  static func showNotification(_ summary: String, _ body: String) async -> Bool {
    let name = "org.freedesktop.Notifications"
    // The notification replaces no earlier notification, and has no actions and no hints. The desktop decides how long
    // the notification is visible.
    return await busctl(
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
    ) != nil
  }

  /// Returns the environment with which the user's service manager starts programs; nil if no manager answers.
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

  /// Returns the value of a property that is an array of strings: `{"type":"as","data":[…]}`.
  private static func strings(in answer: [UInt8]) -> [String]? {
    var document = JSONDocument()
    guard let value = try? document.parse(answer.span) else { return nil }
    var members = value.members
    while let member = members.next() {
      if member.nameEquals("data") { return try? [String](from: member.value) }
    }
    return nil
  }

  /// Runs busctl, and returns its output in JSON; nil if it fails.
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
