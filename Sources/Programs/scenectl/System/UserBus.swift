import Subprocess
import Varlink

/// Calls on the user's session bus, by systemd's busctl(1): loading libsystemd would take a quarter of the time for
/// opening a link.
enum UserBus {
  /// Instead of the usual 25 s, so that a silent desktop delays the tool only briefly.
  private static let timeout = 5
  /// In seconds: a day, because a person may answer late.
  private static let timeoutOfQuestion = 86_400
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

  /// The program that asks the user in a window.
  static let nameOfDesktop = "io.scened.Desktop"

  /// Waits until the user has decided.
  ///
  /// - Returns: The exit status of what the user chose; 0 if the user closed the question.
  static func ask(_ url: String, event: String?, token: String?) async throws(BusRefusal) -> Int32 {
    let answer = try await call(
      ["call", nameOfDesktop, "/io/scened/Desktop", nameOfDesktop, "Ask", "sss", url]
        + [event, token].map { $0 ?? "" },
      timeout: timeoutOfQuestion
    )
    var document = JSONDocument()
    guard let value = try? document.parse(Array(answer.utf8).span),
      var reader = try? ObjectReader(value), let data = reader.member("data"),
      let status = try? [Int64](from: data).first
    else { throw BusRefusal(reason: "its answer cannot be read") }
    return Int32(truncatingIfNeeded: status)
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
    try? await call(arguments, timeout: timeout)
  }

  private static func call(_ arguments: [String], timeout: Int) async throws(BusRefusal) -> String {
    do {
      let result = try await Subprocess.run(
        .name("busctl"),
        arguments: Arguments(["--user", "--json=short", "--timeout=\(timeout)", "--"] + arguments),
        input: .none,
        output: .string(limit: longestAnswer),
        error: .string(limit: longestAnswer)
      )
      if result.terminationStatus.isSuccess { return result.standardOutput }
      let line = result.standardError.split(separator: "\n").last ?? "'busctl' fails"
      throw BusRefusal(reason: String(line.hasSuffix(".") ? line.dropLast() : line))
    } catch let error as BusRefusal {
      throw error
    } catch {
      throw BusRefusal(reason: "'busctl' cannot be run")
    }
  }
}

struct BusRefusal: Error {
  /// A clause.
  let reason: String
}
