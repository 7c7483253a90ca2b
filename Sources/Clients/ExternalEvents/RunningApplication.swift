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

  /// Returns when the last window is closed or the task is cancelled; throws when the router has ended.
  func run(opensWindow: Bool, isolation: isolated any Actor) async throws(SceneApplicationError) {
    let requests = Task {
      _ = isolation
      commands.continuation.yield(.end(await answerRequests(isolation: isolation)))
    }
    defer {
      requests.cancel()
      for window in windows { window.close() }
    }
    if opensWindow, let kind = defaultKind { open(kind, isolation: isolation) }
    for await command in commands.stream {
      switch command {
      case .open(let id, let value): openOrRaise(id, value, isolation: isolation)
      case .close(let id): windows.first { $0.id == id }?.close()
      case .closed(let id):
        windows.removeAll { $0.id == id }
        if windows.isEmpty { return }
      case .end(let error): throw error
      }
    }
  }

  /// The kind of the first window, and of a window for a declaration that the program does not have.
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
    let kind = kinds.first { kind in
      (id == nil || kind.declaration.id == id) && value.map { kind.isFor($0) } ?? true
    }
    guard let kind else { return report(.noSuchWindow(id, value, among: kinds.map(\.declaration.id))) }
    let open = windows.first { window in
      window.kind.declaration.id == kind.declaration.id
        && value.map { window.value.isEqual(to: $0) } ?? kind.declaration.isSingleton
    }
    if let open { open.raise() } else { self.open(kind, showing: value, isolation: isolation) }
  }

  private func open(
    _ kind: DeclaredWindow,
    showing value: (any Hashable & Sendable)? = nil,
    answering request: OpenRequest? = nil,
    isolation: isolated any Actor
  ) {
    lastID += 1
    let id = lastID
    let window = OpenWindow(id, kind, showing: value, commands: commands.continuation, report: report)
    windows.append(window)
    window.task = Task {
      _ = isolation
      var request = request
      do throws(RouterError) {
        let scene = try await window.open(in: application.id, of: router, answering: request)
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
