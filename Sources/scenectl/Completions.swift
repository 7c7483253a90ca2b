import ArgumentParser
import SceneClient

/// What a shell completes, asked of the running router when the user presses Tab.
extension CompletionKind {
  static let scenes = ofRouter { router in try await router.scenes().map(\.id) }

  static let scenesWithActivities = ofRouter { router in try await router.activities().map(\.scene.id) }

  static let applications = ofRouter { router in
    try await router.applications().map(\.id) + router.scenes().map(\.applicationID)
  }

  static let declarations = ofRouter { router in
    try await router.applications().flatMap { $0.scenes.map(\.id) }
  }

  /// What open scenes have registered.
  static let identifiers = ofRouter { router in
    try await router.scenes().flatMap(\.registrations).flatMap { $0.preferring + $0.allowing }
  }

  /// The hosts that applications claim.
  static let hosts = ofRouter { router in try await router.applications().flatMap { $0.claims?.hosts ?? [] } }

  /// What applications claim, and the desktop ids of those that have one.
  static let handled = ofRouter { router in
    try await router.applications().flatMap { application in
      let claims = application.claims ?? Claims()
      return claims.hosts + claims.schemes + claims.mimeTypes + [application.desktopID].compactMap(\.self)
    }
  }

  /// The events that `scenectl why` can tell of.
  static let events = ofRouter { router in
    try await ["last"] + router.records(limit: 20).flatMap { [$0.decisionID, $0.eventID].compactMap(\.self) }
  }

  /// What `values` finds at the router that the command line names, each once; nothing if it cannot be asked.
  ///
  /// The user waits at the prompt: an answer that takes longer than a second is none.
  private static func ofRouter(
    _ values: @escaping @Sendable (RouterConnection) async throws -> [String]
  ) -> CompletionKind {
    .custom { (words: [String], _: Int, _: String) async -> [String] in
      do {
        let router = try await RouterConnection(socketPath: socket(in: words), timeout: .seconds(1))
        let found = try await Set(values(router)).sorted()
        // There, what follows a colon describes the value.
        return CompletionShell.requesting == .zsh ? found.map { $0.replacing(":", with: "\\:") } : found
      } catch {
        return []
      }
    }
  }

  /// The socket that a command line names, which may be unfinished; nil for the user's own.
  private static func socket(in words: [String]) -> String? {
    if words.contains("--system") { return RouterConnection.systemSocketPath }
    if let attached = words.last(where: { $0.hasPrefix("--socket=") }) {
      return String(attached.dropFirst(9))
    }
    return words.lastIndex(of: "--socket").flatMap { words[($0 + 1)...].first }
  }
}
