import SceneClient

/// A scene or a declaration, kept in the state that the program has said last.
///
/// Calls tell the router this state. If the program says several states while a call is under way, only the last one is
/// sent to the router, so that calls are few.
@MainActor protocol Convergent: AnyObject {
  /// A strong reference, because calls may still be under way when ``Adapter/run()`` has returned.
  var adapter: Adapter { get }
  /// The calls under way; nil if there are none.
  var work: Task<Void, Never>? { get set }
  /// Whether the program has said nothing since the last calls began.
  var isSaid: Bool { get set }

  /// Makes the calls that tell the router the last state.
  func say(over router: RouterConnection) async throws(RouterError)

  /// Tells the program that the router has refused the state.
  ///
  /// No further call is made until the program says something again.
  func report(_ error: RouterError)
}

extension Convergent {
  /// Makes calls until the router knows the last state; while no router is there, tries again.
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
