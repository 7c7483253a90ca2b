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
      "No menu program is installed. Install \(names.dropLast().joined(separator: ", ")) or \(names.last ?? ""), "
      + "or name another one with --menu."
  }

  /// Returns nil if the program fails, as menu programs do when the user chooses nothing.
  ///
  /// - Throws: an error if the program cannot be started.
  func answer(to lines: [String]) async throws -> String? {
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
