import TestSupport
import Testing

@Suite(.blocking) struct AllocationBudgetTests {
  private let counter: AllocationCounter

  init() throws { counter = try AllocationCounter() }

  @Test(arguments: Budget.allocations) func exchangeStaysWithin(_ exchange: Exchange, _ budget: Int) throws {
    let daemon = try MeasuredDaemon(environment: counter.environment)
    var counts: [Int] = []
    var count = 0
    for _ in 0..<1100 {
      let before = count
      try daemon.play(exchange)
      count = try counter.countAtRest(of: daemon.program.processID)
      counts.append(count - before)
    }
    let undisturbed = Budget.undisturbed(counts.dropFirst(100))
    #expect(undisturbed <= budget)
  }

  @Test(arguments: [0, 1, 1000]) func allocationsMadeOnPurposeAreCounted(_ times: Int) throws {
    let (start, all) = (try AllocationCounter(), counter)
    for (counter, times) in [(start, 0), (all, times)] {
      let program = try SpawnedProgram.run(
        "AllocateMemory",
        ["\(times)"],
        environment: counter.environment
      )
      #expect(program == (.exit(0), "", ""))
    }
    #expect(try all.count - start.count == 5 * times)
  }
}
