import SceneClient

/// A scene or a declaration that an adapter keeps in the newest state its program has asked for.
///
/// The adapter makes calls to tell the router this state. If the program asks for several states during one call, the
/// adapter sends only the newest of them, so that calls are few.
@MainActor protocol Convergent: AnyObject {
  /// A strong reference, because calls may still be under way when ``Adapter/run()`` has returned.
  var adapter: Adapter { get }
  /// The task that makes calls to the router; nil if no call is under way.
  var work: Task<Void, Never>? { get set }
  /// False while the newest state still has to be sent to the router.
  var isSaid: Bool { get set }

  /// Makes the calls that tell the router the newest state.
  func say(over router: RouterConnection) async throws(RouterError)

  /// Tells the program that the router has refused the state.
  ///
  /// No further call is made until the program asks for something again, even for the same state. It has done so
  /// already if ``isSaid`` is false.
  func report(_ error: RouterError)
}

extension Convergent {
  /// Makes calls until the router knows the newest state; tries again while no router answers.
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
