import SceneClient

/// A scene or a declaration that an adapter keeps in the newest state its program has asked for.
///
/// Of several states that the program asks for during one call, only the newest is sent.
@MainActor protocol Convergent: AnyObject {
  /// Strong, because calls may still be under way when ``Adapter/run()`` has returned.
  var adapter: Adapter { get }
  var work: Task<Void, Never>? { get set }
  /// False while the newest state still has to be sent.
  var isSaid: Bool { get set }

  func say(over router: RouterConnection) async throws(RouterError)

  /// Tells the program that the router has refused the state.
  ///
  /// No further call is made until the program asks again, which it has done already if ``isSaid`` is false.
  func report(_ error: RouterError)
}

extension Convergent {
  /// Tries again while no router answers.
  func converge() {
    isSaid = false
    guard work == nil else { return }
    work = Task {
      let router = await adapter.router
      while !isSaid {
        isSaid = true
        do throws(RouterError) {
          try await say(over: router)
        } catch {
          if Task.isCancelled { break }
          guard error.isAbsence else {
            report(error)
            continue
          }
          isSaid = false
          try? await Task.sleep(for: Adapter.timeToRetry)
        }
      }
      work = nil
    }
  }
}
