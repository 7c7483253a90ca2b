/// The manifest of a native messaging host, the program that a browser starts for the extension of scened.
package struct LintedHost: Sendable {
  let path: String
  let program: String?
  let isProgramThere: Bool
  let allowed: [String]
  let extensionID: String

  /// `program` is nil if the manifest cannot be read; `extensionID` has the same form as the items of `allowed`.
  package init(
    path: String,
    program: String?,
    isProgramThere: Bool,
    allowed: [String],
    extensionID: String
  ) {
    (self.path, self.program, self.isProgramThere) = (path, program, isProgramThere)
    (self.allowed, self.extensionID) = (allowed, extensionID)
  }
}

/// A running browser for which the manifest of scened's native messaging host is installed.
package struct LintedBrowser: Sendable {
  let name: String
  let processID: Int
  let hasAdapter: Bool

  /// `hasAdapter` says whether the browser now runs scened's native messaging host.
  package init(name: String, processID: Int, hasAdapter: Bool) {
    (self.name, self.processID, self.hasAdapter) = (name, processID, hasAdapter)
  }
}

extension Linter {
  /// Such mistakes keep the browser from starting the host for the extension of scened.
  func checked(_ host: LintedHost) -> [Finding] {
    var findings: [Finding] = []
    if !host.isProgramThere {
      let program = host.program.map { "There is no program '\($0)', which 'path' names." }
      findings.append(
        Finding(
          .missingProgram,
          at: "\(host.path):1",
          program ?? "The manifest is no JSON object with a 'path'.",
          advice: "Install the package scened-browser again, or remove the file."
        )
      )
    }
    if host.program != nil, !host.allowed.contains(host.extensionID) {
      findings.append(
        Finding(
          .otherExtension,
          at: "\(host.path):1",
          "The manifest does not allow the extension of scened, '\(host.extensionID)'.",
          advice: "Install extension and manifest from the same package."
        )
      )
    }
    return findings
  }

  func browsersWithoutAdapter() -> [Finding] {
    browsers.filter { !$0.hasAdapter }.map { browser in
      Finding(
        .noAdapter,
        at: "process \(browser.processID) (\(browser.name))",
        "The browser runs without its adapter, so that links do not come to its open pages.",
        advice: "Restart the browser, or see whether the extension is off in its options."
      )
    }
  }
}
