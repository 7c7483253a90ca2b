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

  /// The machines that the files of ssh have, by names that are no patterns and not hashed.
  static let machines = CompletionKind.shellCommand(
    """
    cat ~/.ssh/config ~/.ssh/known_hosts 2>/dev/null | awk 'tolower($1) == "host" { $1 = ""; print } \
    $2 ~ /^(ssh|ecdsa|sk)-/ { gsub(",", " ", $1); print $1 }' | xargs -n 1 | grep -v '[*?!|[]' | sort -u
    """
  )

  /// What `values` finds at the router that the command line names, each once; nothing if it cannot be asked.
  ///
  /// The user waits at the prompt: an answer that takes longer than a second is none.
  private static func ofRouter(
    _ values: @escaping @Sendable (RouterConnection) async throws -> [String]
  ) -> CompletionKind {
    .custom { (words: [String], _: Int, _: String) async -> [String] in
      do {
        let router = try await RouterOptions.parse(routerArguments(in: words)).connection(
          timeout: .seconds(1)
        )
        let found = try await Set(values(router)).sorted()
        // There, what follows a colon describes the value.
        return CompletionShell.requesting == .zsh ? found.map { $0.replacing(":", with: "\\:") } : found
      } catch {
        return []
      }
    }
  }

  /// The arguments of a command line, which may be unfinished, that say which router is meant.
  private static func routerArguments(in words: [String]) -> [String] {
    var words = words[...]
    var arguments: [String] = []
    while let word = words.popFirst() {
      switch word {
      case "--system": arguments.append(word)
      case "--socket", "--host": arguments += [word] + [words.popFirst()].compactMap(\.self)
      case _ where word.hasPrefix("--socket=") || word.hasPrefix("--host="): arguments.append(word)
      default: break
      }
    }
    return arguments
  }
}
