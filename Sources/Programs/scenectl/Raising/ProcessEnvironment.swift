import Glibc
import Installed

/// The environment with which a process was started.
struct ProcessEnvironment: Sendable {
  private let variables: [String: String]

  static let own = ProcessEnvironment(ofProcess: getpid()) ?? .empty
  static let empty = ProcessEnvironment(variables: [:])

  /// Nil if it is unset or empty.
  subscript(name: String) -> String? { variables[name].flatMap { $0.isEmpty ? nil : $0 } }

  private init(variables: [String: String]) { self.variables = variables }

  /// proc(5), `/proc/PID/environ`; nil if it is unreadable.
  init?(ofProcess process: CInt) {
    guard case .file(let bytes, _) = FileContents.read("/proc/\(process)/environ") else { return nil }
    var variables: [String: String] = [:]
    for entry in bytes.split(separator: 0) {
      guard let end = entry.firstIndex(of: UInt8(ascii: "=")) else { continue }
      variables[String(decoding: entry[..<end], as: UTF8.self)] =
        String(decoding: entry[entry.index(after: end)...], as: UTF8.self)
    }
    self.variables = variables
  }
}
