import CSystemd
import Glibc
import Logging

/// Writes log messages to standard error, one a line.
///
/// In the journal each starts with its priority in the form of sd-daemon(3); one with metadata is sent there with these as
/// fields, `SCENED_` before their names.
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
  /// It may be another one, as processes inherit the variable from a service that started them (systemd.exec(5)).
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
    // A line break in a message would start a message of its own.
    let text = "\(event.message)".split(whereSeparator: \.isNewline).joined(separator: " ")
    var line = prefix + text + "\n"
    line.withUTF8 { line in
      // A failure cannot be reported anywhere.
      _ = unsafe write(STDERR_FILENO, line.baseAddress, line.count)
    }
  }
}

extension StandardErrorLog {
  /// Returns whether it was sent.
  private func sendToJournal(_ event: LogEvent, _ metadata: Logger.Metadata) -> Bool {
    let fields =
      ["MESSAGE=\(event.message)", "PRIORITY=\(event.level.priority)", "SYSLOG_IDENTIFIER=scened"]
      + metadata.map { "SCENED_\($0.uppercased())=\($1)" }
    // A NUL ends a field.
    let bytes = fields.flatMap { $0.utf8.map { CChar(bitPattern: $0 == 0 ? 0x20 : $0) } + [0] }
    return unsafe scened_journal_send(bytes, bytes.count) == 0
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
