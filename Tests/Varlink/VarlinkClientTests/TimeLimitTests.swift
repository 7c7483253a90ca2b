import Testing
import VarlinkClient

@Suite(.timeLimit(.minutes(20)))
struct TimeLimitTests {
  /// Ends when the limit has passed, in the way that `body` chooses.
  private func end(
    after limit: Duration,
    with outcome: Result<Int, VarlinkClientError>
  ) async throws(VarlinkClientError) -> Int {
    try await within(limit) { () async throws(VarlinkClientError) in
      let (cancelled, continuation) = AsyncStream.makeStream(of: Void.self)
      await withTaskCancellationHandler {
        // A task that is cancelled gets nothing of a stream; another one waits for it.
        await Task { for await _ in cancelled {} }.value
      } onCancel: {
        continuation.finish()
      }
      return try outcome.get()
    }
  }

  /// What a service has answered in time may reach its task later.
  @Test(arguments: [.success(1), .failure(.callTooLong(1))] as [Result<Int, VarlinkClientError>])
  func answerCountsThoughTheLimitHasPassed(outcome: Result<Int, VarlinkClientError>) async throws {
    let result: Result<Int, VarlinkClientError>
    do throws(VarlinkClientError) {
      result = .success(try await end(after: .milliseconds(1), with: outcome))
    } catch {
      result = .failure(error)
    }
    #expect(result == outcome)
  }

  @Test func whatIsCancelledByTheLimitHasNoAnswer() async throws {
    await #expect(throws: VarlinkClientError.noAnswer(within: .milliseconds(1))) {
      _ = try await end(after: .milliseconds(1), with: .failure(.cancelled))
    }
  }
}
