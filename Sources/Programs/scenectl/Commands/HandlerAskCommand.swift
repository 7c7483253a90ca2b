import ArgumentParser
import DesktopEntries
import Installed
import SceneRouting
import Subprocess
import SystemPackage

/// `scenectl handler ask`.
struct HandlerAskCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "ask",
    abstract: "Ask in a menu which application opens the links of a host, and save the answer.",
    discussion: """
      The menu is a program that reads lines, shows them, and prints the chosen line: dmenu, rofi -dmenu, \
      fuzzel --dmenu, fzf. Its words are separated by spaces; no shell reads them.
      """
  )

  /// The longest answer in bytes, 64 KiB: more than any name and id.
  private static let longestAnswer = 64 << 10

  @OptionGroup var options: FileCommandOptions

  @Argument(
    help: ArgumentHelp("The host; see 'scenectl handler --help'.", valueName: "host[/path]"),
    completion: .hosts
  )
  var host: String

  @Option(help: ArgumentHelp("The menu program and its arguments.", valueName: "command"))
  var menu = "dmenu"

  func validate() throws {
    _ = try handled()
    if menu.split(separator: " ").isEmpty { throw ValidationError("The command of --menu is empty.") }
  }

  func run() async throws {
    let handled = try handled()
    var lists = try HandlerLists()
    let candidates = lists.candidates(for: handled)
    guard !candidates.isEmpty else {
      throw HandlerError("No installed application opens the links of '\(handled)'.".printable)
    }
    let answer = try await answer(to: candidates.map(\.line))
    guard let chosen = candidates.first(where: { $0.line == answer }) else {
      throw HandlerError("No application was chosen.")
    }
    try lists.choose(chosen.id, for: [handled])
    try Terminal.show("\(handled): opened by \(chosen.id)".printable)
  }

  private func handled() throws -> Handled {
    let name = host.hasPrefix("//") ? String(host.dropFirst(2)) : host
    guard let handled = Handled(host: name) else {
      throw ValidationError("'\(host.printable)' is not a host.")
    }
    return handled
  }

  /// Returns the line that the menu prints; nil if the menu fails, as menus do when the user chooses nothing.
  private func answer(to lines: [String]) async throws -> String? {
    let words = menu.split(separator: " ").map(String.init)
    do {
      let result = try await Subprocess.run(
        words[0].contains("/") ? .path(FilePath(words[0])) : .name(words[0]),
        arguments: Arguments(Array(words.dropFirst())),
        input: .string(lines.map { $0 + "\n" }.joined()),
        output: .string(limit: Self.longestAnswer),
        error: .currentStandardError
      )
      guard result.terminationStatus.isSuccess else { return nil }
      return result.standardOutput.split(separator: "\n").first.map(String.init)
    } catch {
      throw HandlerError("The menu '\(words[0])' could not be run: \(error)".printable)
    }
  }
}

extension HandlerLists {
  /// An application in a menu.
  struct Candidate {
    let id: String
    /// Its name and its id, in one line.
    let line: String
  }

  /// Returns the applications that can open the links of a host: first the applications that claim the host, then the
  /// browsers.
  func candidates(for handled: Handled) -> [Candidate] {
    guard case .host(let host) = handled else { return [] }
    let all = InstalledApplications(reading: places).sorted(for: .scheme("https")).filter(\.entry.takesEvents)
    let claiming = all.filter { $0.entry.claims.hosts.contains { Self.covers($0, host) } }
    let browsers = all.filter { application in
      !application.entry.claims.schemes.allSatisfy { $0 != "https" && $0 != "http" }
        && !claiming.contains { $0.entry.id == application.entry.id }
    }
    return (claiming + browsers).map { application in
      Candidate(
        id: application.entry.id,
        line: "\(application.entry.name) (\(application.entry.id))".printable
      )
    }
  }

  /// Returns whether a claim names the host, or `*.` and a domain above the host; paths are ignored.
  private static func covers(_ claim: String, _ host: String) -> Bool {
    let claimed = claim.prefix { $0 != "/" }.lowercased()
    let name = host.prefix { $0 != "/" }
    return claimed == name || claimed.hasPrefix("*.") && name.hasSuffix(claimed.dropFirst())
  }
}
