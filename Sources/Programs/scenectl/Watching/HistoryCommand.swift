import ArgumentParser
import SceneClient

struct HistoryCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "history",
    abstract: "List the last events and their outcomes.",
    discussion: """
      The router remembers the last 10,000 events, also over its restarts, unless its option --history says otherwise. \
      At level info the journal has a line for each event. The events are listed in the order in which they were routed, \
      each in one line: the time, the link, the application and the window that has it, and why. With --json, this \
      outcome is 'sentence', 'application' is the one of the last try with its 'profile' or 'action', and 'isTaken' \
      says whether somebody took the event.
      """
  )

  @OptionGroup var router: RouterOptions
  @OptionGroup var answer: AnswerOptions

  @Option(name: [.customShort("n"), .long], help: "How many events to list, at most.")
  var count = 20

  @Option(help: ArgumentHelp("List only events of this last period: 90s, 10min, 2h, 1d.", valueName: "time"))
  var since: Age?

  @Option(
    help: ArgumentHelp("List only events that were offered to this application.", valueName: "id"),
    completion: .applications,
    transform: applicationID
  )
  var application: String?

  @Flag(help: "List only events that were not taken.")
  var failed = false

  @Flag(help: "Print whole sentences, with the id of each event, its date and each target that was tried.")
  var long = false

  @Flag(help: "List nothing; make the router forget all events.")
  var clear = false

  @Option(
    help: ArgumentHelp(
      "List nothing; make the router forget this event, named as for 'scenectl why'.",
      valueName: "event"
    ),
    completion: .events
  )
  var forget: String?

  func validate() throws {
    if count < 1 { throw ValidationError("--count has to be 1 or more.") }
  }

  func run() async throws {
    let connection = try await router.connect(timeout: answer.timeout)
    if clear { return try await connection.clearRecords() }
    if let forget {
      let record = try await connection.allRecords().record(of: forget)
      return try await connection.clearRecords(decision: record.decisionID)
    }
    let records = try await connection.allRecords(atMost: isFiltered ? 10_000 : min(count, 10_000))
    let listed = records.filter(isAskedFor).inOrder.suffix(count)
    let attempts = listed.flatMap(\.attempts)
    let names = await KnownNames(
      ofScenes: attempts.map(\.sceneID),
      applications: (router.json || !long) && router.host == nil ? attempts.map(\.applicationID) : [],
      connection
    )
    if router.json { return try listed.forEach { try Terminal.showJSON($0.json(names)) } }
    for record in listed {
      try Terminal.show(
        long ? record.sentence(names) : HistoryLine(record, names).text(columns: Terminal.size?.columns)
      )
    }
    if listed.isEmpty {
      try Terminal.show("The router remembers no \(isFiltered ? "such " : "")event.")
    }
  }

  private var isFiltered: Bool { since != nil || application != nil || failed }

  private func isAskedFor(_ record: EventRecord) -> Bool {
    (since.map { record.routed >= Host.now - $0.duration } ?? true)
      && (application.map { id in record.attempts.contains { $0.applicationID == id } } ?? true)
      && (!failed || record.settled != nil && !record.isTaken)
  }
}

/// `90s`, `10min`, `2h` or `1d`.
struct Age: ExpressibleByArgument {
  private static let units = [("min", 60), ("s", 1), ("h", 3600), ("d", 86_400)]

  let duration: Duration

  init?(argument: String) {
    guard let unit = Self.units.first(where: { argument.hasSuffix($0.0) }),
      let number = Int32(argument.dropLast(unit.0.count)), number > 0
    else { return nil }
    duration = .seconds(Int(number) * unit.1)
  }
}

extension RouterConnection {
  /// The newest first, and fewer if they do not fit in a reply; by default, the service remembers 10,000 records.
  func allRecords(atMost count: Int = 10_000) async throws(RouterError) -> [EventRecord] {
    var limit = count
    while true {
      do throws(RouterError) {
        let records = try await records(limit: limit)
        if limit < count, records.count == limit {
          Terminal.showError(
            "Only the last \(limit) events were searched, because more do not fit in a reply."
          )
        }
        return records
      } catch {
        guard case .limitExceeded = error.code, limit > 1 else { throw error }
        limit /= 2
      }
    }
  }
}

extension [EventRecord] {
  /// The times in the records give no order, because the clock may have been set back.
  var inOrder: [EventRecord] { reversed() }
}

extension EventRecord {
  /// With the outcome as one sentence.
  fileprivate func json(_ names: KnownNames) -> String {
    let id = attempts.last?.applicationID
    let made = id.flatMap(MadeEntry.Parts.init)
    let more = JSONLine([
      "application": (made?.application ?? id)?.quoted,
      "profile": made?.profile?.quoted,
      "action": made?.action?.quoted,
      "sentence": HistoryLine(self, names).outcome.quoted,
      "isTaken": isTaken ? "true" : "false",
    ])
    return json.dropLast() + "," + more.text.dropFirst()
  }

  fileprivate func sentence(_ names: KnownNames) -> String {
    let time = Terminal.styled("\(routed.localDate) \(routed.timeOfDay)", .quiet)
    let earlier = attempts.dropLast().map { $0.ending(names) + "; then " }.joined()
    return "\(time) \(decisionID.printable): \(subject): \(earlier)\(outcome(names))"
  }
}
