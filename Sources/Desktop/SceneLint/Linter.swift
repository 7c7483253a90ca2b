package import DesktopEntries
import SceneRouting

/// Each rule is a method, and its finding disappears when the advice is followed.
package struct Linter {
  let applications: [LintedApplication]
  /// Not checked, but they affect findings.
  let others: [LintedApplication]
  let scenes: [LintedScene]
  let choices: [LintedChoice]
  let otherDefaults: [LintedChoice]
  let hosts: [LintedHost]
  let browsers: [LintedBrowser]
  let editors: [LintedEditor]
  let database: MIMEDatabase
  let environment: ((String) -> String?)?
  let hasProgram: (String) -> Bool
  let hasService: (String) -> Bool
  let isInstalled: (String) -> Bool

  /// `environment` is that of the user's manager; nil without a manager.
  ///
  /// The key of each of `otherDefaults` can be an argument of `scenectl handler set`.
  package init(
    _ applications: [LintedApplication],
    others: [LintedApplication] = [],
    scenes: [LintedScene] = [],
    choices: [LintedChoice] = [],
    otherDefaults: [LintedChoice] = [],
    hosts: [LintedHost] = [],
    browsers: [LintedBrowser] = [],
    editors: [LintedEditor] = [],
    database: MIMEDatabase = MIMEDatabase([]),
    environment: ((String) -> String?)? = nil,
    hasProgram: @escaping (String) -> Bool,
    hasService: @escaping (String) -> Bool = { _ in true },
    isInstalled: @escaping (String) -> Bool = { _ in true }
  ) {
    (self.applications, self.others, self.scenes, self.choices) = (applications, others, scenes, choices)
    (self.otherDefaults, self.hosts, self.browsers) = (otherDefaults, hosts, browsers)
    (self.editors, self.database, self.environment) = (editors, database, environment)
    (self.hasProgram, self.hasService, self.isInstalled) = (hasProgram, hasService, isInstalled)
  }

  package var findings: [Finding] {
    var findings = missingDisplay() + missingApplications() + replacedRouter()
    for application in applications {
      findings += missingPrograms(of: application)
      findings += missingService(of: application)
      findings += scripts(of: application)
      findings += unmatchable(in: application)
      findings += shadowed(in: application)
      findings += unserved(by: application)
      findings += claimedHosts(of: application)
      findings += placeholders(in: application)
    }
    findings += duplicates()
    for scene in scenes { findings += checked(scene) }
    for host in hosts { findings += checked(host) }
    return findings + browsersWithoutAdapter() + editorsWithoutAdapter()
  }

  private func missingDisplay() -> [Finding] {
    let names = ["WAYLAND_DISPLAY", "DISPLAY"]
    guard let environment, names.allSatisfy({ (environment($0) ?? "").isEmpty }) else { return [] }
    return [
      Finding(
        .noDisplay,
        at: "the user's manager",
        "Its environment has neither 'WAYLAND_DISPLAY' nor 'DISPLAY', so programs that it starts show no window.",
        advice:
          "Run 'systemctl --user import-environment WAYLAND_DISPLAY DISPLAY' at the start of the desktop."
      )
    ]
  }

  private func duplicates() -> [Finding] {
    var holders: [FoldedText: (application: LintedApplication, scene: SceneDeclaration)] = [:]
    var findings: [Finding] = []
    for application in others + applications where application.takesPart {
      for scene in application.declaration.scenes where scene.kind == .windowGroup {
        for identifier in scene.matching ?? [] where identifier != wildcard {
          let folded = FoldedText(identifier)
          guard let holder = holders[folded] else {
            holders[folded] = (application, scene)
            continue
          }
          guard shareEvents(application, holder.application),
            // Two declarations of one application are left to the rule `shadowed`.
            holder.application.id != application.id || holder.scene.id == scene.id,
            applications.contains(where: { $0.id == application.id })
          else { continue }
          findings.append(
            Finding(
              .duplicate,
              at: application.place(of: scene),
              "The identifier '\(identifier)' is also in '\(holder.scene.id)' of '\(holder.application.id)'.",
              advice: "Remove one of the two, or let each application claim its own events."
            )
          )
        }
      }
    }
    return findings
  }

  private func shareEvents(_ one: LintedApplication, _ other: LintedApplication) -> Bool {
    if one.claims.isEmpty || other.claims.isEmpty { return one.claims.isEmpty && other.claims.isEmpty }
    let (claims, others) = (Self.claimed(by: one.claims), Self.claimed(by: other.claims))
    return !claims.isDisjoint(with: others)
  }

  private static func claimed(by claims: Claims) -> Set<String> {
    Set(claims.schemes.map { "\($0.lowercased()):" } + claims.mimeTypes.map { $0.lowercased() })
      .union(claims.activityTypes.map { "activity \($0)" } + claims.hosts.map { "//\($0.lowercased())" })
  }
}
