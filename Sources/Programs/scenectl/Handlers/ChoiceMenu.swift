import Installed
import Subprocess
import SystemPackage

/// A program that shows lines, and prints the line that the user chooses.
struct ChoiceMenu {
  private static let supported: [(words: [String], needsWayland: Bool)] = [
    (["fuzzel", "--dmenu"], true), (["wofi", "--dmenu"], true), (["bemenu"], true),
    (["rofi", "-dmenu"], false), (["dmenu"], false),
    (["zenity", "--list", "--hide-header", "--title=Open a link", "--column=Application"], false),
  ]

  /// How each program shows a text above its lines.
  private static let headings: [String: (option: String, text: @Sendable (Heading) -> String)] = [
    "rofi": ("-mesg", { $0.whole.escapedForMarkup }),
    // zenity reads escapes as in C before it reads the markup.
    "zenity": ("--text", { $0.whole.escapedForMarkup.replacing("\\", with: "\\\\") }),
    "fuzzel": ("--prompt", { $0.prompt }), "wofi": ("--prompt", { $0.prompt }),
    "bemenu": ("--prompt", { $0.prompt }), "dmenu": ("-p", { $0.prompt }),
  ]

  /// In bytes; the chosen line has the name and the id of an application, and is usually far shorter.
  private static let longestAnswer = 64 << 10

  private let words: [String]

  init(command: String) { words = command.split(separator: " ").map(String.init) }

  /// Without `onAnyDisplay`, a program for Wayland needs the name of a Wayland display in the environment.
  init?(in places: DesktopPlaces, onAnyDisplay: Bool) {
    let isWayland = Host.variable("WAYLAND_DISPLAY") != nil
    let found = Self.supported.first { menu in
      places.hasProgram(menu.words[0]) && (onAnyDisplay || isWayland || !menu.needsWayland)
    }
    guard let found else { return nil }
    words = found.words
  }

  static var absence: String {
    let names = supported.map { "'\($0.words[0])'" }
    return
      "No menu program is installed. Install scened-desktop, or \(names.dropLast().joined(separator: ", ")) or \(names.last ?? ""), "
      + "or name another one with --menu."
  }

  struct Heading {
    /// In characters of the subject: a prompt stands beside the first line.
    private static let longestPrompt = 40

    /// What the lines are chosen for, such as a link.
    let subject: String
    /// The program that sent the link, if it is known.
    var sender: String?

    fileprivate var whole: String { [subject.shown, origin].compactMap(\.self).joined(separator: "\n") }
    fileprivate var prompt: String {
      let shown = subject.shown
      let short = shown.count > Self.longestPrompt ? shown.prefix(Self.longestPrompt - 1) + "…" : shown
      return [short, origin].compactMap(\.self).joined(separator: " ") + ": "
    }
    private var origin: String? { sender.map { "from \($0.shown)" } }
  }

  private func words(under heading: Heading) -> [String] {
    let name = words[0].split(separator: "/").last.map(String.init) ?? ""
    guard let (option, text) = Self.headings[name],
      !words.contains(where: { $0 == option || $0.hasPrefix(option + "=") })
    else { return words }
    return words + [option, text(heading)]
  }

  /// No pipe, because a program may end before it has read all lines.
  private static func file(of lines: [String]) throws -> FileDescriptor {
    do {
      let (file, path) = try Host.makeTemporaryFile("/tmp/scenectl-menu.XXXXXX")
      Host.remove(path)
      try file.writeAll(lines.map { $0 + "\n" }.joined().utf8)
      try file.seek(offset: 0, from: .start)
      return file
    } catch {
      throw HandlerError("The lines of the menu cannot be written to /tmp: \(error).")
    }
  }

  /// Returns nil if the program fails, as menu programs do when the user chooses nothing.
  ///
  /// - Throws: an error if the program cannot be started.
  func answer(to lines: [String], under heading: Heading) async throws -> String? {
    let words = words(under: heading)
    let input = try Self.file(of: lines)
    do {
      let result = try await Subprocess.run(
        words[0].contains("/") ? .path(FilePath(words[0])) : .name(words[0]),
        arguments: Arguments(Array(words.dropFirst())),
        input: .fileDescriptor(input, closeAfterSpawningProcess: true),
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

extension String {
  fileprivate var shown: String { shortened.printable }
}
