/// An installed editor that takes part in scened by an extension, such as VS Code.
package struct LintedEditor: Sendable {
  let path: String
  let command: String
  let package: String
  let hasAdapter: Bool

  /// `path` is that of the desktop entry; `command` installs the extension that is in the file `package`.
  package init(path: String, command: String, package: String, hasAdapter: Bool) {
    (self.path, self.command, self.package, self.hasAdapter) = (path, command, package, hasAdapter)
  }
}

extension Linter {
  func editorsWithoutAdapter() -> [Finding] {
    editors.filter { !$0.hasAdapter }.map { editor in
      Finding(
        .noAdapter,
        at: "\(editor.path):1",
        "The editor has no extension of scened, so that links do not come to its open windows.",
        advice: "Run '\(editor.command) --install-extension \(editor.package)'."
      )
    }
  }
}
