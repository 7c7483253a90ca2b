import TestSupport
import Testing

@Suite(.blocking) struct SystemCallBudgetTests {
  private let daemon: MeasuredDaemon

  init() throws { daemon = try MeasuredDaemon() }

  @Test(arguments: Budget.systemCalls)
  func exchangeStaysWithin(_ exchange: Exchange, _ budget: Budget.SystemCalls) throws {
    let exchanges = try calls(inEach: 300, of: exchange.method) { try daemon.play(exchange) }
    let undisturbed = Budget.undisturbed(exchanges.map(\.count))
    #expect(undisturbed <= budget.all, "\(exchanges.first { $0.count == undisturbed } ?? [])")
    #expect(exchanges.first { Self.receives(in: $0) != budget.receives } == nil)
    #expect(exchanges.first { Self.sends(in: $0) != budget.sends } == nil)
  }

  @Test func eventsPlayedAtOnce() throws {
    let batches = try calls(inEach: 10, of: Exchange.deliveredEvent.method) {
      try daemon.playEvents(MeasuredDaemon.batchSize)
    }
    let sends = batches.map(Self.sends)
    #expect(try #require(sends.min()) <= Budget.sendsOfBatch, "\(sends)")
  }

  /// The daemon reads two files about a sender, only at the sender's first event.
  @Test(arguments: [1, 3])
  func senderIsReadOncePerConnection(_ events: Int) throws {
    let sequences = try calls(inEach: 10, of: Exchange.deliveredEvent.method) {
      try daemon.playEvents(events, from: daemon.connect())
    }
    #expect(sequences.map { $0.count { $0 == "openat" } } == Array(repeating: 2, count: 10))
  }

  private static func receives(in calls: [Substring]) -> Int {
    calls.count { ["recvfrom", "recvmsg"].contains($0) }
  }

  private static func sends(in calls: [Substring]) -> Int {
    calls.count { ["sendto", "sendmsg"].contains($0) }
  }

  /// Returns the names of the daemon's system calls for each of `count` repetitions of `load`.
  ///
  /// `load` sends all its calls of `method` with one write. A repetition lasts from the receipt of one write to the
  /// receipt of the next write.
  private func calls(inEach count: Int, of method: String, _ load: () throws -> Void) throws -> [[Substring]]
  {
    let trace = try trace()
    for _ in 0...count { try load() }
    var repetitions: [[Substring]] = [[]]
    for line in try trace.end() {
      // Skips the second line of a call that was interrupted by another thread.
      if let call = line.prefixMatch(of: /\d+ +(\w+)\(/) {
        repetitions[repetitions.count - 1].append(call.output.1)
      }
      if line.contains(method) { repetitions.append([]) }
    }
    // The first and the last entry hold the calls before and after the repetitions.
    try #require(repetitions.count == count + 2)
    return Array(repetitions.dropFirst().dropLast())
  }

  private func trace() throws -> SystemCallTrace {
    let strace = try TestEnvironment.run("get-strace")
    do {
      return try SystemCallTrace(of: daemon.program.processID, by: strace, options: ["-s", "64"])
    } catch let error as Overdue where error.description.contains("Operation not permitted") {
      try Test.cancel("\(error)")
    }
  }
}
