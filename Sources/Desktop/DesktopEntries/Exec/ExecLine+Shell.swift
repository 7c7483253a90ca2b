extension ExecLine {
  /// A field code in a script, as in `sh -c "app %u"`, where a quote or `$(…)` in a link could run commands.
  package var codeInScript: FieldCode? {
    let words = arguments.map { pieces in
      pieces.reduce(into: "") { if case .text(let text) = $1 { $0 += text } }
    }
    guard let shell = words.firstIndex(where: Self.isShell) else { return nil }
    // In sh(1), the script is the first operand if `c` is among the letters of the options.
    let options = words[(shell + 1)...].prefix { $0.hasPrefix("-") || $0.hasPrefix("+") }
    guard options.contains(where: { !$0.hasPrefix("--") && $0.contains("c") }) else { return nil }
    let script = options.endIndex
    guard script < arguments.endIndex else { return nil }
    for case .code(let code) in arguments[script] { return code }
    return nil
  }

  private static func isShell(_ word: String) -> Bool {
    ["sh", "ash", "bash", "dash", "ksh", "mksh", "zsh"].contains(word.split(separator: "/").last ?? "")
  }
}
