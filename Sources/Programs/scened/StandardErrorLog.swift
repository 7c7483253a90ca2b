import CSystemd
import Glibc
import Logging

/// Writes one message a line.
///
/// In the journal, each line starts with its priority in the form of sd-daemon(3), and messages with metadata go over
/// the journal's own socket, as fields whose names begin with `SCENED_`.
struct StandardErrorLog: LogHandler {
  private let showsPriority: Bool
  var logLevel: Logger.Level
  var metadata: Logger.Metadata = [:]

  init(level: Logger.Level) {
    showsPriority = Self.leadsToJournal
    logLevel = level
  }

  /// Whether standard error is the stream in `$JOURNAL_STREAM`, which a process inherits even with another one
  /// (systemd.exec(5)).
  private static var leadsToJournal: Bool {
    var status = stat()
    guard let stream = unsafe getenv("JOURNAL_STREAM"), unsafe fstat(STDERR_FILENO, &status) == 0 else {
      return false
    }
    return unsafe String(cString: stream) == "\(status.st_dev):\(status.st_ino)"
  }

  subscript(metadataKey key: String) -> Logger.MetadataValue? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) {
    if showsPriority, let metadata = event.metadata, sendToJournal(event, metadata) { return }
    let prefix = showsPriority ? "<\(event.level.priority)>" : "scened: "
    // A line break would start another message.
    let text = "\(event.message)".split(whereSeparator: \.isNewline).joined(separator: " ")
    var line = prefix + text + "\n"
    line.withUTF8 { line in
      // There is no place to report a failure.
      _ = unsafe write(STDERR_FILENO, line.baseAddress, line.count)
    }
  }
}

extension StandardErrorLog {
  /// Returns whether the journal took the message.
  private func sendToJournal(_ event: LogEvent, _ metadata: Logger.Metadata) -> Bool {
    let fields =
      ["MESSAGE=\(event.message)", "PRIORITY=\(event.level.priority)", "SYSLOG_IDENTIFIER=scened"]
      + metadata.map { "SCENED_\($0.uppercased())=\($1)" }
    // A NUL would end the field.
    let bytes = fields.flatMap { $0.utf8.map { CChar(bitPattern: $0 == 0 ? 0x20 : $0) } + [0] }
    return unsafe scened_journal_send(bytes, bytes.count) == 0
  }
}

extension Logger.Level {
  /// Of syslog(3).
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
