import Logging
import Synchronization

/// A log that keeps its messages for the test.
final class RecordedLog: Sendable {
  private let recorded = Mutex<[String]>([])

  /// The messages so far, including debugging messages.
  var messages: [String] { recorded.withLock { $0 } }

  /// A logger that writes to this log.
  var logger: Logger {
    Logger(label: "recorded") { _ in Handler(log: self) }
  }

  private struct Handler: LogHandler {
    let log: RecordedLog
    var logLevel = Logger.Level.trace
    var metadata: Logger.Metadata = [:]

    subscript(metadataKey key: String) -> Logger.MetadataValue? {
      get { metadata[key] }
      set { metadata[key] = newValue }
    }

    func log(event: LogEvent) { log.recorded.withLock { $0.append("\(event.message)") } }
  }
}
