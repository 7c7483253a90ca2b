/// Runs `body`, and cancels it when it has taken as long as `limit`; nil is no limit.
///
/// - Returns: what `body` returns.
/// - Throws: what `body` throws; `noAnswer` after the limit.
package func within<Value: Sendable>(
  _ limit: Duration?,
  _ body: @escaping @Sendable () async throws(VarlinkClientError) -> Value
) async throws(VarlinkClientError) -> Value {
  guard let limit else { return try await body() }
  let result = await withTaskGroup(of: Result<Value, VarlinkClientError>.self) { group in
    group.addTask {
      do throws(VarlinkClientError) {
        return .success(try await body())
      } catch {
        return .failure(error)
      }
    }
    group.addTask {
      let hasPassed = (try? await Task.sleep(for: limit)) != nil
      return .failure(hasPassed ? .noAnswer(within: limit) : .cancelled)
    }
    defer { group.cancelAll() }
    return await group.next() ?? .failure(.cancelled)
  }
  return try result.get()
}
