import Glibc
import UnixSocket

/// The process that sends a link, or that lets a tool such as `xdg-open` send it.
struct Caller {
  /// They send the links of the program that started them; the kernel cuts their names.
  private static let tools: Set = [
    "scenectl", "xdg-open", "gio", "gio-launch-desk", "gvfs-open", "kde-open", "kde-open5", "kde-open6",
    "kioclient", "kioclient5", "exo-open", "env",
  ]
  private static let shells: Set = ["sh", "dash", "bash", "busybox"]
  /// Among the parents of a process, in a row.
  private static let mostTools = 16

  private(set) var processID: Int32
  private(set) var name: String?
  private(set) var unit: SendingUnit

  /// The process itself, or the first of its parents that is no tool.
  ///
  /// If the parents end with the system's or the user's manager, or in another unit than that of an application, the
  /// last tool counts.
  init(of processID: Int32) {
    self.init(reading: processID)
    for _ in 0..<Self.mostTools where isTool {
      guard let parent = RunningProcess.parent(of: self.processID), parent > 1, parent != getpid() else {
        return
      }
      let caller = Caller(reading: parent)
      guard let name = caller.name, name != "systemd", unit == .other || unit == caller.unit else { return }
      self = caller
    }
  }

  private init(reading processID: Int32) {
    let process = RunningProcess(reading: processID)
    self.processID = processID
    name = process.name
    unit = process.controlGroups.map { SendingUnit(ofControlGroups: $0) } ?? .other
  }

  private var isTool: Bool {
    guard let name else { return false }
    if Self.tools.contains(name) { return true }
    guard Self.shells.contains(name) else { return false }
    // A shell that runs a tool, as in `sh /usr/bin/xdg-open URL` or `sh -c 'xdg-open URL'`.
    let words = RunningProcess.arguments(of: processID).dropFirst().drop { $0.hasPrefix("-") }
    let command = words.first?.split(separator: " ").first?.split(separator: "/").last
    return command.map { Self.tools.contains(String($0)) } ?? false
  }
}
