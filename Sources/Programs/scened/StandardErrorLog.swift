import CSystemd
import Glibc
import Logging

/// Writes log messages to standard error, one message a line.
///
/// If standard error leads to the journal, each line starts with its priority in the form of sd-daemon(3). In this
/// case, messages with metadata go over the journal's own socket instead. The metadata become fields whose names begin
/// with `SCENED_`.
struct StandardErrorLog: LogHandler {
  private let showsPriority: Bool
  var logLevel: Logger.Level
  var metadata: Logger.Metadata = [:]

  init(level: Logger.Level) {
    showsPriority = Self.leadsToJournal
    logLevel = level
  }

  /// Whether standard error is the stream with the device and inode in `$JOURNAL_STREAM`.
  ///
  /// Standard error can be another stream, because a process inherits the variable from its parent (systemd.exec(5)).
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
    // A line break in a message would start another message.
    let text = "\(event.message)".split(whereSeparator: \.isNewline).joined(separator: " ")
    var line = prefix + text + "\n"
    line.withUTF8 { line in
      // There is no place to report a failure.
      _ = unsafe write(STDERR_FILENO, line.baseAddress, line.count)
    }
  }
}

extension StandardErrorLog {
  /// Sends a message to the journal; returns whether the journal took it.
  private func sendToJournal(_ event: LogEvent, _ metadata: Logger.Metadata) -> Bool {
    let fields =
      ["MESSAGE=\(event.message)", "PRIORITY=\(event.level.priority)", "SYSLOG_IDENTIFIER=scened"]
      + metadata.map { "SCENED_\($0.uppercased())=\($1)" }
    // A space replaces each NUL, which would end the field.
    let bytes = fields.flatMap { $0.utf8.map { CChar(bitPattern: $0 == 0 ? 0x20 : $0) } + [0] }
    return unsafe scened_journal_send(bytes, bytes.count) == 0
  }
}

extension Logger.Level {
  /// The level as a priority of syslog(3).
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
