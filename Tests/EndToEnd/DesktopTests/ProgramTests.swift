import Foundation
import TestSupport
import Testing

/// Debian's players and document viewers as windows, through `scenectl adapter --programs`.
@Suite(.blocking, .serialized) final class ProgramTests {
  private let session: DesktopSession
  private let adapter: SpawnedProgram
  private let limit = Deadline()

  /// A desktop entry's ID, a command line with `FILE`, and the call that opens another file in the same window.
  struct Program: CustomTestStringConvertible {
    let id: String
    let command: [String]
    let type: String
    let name: @Sendable (_ process: CInt) -> String
    let opening: (path: String, method: String, last: [String])

    var testDescription: String { id }

    static func player(_ id: String, _ command: String..., instance: String = "") -> Program {
      Program(
        id: id,
        command: command + ["FILE"],
        type: "wav",
        name: { _ in "org.mpris.MediaPlayer2.\(id)\(instance)" },
        opening: ("/org/mpris/MediaPlayer2", "org.mpris.MediaPlayer2.Player.OpenUri", [])
      )
    }
  }

  private static let vlc = Program.player("vlc", "vlc", "--no-qt-privacy-ask", "--aout=dummy")
  private static let mpv = Program.player("mpv", "mpv", "--ao=null", "--force-window=yes")
  private static let celluloid = Program.player(
    "io.github.celluloid_player.Celluloid",
    "celluloid",
    "--mpv-options=--ao=null",
    instance: ".instance-1"
  )
  private static let zathura = Program(
    id: "org.pwmt.zathura",
    command: ["zathura", "FILE"],
    type: "pdf",
    name: { "org.pwmt.zathura.PID-\($0)" },
    opening: ("/org/pwmt/zathura", "org.pwmt.zathura.OpenDocument", ["", "0"])
  )
  private static let okular = Program(
    id: "org.kde.okular",
    command: ["okular", "FILE"],
    type: "pdf",
    name: { "org.kde.okular-\($0)" },
    opening: ("/okular", "org.kde.okular.openDocument", [])
  )

  init() throws {
    session = try DesktopSession(on: .openbox)
    for name in ["a (1) é#%41", "b"] {
      try session.write("\(name).pdf", Self.document)
      try session.writeSilence("\(name).wav")
    }
    // Debian's VLC ends if it runs as root, as tests do. This copy asks for another number than that of the user.
    let copy = #"mkdir -p "${0%/*}" && sed s/geteuid/getppid/ /usr/bin/vlc >"$0" && chmod +x "$0""#
    try session.run("sh", "-c", copy, session.path(".local/bin/vlc"))
    try session.startRouter(opening: "audio/x-wav", "application/pdf")
    adapter = try session.start(session.scenectl, "adapter", "--programs")
  }

  private static let document = """
    %PDF-1.4
    1 0 obj <</Type /Catalog /Pages 2 0 R>> endobj
    2 0 obj <</Type /Pages /Kids [3 0 R] /Count 1>> endobj
    3 0 obj <</Type /Page /Parent 2 0 R /MediaBox [0 0 99 99]>> endobj
    trailer <</Root 1 0 R>>
    %%EOF

    """

  private func url(_ name: String) -> String { URL(filePath: session.path(name)).absoluteString }

  private func start(_ program: Program, _ name: String) throws -> SpawnedProgram {
    let words = program.command.map { $0 == "FILE" ? session.path(name) : $0 }
    return try SpawnedProgram("/usr/bin/env", words, environment: session.environment)
  }

  /// Opens a file, and returns what `scenectl open` printed.
  private func open(_ name: String) throws -> String {
    let (_, output, error) = try SpawnedProgram.run(
      session.scenectl,
      ["open", "--no-new-scene", "--timeout", "90", session.path(name)],
      environment: session.environment
    )
    return output + error
  }

  /// Waits until there are only windows of these files, one for each.
  private func waitForWindows(showing names: String...) throws {
    var shown: [String] = []
    try limit.wait("\(shown) is shown. \(adapter.errorText)") {
      shown = try session.run(session.scenectl, "scenes", "--json").split(separator: "\n").map { scene in
        scene.firstMatch(of: /"showing":\["file:\/\/([^"]+)"\]/)?.1.removingPercentEncoding ?? "nothing"
      }
      return shown.sorted() == names.map(session.path).sorted()
    }
  }

  private func waitForFocus(of program: SpawnedProgram) throws {
    try limit.wait("\(session.focusedWindow ?? "No window") has the focus. \(adapter.errorText)") {
      // There may be no active window at the moment.
      let command = ["getactivewindow", "getwindowpid"]
      let found = try SpawnedProgram.run("/usr/bin/xdotool", command, environment: session.environment)
      return found.output == "\(program.processID)\n"
    }
  }

  @Test(arguments: [vlc, mpv, celluloid, zathura, okular])
  func linkToTheOpenFileRaisesTheProgram(kind: Program) throws {
    let (first, second) = ("a (1) é#%41.\(kind.type)", "b.\(kind.type)")
    let program = try start(kind, first)
    try waitForWindows(showing: first)
    let scenes = try session.run(session.scenectl, "scenes", "--json")
    #expect(scenes.contains("\"applicationId\":\"\(kind.id)\""), "\(scenes)")
    // A program may tell its file before its window is there, which would then cover the other one.
    try waitForFocus(of: program)
    let cover = try session.start("xterm", "-T", "Cover", "-e", "sleep", "3600")
    try session.waitForFocus("Cover", by: limit)
    let opened = try open(first)
    try #require(opened.contains("it shows this file"), "\(opened)")
    try waitForFocus(of: program)
    #expect(try open(second).contains("it shows this file") == false)

    let target = kind.type == "wav" ? url(second) : session.path(second)
    try session.run(
      ["gdbus", "call", "--session", "--dest", kind.name(program.processID), "--object-path"]
        + [kind.opening.path, "--method", kind.opening.method, target] + kind.opening.last
    )
    try waitForWindows(showing: second)
    withExtendedLifetime(cover) {}
    program.send(signal: SIGTERM)
    try waitForWindows()
    #expect(adapter.errorText == "")
  }

  /// A program that hangs gets no link, and keeps none from the others.
  @Test func programThatDoesNotAnswerDeclines() throws {
    let player = try start(Self.mpv, "b.wav")
    let viewer = try start(Self.zathura, "b.pdf")
    try waitForWindows(showing: "b.wav", "b.pdf")
    player.freeze()
    #expect(try open("b.wav").contains("does not answer"))
    #expect(try open("b.pdf").contains("it shows this file"))
    try waitForFocus(of: viewer)
    player.send(signal: SIGCONT)
    #expect(try open("b.wav").contains("it shows this file"))
    try waitForFocus(of: player)
  }

  /// The stand-in takes and gives up its name a thousand times, and tells what a real player never would.
  ///
  /// An adapter that is late hears of all these names at once.
  @Test(arguments: [false, true]) func playerThatMisbehavesShowsOnlyFiles(adapterIsLate: Bool) throws {
    let monitor = try session.start(session.scenectl, "monitor", "--json", "--no-decisions")
    let scene = try session.openScene(of: "org.example.Marker", "--prefer", "marker")
    try monitor.outputLine(containing: "marker", by: limit)
    scene.send(signal: SIGTERM)
    try scene.waitForEnd(by: limit)
    if adapterIsLate { adapter.freeze() }
    let player = try session.startPython("player.py", url("b.wav"))
    try player.outputLine(containing: "The name stays.", by: limit)
    if adapterIsLate { adapter.send(signal: SIGCONT) }
    try waitForWindows(showing: "b.wav")
    try monitor.outputLine(containing: url("b.wav"), by: limit)
    let shown = monitor.outputText.matches(of: /"showing":\["([^"]*)"\]/).map { String($0.1) }
    #expect(Set(shown) == [url("b.wav")])
    player.send(signal: SIGTERM)
    try waitForWindows()
    #expect(adapter.errorText == "")
  }
}

extension DesktopSession {
  /// Writes ten minutes of silence with a title, because Celluloid 0.20 tells the file only with its first tag.
  fileprivate func writeSilence(_ name: String) throws {
    let code = """
      import struct, sys
      def chunk(name, content): return name + struct.pack("<I", len(content)) + content
      title = sys.argv[1].encode() + bytes(2 - len(sys.argv[1].encode()) % 2)
      content = b"WAVE" + chunk(b"fmt ", struct.pack("<HHIIHH", 1, 1, 8000, 8000, 1, 8))
      content += chunk(b"LIST", b"INFO" + chunk(b"INAM", title)) + chunk(b"data", bytes([128]) * 8000 * 600)
      open(sys.argv[1], "wb").write(chunk(b"RIFF", content))
      """
    try run("/usr/bin/python3", "-c", code, path(name))
  }
}
