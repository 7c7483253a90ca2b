import SceneClient
import VarlinkClient

/// Confined to the actor that runs the application.
final class RunningApplication {
  private let application: DeclaredApplication
  private let kinds: [DeclaredWindow]
  private let router: RouterConnection
  private let report: (SceneApplicationError) -> Void
  private let commands = AsyncStream.makeStream(of: WindowCommand.self)
  private var windows: [OpenWindow] = []
  private var lastID = 0
  /// The links of `openURL` that have not been taken and have not failed.
  private var linkCount = 0

  init(
    _ application: DeclaredApplication,
    _ kinds: [DeclaredWindow],
    router: RouterConnection,
    report: @escaping (SceneApplicationError) -> Void
  ) {
    self.application = application
    self.kinds = kinds
    self.router = router
    self.report = report
  }

  /// Returns when the last window is closed and its last link has ended, or when the task is cancelled; throws when the
  /// router has ended.
  func run(opensWindow: Bool, isolation: isolated any Actor) async throws(SceneApplicationError) {
    let requests = Task {
      _ = isolation
      commands.continuation.yield(.end(await answerRequests(isolation: isolation)))
    }
    defer {
      requests.cancel()
      for window in windows { window.close() }
    }
    if opensWindow { for kind in launchKinds { open(kind, isolation: isolation) } }
    for await command in commands.stream {
      switch command {
      case .open(let id, let value): openOrRaise(id, value, isolation: isolation)
      case .dismiss(let id, let value): dismiss(id, value)
      case .close(let id): windows.first { $0.id == id }?.close()
      case .closed(let id): windows.removeAll { $0.id == id }
      case .linkBegan: linkCount += 1
      case .linkEnded(let error):
        linkCount -= 1
        if let error { report(error) }
      case .end(let error): throw error
      }
      // Commands come only from windows, so at least one has been open.
      if windows.isEmpty, linkCount == 0 { return }
    }
  }

  private var launchKinds: [DeclaredWindow] {
    let presented = kinds.filter { $0.launchBehavior == .presented }
    if presented.isEmpty, let kind = defaultKind, kind.launchBehavior == .automatic { return [kind] }
    return presented
  }

  /// The kind of the first window if no modifier says otherwise, and of a window for a declaration that the program does not have.
  private var defaultKind: DeclaredWindow? {
    kinds.first { $0.declaration.kind == .windowGroup && $0.declaration.matching == nil } ?? kinds.first
  }

  /// Returns the reason why no more requests come.
  private func answerRequests(isolation: isolated any Actor) async -> SceneApplicationError {
    do throws(RouterError) {
      for try await request in application.openRequests {
        // The desktop entry can declare kinds that the program does not, such as its main group; the router requests
        // these too.
        let kind = kinds.first { $0.declaration.id == request.declarationID } ?? defaultKind
        if let kind { open(kind, answering: request, isolation: isolation) }
      }
      return .routerHasEnded
    } catch {
      return SceneApplicationError(error)
    }
  }

  private func openOrRaise(
    _ id: String?,
    _ value: (any Hashable & Sendable)?,
    isolation: isolated any Actor
  ) {
    guard let kind = kind(id, for: value) else { return }
    let open = windows.first { window in
      window.kind.declaration.id == kind.declaration.id
        && value.map { window.value.isEqual(to: $0) } ?? kind.declaration.isSingleton
    }
    if let open { open.raise() } else { self.open(kind, showing: value, isolation: isolation) }
  }

  private func dismiss(_ id: String?, _ value: (any Hashable & Sendable)?) {
    guard kind(id, for: value) != nil else { return }
    let wanted = windows.filter { window in
      (id == nil || window.kind.declaration.id == id) && value.map { window.value.isEqual(to: $0) } ?? true
    }
    for window in wanted { window.close() }
  }

  /// The first kind of window for these parameters; reports it if there is none.
  private func kind(_ id: String?, for value: (any Hashable & Sendable)?) -> DeclaredWindow? {
    let kind = kinds.first { kind in
      (id == nil || kind.declaration.id == id) && value.map { kind.isFor($0) } ?? true
    }
    if kind == nil { report(.noSuchWindow(id, value, among: kinds.map(\.declaration.id))) }
    return kind
  }

  private func open(
    _ kind: DeclaredWindow,
    showing value: (any Hashable & Sendable)? = nil,
    answering request: OpenRequest? = nil,
    isolation: isolated any Actor
  ) {
    lastID += 1
    let id = lastID
    let caller = CallingWindow(id, router: router, commands: commands.continuation)
    let window = OpenWindow(caller, kind, showing: value, report: report)
    windows.append(window)
    window.task = Task {
      _ = isolation
      var request = request
      do throws(RouterError) {
        let scene = try await window.open(in: application.id, answering: request)
        request = nil
        let reason = try await withTaskExecutorPreference(MainQueue.executor) {
          () async throws(RouterError) in
          try await window.run(scene, isolation: isolation)
        }
        if reason != .requested {
          commands.continuation.yield(.end(.routerHasEnded))
        }
      } catch {
        await failed(error, request)
      }
      commands.continuation.yield(.closed(window: id))
    }
  }

  private func failed(_ error: RouterError, _ request: OpenRequest?) async {
    switch error.code {
    case .noSuchOpenRequest: break
    case .cancelled:
      // The window was closed here: this task can make no call any more, so a new one declines the request.
      if let request { Task { _ = try? await request.decline(reason: "the window was closed") } }
    case .connectionLost: commands.continuation.yield(.end(SceneApplicationError(error)))
    default:
      report(SceneApplicationError(error))
      _ = try? await request?.decline(reason: error.description)
    }
  }
}

extension DeclaredWindow {
  /// A window without an id gets its place as the id: `window1`, `window2` and so on.
  static func named(_ windows: [DeclaredWindow]) throws(SceneApplicationError) -> [DeclaredWindow] {
    var named = windows
    var ids: Set<String> = []
    for index in named.indices {
      if named[index].declaration.id.isEmpty { named[index].declaration.id = "window\(index + 1)" }
      guard ids.insert(named[index].declaration.id).inserted else {
        throw .duplicate(named[index].declaration.id)
      }
    }
    return named
  }

  func isFor(_ value: any Hashable & Sendable) -> Bool {
    valueType.map { $0 == type(of: value) } ?? false
  }
}
