import Glibc
import Observation

/// What the screen needs to know about a window of an example.
package protocol ScreenWindow: AnyObject {
  /// The text of the title bar.
  var heading: String { get }
  /// The content, in one line.
  var text: String { get }
  /// Performs a command that was typed while the window was active.
  func perform(_ command: String)
  /// Closes the window.
  func close()
}

/// Shows the windows of an example in the terminal.
///
/// Without a terminal, the screen prints a line for each event. The screen replaces a view toolkit. The examples use
/// the screen only on the main actor.
@Observable package final class Screen {
  /// The window that was last opened, highlighted, raised or chosen by its number.
  package private(set) var active: ObjectIdentifier?

  @ObservationIgnored private let help: String
  @ObservationIgnored private var windows: [any ScreenWindow] = []
  @ObservationIgnored private var lit: (window: ObjectIdentifier, reason: String)?
  @ObservationIgnored private let lines = TypedLines()
  @ObservationIgnored private let isTerminal = isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1

  /// Makes an empty screen; `help` lists the commands that the windows know.
  package init(help: String) {
    self.help = help
    if isTerminal { lines.startReading() }
  }

  /// Shows a window until the task is cancelled, and passes typed lines to the window.
  package func show(_ window: some ScreenWindow) async {
    let id = ObjectIdentifier(window)
    windows.append(window)
    active = id
    say("\(window.heading): is open")
    let (wakes, wake) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    lines.wakes(with: wake, for: id)
    repeat {
      withObservationTracking {
        _ = (window.heading, window.text, active)
      } onChange: {
        wake.yield()
      }
      draw()
      for await _ in wakes { break }
      for line in lines.take() { perform(line) }
    } while !Task.isCancelled
    lines.wakes(with: nil, for: id)
    windows.removeAll { $0 === window }
    say("\(window.heading): is closed")
    draw()
  }

  /// Highlights a window, makes the window active, and shows the reason.
  package func light(_ window: some ScreenWindow, _ reason: String) {
    active = ObjectIdentifier(window)
    lit = (ObjectIdentifier(window), reason)
    say("\(window.heading): \(reason)")
    draw()
  }

  /// Makes a window active.
  package func activate(_ window: some ScreenWindow) {
    active = ObjectIdentifier(window)
  }

  /// Returns whether a window is active.
  package func isActive(_ window: some ScreenWindow) -> Bool {
    active == ObjectIdentifier(window)
  }

  /// Writes a line if there is no terminal.
  private func say(_ line: String) {
    if !isTerminal { write(line + "\n") }
  }

  private func write(_ text: String) {
    // `print` would wait for the thread that reads standard input.
    _ = unsafe Glibc.write(STDOUT_FILENO, text, text.utf8.count)
  }

  // MARK: - In a terminal

  /// Clears the terminal and draws all windows.
  ///
  /// The highlighted window is in reverse video. The active window has a mark.
  private func draw() {
    guard isTerminal else { return }
    var text = "\u{1B}[H\u{1B}[2J"
    for (index, window) in windows.enumerated() {
      let id = ObjectIdentifier(window)
      let line = "\(id == active ? ">" : " ") \(index + 1)  \(window.heading)"
      text += id == lit?.window ? "\u{1B}[7m\(line)\u{1B}[0m  \(lit?.reason ?? "")\n" : "\(line)\n"
      text += "       \(window.text)\n"
    }
    write(text + "\nNUMBER chooses a window; \(help); close; quit\n> ")
  }

  private func perform(_ line: String) {
    let window = windows.first { ObjectIdentifier($0) == active }
    switch line {
    case "quit": for window in windows { window.close() }
    case "close": window?.close()
    default:
      if let number = Int(line) {
        if windows.indices.contains(number - 1) { active = ObjectIdentifier(windows[number - 1]) }
      } else {
        window?.perform(line)
      }
    }
    draw()
  }
}
