import Foundation
import RouterInterface
import TestSupport
import Testing
import Varlink

@testable import SceneServer

/// Tests of the history files, which outlive the service.
@Suite(.blocking) final class LastingHistoryTests {
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  private var state: String { directory.appending("state") }
  private var file: String { state + "/history" }
  private var oldFile: String { state + "/history.old" }

  // MARK: Restarts

  @Test func recordsOutliveTheService() throws {
    var router = try RouterUnderTest(history: .short, in: state)
    try sendDeclinedEvent(to: router, eventID: "mine")
    _ = try router.failure(of: Wire.SendEventCall.url("test:nowhere?a=b"))
    let records = try router.call(Wire.ListRecordsCall()).records
    #expect(records.count == 2)
    for _ in 1...2 {
      router = try restarted(router)
      #expect(try router.call(Wire.ListRecordsCall()).records == records)
    }
    let first = records[1]
    #expect(try router.call(Wire.ListRecordsCall(decisionID: first.decisionID)).records == [first])
    #expect(try router.call(Wire.ListRecordsCall(eventID: "mine")).records == [first])
    #expect(
      try router.call(Wire.ListRecordsCall(decisionID: first.decisionID, eventID: "other")).records == []
    )
    _ = try router.failure(of: Wire.SendEventCall.url("test:later"))
    #expect(try router.call(Wire.ListRecordsCall(limit: 2)).records[1] == records[0])
    #expect(try texts(in: router) == ["test:later", "test:nowhere", "test:one"])
    router = try restarted(router)
    #expect(try texts(in: router) == ["test:later", "test:nowhere", "test:one"])
    let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int
    #expect(mode == 0o600)
  }

  @Test func recordsOutliveAKilledDaemon() throws {
    let environment = ["RUNTIME_DIRECTORY": state]
    let path = directory.appending("router")
    for run in 1...3 {
      let daemon = try SpawnedProgram("scened", ["--socket", path], environment: environment)
      try daemon.errorLine(containing: "Ready.")
      let client = try WireClient(path: path)
      let records = try client.call(Wire.ListRecordsCall()).records
      #expect(records.map(\.eventID) == (1..<run).reversed().map { "run \($0)" })
      let event = Event(.url("test:\(run)"))
      _ = try client.failure(of: Wire.SendEventCall(event: event, eventID: "run \(run)"))
      try wait { try lines(of: file).count == run }
      daemon.send(signal: SIGKILL)
      #expect(try daemon.waitForEnd() == .signal(SIGKILL))
    }
  }

  /// Records of one run of the service are ordered by the number in their id, because the clock may be set back.
  @Test func recordsOfEarlierRunsAreInTheOrderOfTheirRouting() throws {
    let ids = ["dbbbb-2", "dbbbb-10", "dbbbb-1", "daaaa-3", "daaaa-1", "strange"]
    try write(ids.enumerated().map { line($1, routedUSec: Int64(1000 - $0)) }.joined())
    let router = try RouterUnderTest(history: .short, in: state)
    let listed = try router.call(Wire.ListRecordsCall()).records.map(\.decisionID)
    #expect(listed == ["strange", "daaaa-3", "daaaa-1", "dbbbb-10", "dbbbb-2", "dbbbb-1"])
  }

  @Test func manyEventsOfASecondAreAllWritten() throws {
    var router = try RouterUnderTest(history: .short, in: state)
    for number in 1...1000 { _ = try router.failure(of: Wire.SendEventCall.url("test:\(number)")) }
    router = try restarted(router)
    #expect(try router.call(Wire.ListRecordsCall(limit: 2000)).records.count == 1000)
  }

  // MARK: What is kept

  @Test func clearedRecordsAreGoneFromTheFiles() throws {
    try write(line("daaaa-1"), to: oldFile)
    var router = try RouterUnderTest(history: .short, in: state)
    // The record of the first event is written at once; that of the other one waits.
    for url in ["test:one", "test:waiting"] { _ = try router.failure(of: Wire.SendEventCall.url(url)) }
    try router.call(Wire.ClearRecordsCall())
    #expect(try lines(of: file) == [])
    #expect(!FileManager.default.fileExists(atPath: oldFile))
    _ = try router.failure(of: Wire.SendEventCall.url("test:two"))
    router = try restarted(router)
    #expect(try texts(in: router) == ["test:two"])
  }

  @Test func aForgottenRecordIsGoneFromTheFiles() throws {
    try write(line("daaaa-1") + line("daaaa-2") + line("daaaa-3"), to: oldFile)
    var router = try RouterUnderTest(history: .short, in: state)
    // The records of the first two are written at once, one after the other; that of the last waits.
    for url in ["test:one", "test:two"] { _ = try router.failure(of: Wire.SendEventCall.url(url)) }
    router = try restarted(router)
    _ = try router.failure(of: Wire.SendEventCall.url("test:three"))
    _ = try router.failure(of: Wire.SendEventCall.url("test:waiting"))
    let ids = try router.call(Wire.ListRecordsCall()).records.map(\.decisionID)
    try #require(ids.count == 7 && ids[5] == "daaaa-2")
    for id in [ids[0], ids[2], ids[5], "daaaa", "nonsense", ""] {
      try router.call(Wire.ClearRecordsCall(decisionID: id))
    }
    let left = [ids[1], ids[3], ids[4], ids[6]]
    for _ in 1...2 {
      #expect(try router.call(Wire.ListRecordsCall()).records.map(\.decisionID) == left)
      let kept = try [file, oldFile].map { try String(contentsOfFile: $0, encoding: .utf8) }.joined()
      #expect(!kept.contains("test:two") && !kept.contains("daaaa-2") && kept.contains("test:one"))
      router = try restarted(router)
    }
  }

  @Test func withoutAHistoryThereAreNoFiles() throws {
    for file in [file, oldFile] { try write(line("daaaa-1"), to: file) }
    let router = try RouterUnderTest(history: .off, in: state)
    _ = try router.failure(of: Wire.SendEventCall.url("test:one"))
    #expect(try router.call(Wire.ListRecordsCall()).records == [])
    #expect(try FileManager.default.contentsOfDirectory(atPath: state) == ["open"])
  }

  @Test func shortHistoryShowsNoMoreOfEarlierRuns() throws {
    var router: RouterUnderTest? = try RouterUnderTest(history: .full, in: state)
    _ = try router?.failure(of: Wire.SendEventCall.url("https://user:pw@example.org/a?b=c#d"))
    router = nil
    for (detail, text) in [
      (HistoryDetail.short, "https://example.org/a"), (.full, "https://user:pw@example.org/a?b=c#d"),
    ] {
      let router = try RouterUnderTest(history: detail, in: state)
      #expect(try texts(in: router) == [text])
    }
  }

  @Test func filesAreBounded() throws {
    let text = String(repeating: "x", count: 900)
    // Nearly as many bytes as a file may have.
    try write((1...8500).map { line("daaaa-\($0)", #","comparisonString":"\#(text)""#) }.joined())
    let router = try RouterUnderTest(history: .short, in: state)
    for number in 1...1500 {
      try router.calls().send(Wire.SendEventCall.url("test:\(number)-\(text)"), .oneway)
    }
    let last = try router.call(Wire.ListRecordsCall(limit: 1)).records.first?.comparisonString
    #expect(last?.hasPrefix("test:1500-") == true)
    let again = try restarted(router)
    let names = try texts(in: again, 300).map { $0?.prefix { $0 != "-" } }
    #expect(names == (1201...1500).reversed().map { "test:\($0)" })
    for file in [file, oldFile] {
      let size = try #require(try FileManager.default.attributesOfItem(atPath: file)[.size] as? Int)
      #expect(size <= EventHistory.mostBytes && size > EventHistory.mostBytes / 8)
    }
  }

  /// The first lines are as many bytes, or as many records, as a file may have.
  @Test(arguments: [(EventHistory.mostBytes, 1), (1, EventHistory.mostRecords)])
  func fullFileBecomesTheOldOne(bytes: Int, records: Int) throws {
    var files = try RecordFiles(in: state)
    try files.append([UInt8](repeating: UInt8(ascii: "x"), count: bytes), count: records)
    #expect(!FileManager.default.fileExists(atPath: oldFile))
    try files.append([UInt8(ascii: "y")], count: 1)
    let sizes = try [oldFile, file].map { try Data(contentsOf: URL(filePath: $0)).count }
    #expect(sizes == [bytes, 1])
  }

  // MARK: Files that cannot be used

  /// A write may be interrupted after any byte.
  @Test func fileThatEndsAnywhereHasTheRecordsBefore() throws {
    let lines = ["daaaa-1", "daaaa-2"].map { line($0) }
    let text = lines.joined()
    for length in 0...text.utf8.count {
      try write(String(text.prefix(length)))
      var faults = 0
      var files = try RecordFiles(in: state)
      let ids = try files.read { _ in faults += 1 }.map(\.record.decisionID)
      let whole = length == text.utf8.count ? 2 : length >= lines[0].utf8.count ? 1 : 0
      #expect(ids == Array(["daaaa-1", "daaaa-2"].prefix(whole)))
      #expect(faults == 0)
      try files.append(Array(line("dbbbb-1").utf8), count: 1)
      #expect(try self.lines(of: file).map { $0 + "\n" } == lines.prefix(whole) + [line("dbbbb-1")])
    }
  }

  /// Shell commands that replace the history file `$0` or its directory, and the line that the service then logs.
  @Test(arguments: [
    ("echo nonsense > $0", "'FILE' is not read any further than byte 0, which begins no record."),
    ("printf '{}\\n' > $0", "'FILE' is not read any further than byte 0, which begins no record."),
    (
      "head -c 100000 /dev/urandom > $0; echo >> $0",
      "'FILE' is not read any further than byte 0, which begins no record."
    ),
    ("head -c 20000000 /dev/zero > $0", "'FILE' is longer than this program makes it, and is not read."),
    ("ln -s /etc/passwd $0", "'FILE' is a symbolic link, and is not used."),
    ("ln -s nowhere $0", "'FILE' is a symbolic link, and is not used."),
    ("mkfifo $0", "'FILE' is not a regular file, and is not used."),
    ("mkdir $0", "The call open failed for 'FILE': Is a directory."),
    ("rmdir $(dirname $0); touch $(dirname $0)", "The call open failed for 'FILE': Not a directory."),
  ])
  func fileThatIsNoHistoryIsReportedOnceAndLeft(_ command: String, _ message: String) throws {
    try make(command)
    try expectMessage(message.replacing("FILE", with: file))
  }

  @Test func oldFileThatIsNoHistoryIsReportedOnceAndLeft() throws {
    try make("ln -s /etc/passwd $0.old")
    try expectMessage("'\(oldFile)' is a symbolic link, and is not used.")
  }

  @Test(.enabled(if: geteuid() == 0, "Only root can give files away."))
  func fileOfAnotherUserIsReportedOnceAndLeft() throws {
    try make("printf %s '\(line("daaaa-1"))' > $0; chown 12345 $0")
    try expectMessage("'\(file)' belongs to user 12345, and is not used.")
    #expect(try lines(of: file).count == 1)
  }

  @Test func fileInUseIsReportedAndLeftToItsUser() throws {
    let first = try RouterUnderTest(history: .short, in: state)
    _ = try first.failure(of: Wire.SendEventCall.url("test:first"))
    try expectMessage("'\(file)' is in use by another process.")
    #expect(try texts(in: restarted(first)) == ["test:first"])
  }

  /// A limit on the size of files has the effect of a full disk.
  @Test func fullDiskLosesOnlyTheFile() throws {
    let path = directory.appending("router")
    try FileManager.default.createDirectory(atPath: state, withIntermediateDirectories: true)
    let script = #"trap '' XFSZ; ulimit -f 2; exec "$0" "$@""#
    let scened = SpawnedProgram.buildDirectory + "/scened"
    let daemon = try SpawnedProgram(
      "/bin/sh",
      ["-c", script, scened, "--socket", path],
      environment: ["RUNTIME_DIRECTORY": state]
    )
    try daemon.errorLine(containing: "Ready.")
    let client = try WireClient(path: path)
    for number in 1...600 { _ = try client.failure(of: Wire.SendEventCall.url("test:\(number)")) }
    let message = try daemon.errorLine(containing: "memory only")
    #expect(message.contains("The call write failed for '\(file)': File too large."))
    #expect(try client.call(Wire.ListRecordsCall()).records.first?.comparisonString == "test:600")
    daemon.send(signal: SIGTERM)
    #expect(try daemon.waitForEnd() == .exit(0))
    var files = try RecordFiles(in: state)
    let read = try files.read { Issue.record("\($0)") }
    #expect(!read.isEmpty)
  }
}

// MARK: -

extension LastingHistoryTests {
  private func restarted(_ router: RouterUnderTest) throws -> RouterUnderTest {
    router.end()
    return try RouterUnderTest(history: .short, in: state)
  }

  private func texts(in router: RouterUnderTest, _ limit: Int64? = nil) throws -> [String?] {
    try router.call(Wire.ListRecordsCall(limit: limit)).records.map(\.comparisonString)
  }

  private func sendDeclinedEvent(to router: RouterUnderTest, eventID: String) throws {
    let (first, second) = (try router.open(preferring: ["one"]), try router.open())
    let sender = try router.send(Wire.SendEventCall(event: Event(.url("test:one")), eventID: eventID))
    try first.decline(first.delivery(), reason: "busy\n\u{1b}")
    try second.acknowledgeNext()
    _ = try sender.outcome()
  }

  /// Expects that a service logs `message` and works nevertheless.
  private func expectMessage(_ message: String) throws {
    let log = RecordedLog()
    let router = try RouterUnderTest(history: .short, in: state, log: log.logger)
    _ = try router.failure(of: Wire.SendEventCall.url("test:one"))
    #expect(try texts(in: router) == ["test:one"])
    let messages = log.messages.filter { $0.contains("history") }
    #expect(messages.count == 1)
    #expect(messages.first?.hasSuffix(message) == true, "\(messages)")
  }

  private func line(_ id: String, routedUSec: Int64 = 1, _ members: String = "") -> String {
    #"{"decisionId":"\#(id)","routedUSec":\#(routedUSec),"attempts":[]\#(members)}"# + "\n"
  }

  private func write(_ text: String, to file: String? = nil) throws {
    try FileManager.default.createDirectory(atPath: state, withIntermediateDirectories: true)
    try Data(text.utf8).write(to: URL(filePath: file ?? self.file))
  }

  private func make(_ command: String) throws {
    try FileManager.default.createDirectory(atPath: state, withIntermediateDirectories: true)
    #expect(try SpawnedProgram.run("/bin/sh", ["-c", command, file]).ending == .exit(0))
  }

  private func lines(of file: String) throws -> [Substring] {
    String(decoding: try Data(contentsOf: URL(filePath: file)), as: UTF8.self).split(separator: "\n")
  }

  private func wait(until isTrue: () throws -> Bool) throws {
    try Deadline().wait("The records were not written.", until: isTrue)
  }
}
