import Testing
import VarlinkClient

@Suite(.timeLimit(.minutes(20)))
struct TimeLimitTests {
  /// Returns or throws `outcome` when the limit has passed.
  private func end(
    after limit: Duration,
    with outcome: Result<Int, VarlinkClientError>
  ) async throws(VarlinkClientError) -> Int {
    try await within(limit) { () async throws(VarlinkClientError) in
      let (cancelled, continuation) = AsyncStream.makeStream(of: Void.self)
      await withTaskCancellationHandler {
        // A cancelled task gets no elements from a stream, so another task waits for the end of the stream.
        await Task { for await _ in cancelled {} }.value
      } onCancel: {
        continuation.finish()
      }
      return try outcome.get()
    }
  }

  /// An answer counts even after the limit, because the service may have sent the answer in time.
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

  @Test(arguments: [Duration.zero, .seconds(-1), .nanoseconds(1), .milliseconds(1)])
  func whatIsCancelledByTheLimitHasNoAnswer(limit: Duration) async throws {
    await #expect(throws: VarlinkClientError.noAnswer(within: limit)) {
      _ = try await end(after: limit, with: .failure(.cancelled))
    }
  }

  @Test(arguments: [Duration.seconds(3600), .seconds(1 << 40), .seconds(Int64.max)])
  func longLimitDoesNotPass(limit: Duration) async throws {
    let isCancelled = try await within(limit) { () async throws(VarlinkClientError) in
      // A second limit begins later and passes.
      _ = try await end(after: .milliseconds(1), with: .success(1))
      return Task.isCancelled
    }
    #expect(!isCancelled)
  }
}
