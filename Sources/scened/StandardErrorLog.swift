import Glibc
import Logging

/// Writes log messages to standard error, one a line.
///
/// Under systemd, which sets `$JOURNAL_STREAM`, each starts with its priority in the form of sd-daemon(3).
struct StandardErrorLog: LogHandler {
  private let showsPriority: Bool
  var logLevel: Logger.Level
  var metadata: Logger.Metadata = [:]

  init(level: Logger.Level) {
    showsPriority = unsafe getenv("JOURNAL_STREAM") != nil
    logLevel = level
  }

  subscript(metadataKey key: String) -> Logger.MetadataValue? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) {
    let prefix = showsPriority ? "<\(event.level.priority)>" : "scened: "
    // A line break in a message would start a message of its own.
    let text = "\(event.message)".split(whereSeparator: \.isNewline).joined(separator: " ")
    var line = prefix + text + "\n"
    line.withUTF8 { line in
      // There is nobody to tell if standard error is gone.
      _ = unsafe write(STDERR_FILENO, line.baseAddress, line.count)
    }
  }
}

extension Logger.Level {
  /// The priority of syslog(3).
  fileprivate var priority: Int {
    switch self {
    case .trace, .debug: 7
    case .info: 6
    case .notice: 5
    case .warning: 4
    case .error: 3
    case .critical: 2
    }
  }
}
