import Subprocess
import Varlink

/// Calls on the user's session bus, by systemd's busctl(1): loading libsystemd would take a quarter of the time for
/// opening a link.
enum UserBus {
  /// Instead of the usual 25 s, so that a silent desktop delays the tool only briefly.
  private static let timeout = "--timeout=5"
  /// In bytes: far more than the environment of a service manager.
  private static let longestAnswer = 4 << 20

  /// Desktop Notifications Specification; desktops may interpret `body` as markup.
  ///
  /// - Returns: Whether a desktop shows the notification.
  static func showNotification(_ summary: String, _ body: String) async -> Bool {
    let name = "org.freedesktop.Notifications"
    // It replaces no earlier notification, has no actions and no hints, and stays as long as the desktop decides.
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

  /// With it the user's service manager starts programs; nil if no manager answers.
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

  /// `{"type":"as","data":[…]}`.
  private static func strings(in answer: [UInt8]) -> [String]? {
    var document = JSONDocument()
    guard let value = try? document.parse(answer.span) else { return nil }
    var members = value.members
    while let member = members.next() {
      if member.nameEquals("data") { return try? [String](from: member.value) }
    }
    return nil
  }

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
