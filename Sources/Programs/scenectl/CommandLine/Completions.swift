import ArgumentParser
import DesktopEntries
import Installed
import SceneClient
import SceneRouting

/// The values that a shell offers when the user presses Tab.
extension CompletionKind {
  static let scenes = ofRouter { router in try await router.scenes().map(\.id) }

  static let scenesWithActivities = ofRouter { router in try await router.activities().map(\.scene.id) }

  static let applications = ofRouter { router in
    try await router.applications().map(\.id) + router.scenes().map(\.applicationID)
  }

  static let declarations = ofRouter { router in
    try await router.applications().flatMap { $0.scenes.map(\.id) }
  }

  static let identifiers = ofRouter { router in
    try await router.scenes().flatMap(\.registrations).flatMap { $0.preferring + $0.allowing }
  }

  static let hosts = ofRouter { router in try await router.applications().flatMap { $0.claims?.hosts ?? [] } }

  static let handled = ofRouter { router in
    try await router.applications().flatMap { application in
      let claims = application.claims ?? Claims()
      return claims.hosts + claims.schemes + claims.mimeTypes + [application.desktopID].compactMap(\.self)
    }
  }

  static let chosen = ofFiles { try HandlerLists().choices.map { "\($0.key.handled)" } }

  static let installedApplications = ofFiles {
    InstalledDesktop().applications.map { $0.entry.id.asApplicationID }
  }

  static let profiles = ofFiles {
    let desktop = InstalledDesktop()
    return desktop.applications.flatMap {
      Browser.started(by: $0.entry)?.profiles(in: desktop.places).map(\.name) ?? []
    }
  }

  static let actions = ofFiles {
    let desktop = InstalledDesktop()
    return desktop.applications.flatMap { desktop.actions(of: $0).map(\.id) }
  }

  static let events = ofRouter { router in
    try await ["last"] + router.records(limit: 20).flatMap { [$0.decisionID, $0.eventID].compactMap(\.self) }
  }

  /// Without patterns and hashed names.
  static let machines = CompletionKind.shellCommand(
    """
    cat ~/.ssh/config ~/.ssh/known_hosts 2>/dev/null | awk 'tolower($1) == "host" { $1 = ""; print } \
    $2 ~ /^(ssh|ecdsa|sk)-/ { gsub(",", " ", $1); print $1 }' | xargs -n 1 | grep -v '[*?!|[]' | sort -u
    """
  )

  /// The command line selects the router, which has a second to answer, because the user waits at the prompt.
  private static func ofRouter(
    _ values: @escaping @Sendable (RouterConnection) async throws -> [String]
  ) -> CompletionKind {
    .custom { (words: [String], _: Int, _: String) async -> [String] in
      do {
        let router = try await RouterOptions.parse(routerArguments(in: words)).connection(
          timeout: .seconds(1)
        )
        return try await offered(values(router))
      } catch {
        return []
      }
    }
  }

  private static func ofFiles(_ values: @escaping @Sendable () throws -> [String]) -> CompletionKind {
    .custom { (_: [String], _: Int, _: String) async -> [String] in
      do { return offered(try values()) } catch { return [] }
    }
  }

  private static func offered(_ values: [String]) -> [String] {
    let found = Set(values).sorted()
    // zsh takes the text after a colon for the description of the value.
    return CompletionShell.requesting == .zsh ? found.map { $0.replacing(":", with: "\\:") } : found
  }

  /// The command line may be unfinished.
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
