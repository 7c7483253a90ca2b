import SceneClient

/// An application that an adapter declares for its program.
///
/// If the program asks for another declaration, the adapter declares the application anew.
@MainActor final class AdapterDeclaration: Convergent {
  struct State: Sendable, Equatable {
    var scenes: [SceneDeclaration]
    var claims: Claims?
    var isSingleScene: Bool
  }

  let adapter: Adapter
  var work: Task<Void, Never>?
  var isUpToDate = true
  private let id: String
  private var wanted: State
  private var known: State?
  private var application: DeclaredApplication?
  private var reader: Task<Void, Never>?

  init(_ id: String, _ state: State, of adapter: Adapter) {
    (self.id, self.adapter, wanted) = (id, adapter, state)
    converge()
  }

  func bring(to state: State) {
    wanted = state
    converge()
  }

  func end() {
    work?.cancel()
    reader?.cancel()
    application = nil
  }

  func sendState(over router: RouterConnection) async throws(RouterError) {
    let state = wanted
    if state == known { return }
    reader?.cancel()
    application?.close()
    (application, known) = (nil, nil)
    let declared = try await declare(state, over: router)
    (application, known) = (declared, state)
    reader = Task { await read(declared) }
  }

  func report(_ error: RouterError) { adapter.write(.error(AdapterError(.declare, error.description))) }

  /// Tries again while the router still has an earlier declaration, of this adapter or of one that has just ended.
  private func declare(
    _ state: State,
    over router: RouterConnection
  ) async throws(RouterError) -> DeclaredApplication {
    var tries = 100
    while true {
      do throws(RouterError) {
        return try await router.declareApplication(
          id,
          scenes: state.scenes,
          claims: state.claims,
          isSingleScene: state.isSingleScene
        )
      } catch {
        tries -= 1
        guard case .applicationAlreadyDeclared = error.code, tries > 0 else { throw error }
        try? await Task.sleep(for: .milliseconds(50))
      }
    }
  }

  private func read(_ application: DeclaredApplication) async {
    var reason = "the router has ended the declaration"
    do throws(RouterError) {
      for try await message in application.messages {
        switch message {
        case .openRequest(let request): adapter.request(request)
        case .withdrawn(let withdrawal): adapter.withdraw(withdrawal)
        case .closed(let why): reason = why.rawValue
        }
      }
    } catch {
      reason = error.description
    }
    guard !Task.isCancelled, self.application === application else { return }
    (self.application, known) = (nil, nil)
    adapter.write(.error(AdapterError(.declare, "The declaration of '\(id)' has ended: \(reason)")))
  }
}
