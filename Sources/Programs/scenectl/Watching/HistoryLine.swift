import SceneClient

/// An event in one line: `02:11 example.org/c → Chromium "Wiki Team" (shows it)`.
struct HistoryLine {
  private static let shortestLink = 24
  private static let shortestTitle = 12

  private let time: String
  private let link: String
  /// Between the link and the title.
  private let target: String
  private let title: String?
  private let end: String
  private let style: Terminal.Style?

  init(_ record: EventRecord, _ names: KnownNames) {
    let clock = record.routed.timeOfDay.prefix(5)
    let date = record.routed.localDate
    time = (date == Host.now.localDate ? "" : date + " ") + clock
    link = record.subject.withoutUsualBeginning
    let last = record.attempts.last
    let name = last?.applicationID.map { names.application($0).printable } ?? ""
    let failed = record.attempts.dropLast().map { attempt in
      "\(names.application(attempt.applicationID).printable) \(attempt.failure)"
    }
    var notes: [String] = []
    var words = ""
    style = record.settled == nil ? nil : record.isTaken ? .good : .bad
    if record.isNotRouted {
      (target, title) = ("nowhere", nil)
      notes = ["no window and no application takes it"]
    } else if let last, last.isQuestion {
      (target, title) = ("you were asked", nil)
    } else {
      (target, title) = (name, last?.sceneID.flatMap(names.title)?.printable)
      if record.settled == nil {
        words = name.isEmpty ? "under way" : ": under way"
      } else if let last, !record.isTaken {
        words = ": " + last.failure
      } else if let last {
        notes = [ChosenTarget(last, of: record).brief].compactMap(\.self)
      }
    }
    notes += failed
    end = words + (notes.isEmpty ? "" : " (\(notes.joined(separator: "; ")))")
  }

  /// Where the event went and why, such as `Chromium "Wiki Team" (shows it)`.
  var outcome: String { target + (title.map { " \"\($0)\"" } ?? "") + end }

  /// Cuts first the link, then the title, then the end to fit the columns.
  func text(columns: Int?) -> String {
    var (link, title) = (link, title.map { " \"\($0)\"" } ?? "")
    var room = (columns ?? .max) - time.columns - target.columns - end.columns - " ".count - " → ".count
    room -= title.columns
    if let columns, link.columns > room {
      // A narrow terminal shows at least the first characters of the target.
      let least = max(8, min(Self.shortestLink, columns - time.columns - 12))
      link = link.cut(to: max(room, min(link.columns, least)))
      let rest = room - link.columns
      if rest < 0, !title.isEmpty {
        title =
          String(title.dropLast()).cut(
            to: max(title.columns + rest, min(title.columns, Self.shortestTitle)) - 1
          ) + "\""
      }
    }
    let start = "\(time) \(link) → "
    let whole = target + title + end
    let shown = columns.map { whole.cut(to: max(1, $0 - start.columns)) } ?? whole
    return Terminal.styled(time, .quiet) + " \(link) → " + (style.map { Terminal.styled(shown, $0) } ?? shown)
  }
}

extension EventRecord.Attempt {
  /// A verb and no subject.
  fileprivate var failure: String {
    let end =
      switch result {
      case .declined?: "declined it"
      case .timeout?: "did not answer in time"
      case .sceneClosed?: "was closed before it answered"
      case .launchFailed?: "opened no window"
      case .shutdown?: "was not asked to the end, because scened stopped"
      default: "did not take it"
      }
    return (end + (reason.map { " (\($0))" } ?? "")).printable
  }
}
