import SceneClient

/// A scene or a declaration that an adapter keeps in the newest state its program has asked for.
///
/// Of several states that the program asks for during one call, only the newest is sent.
@MainActor protocol Convergent: AnyObject {
  /// Strong, because calls may still be under way when ``Adapter/run()`` has returned.
  var adapter: Adapter { get }
  var work: Task<Void, Never>? { get set }
  var isUpToDate: Bool { get set }

  func sendState(over router: RouterConnection) async throws(RouterError)

  /// Tells the program that the router has refused the state.
  ///
  /// No further call is made until the program asks again, which it has done already if ``isUpToDate`` is false.
  func report(_ error: RouterError)
}

extension Convergent {
  /// Tries again while no router answers.
  func converge() {
    isUpToDate = false
    guard work == nil else { return }
    work = Task {
      let router = await adapter.router
      while !isUpToDate {
        isUpToDate = true
        do throws(RouterError) {
          try await sendState(over: router)
        } catch {
          if Task.isCancelled { break }
          guard error.isAbsence else {
            report(error)
            continue
          }
          isUpToDate = false
          // Without a router, an answer counts at once, and SceneClient tells the next router.
          adapter.sendAnswers()
          try? await Task.sleep(for: Adapter.timeToRetry)
        }
      }
      work = nil
      adapter.sendAnswersBehindScenes()
    }
  }
}
