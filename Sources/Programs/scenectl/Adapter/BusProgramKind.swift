import SessionBus

/// How the programs of a kind say over the session bus what they have open.
///
/// The calls have no name of a program; ``BusPrograms`` fills it in.
struct BusProgramKind: Sendable {
  /// The beginning of their names on the bus.
  let prefix: String
  /// Nil if each program tells its own.
  var application: String?
  /// Returns a path or a URL, or metadata with one.
  let file: BusCall
  /// Says that the file of one of them may have changed; without it, the programs are asked every second.
  var change: SignalMatch?
  /// With an activation token, for a desktop on which only the program itself can raise its window.
  var raise: (@Sendable (_ token: String) -> BusCall)?

  private static let player = "/org/mpris/MediaPlayer2"
  private static let playerInterface = "org.mpris.MediaPlayer2.Player"
  private static let properties = "org.freedesktop.DBus.Properties"

  static let all = [
    // MPRIS, version 2.2.
    BusProgramKind(
      prefix: "org.mpris.MediaPlayer2.",
      file: property("Metadata", of: playerInterface, at: player),
      change: SignalMatch(
        "PropertiesChanged",
        of: properties,
        at: player,
        argument: SignalMatch.Argument(0, playerInterface)
      ),
      raise: { _ in call("Raise", of: "org.mpris.MediaPlayer2", at: player) }
    ),
    BusProgramKind(
      prefix: "org.kde.okular-",
      application: "org.kde.okular",
      file: call("currentDocument", of: "org.kde.okular", at: "/okular"),
      // Okular 22.12 refuses the token; 25.04 takes it.
      raise: { call("tryRaise", of: "org.kde.okular", at: "/okularshell", [.string($0)]) }
    ),
    BusProgramKind(
      prefix: "org.pwmt.zathura.",
      application: "org.pwmt.zathura",
      file: property("filename", of: "org.pwmt.zathura", at: "/org/pwmt/zathura")
    ),
  ]

  /// Returns the application id of a player, if it tells.
  static let desktopEntry = property("DesktopEntry", of: "org.mpris.MediaPlayer2", at: player)

  private static func property(_ name: String, of interface: String, at path: String) -> BusCall {
    call("Get", of: properties, at: path, [.string(interface), .string(name)])
  }

  /// A program that has ended meanwhile is not started again.
  private static func call(
    _ member: String,
    of interface: String,
    at path: String,
    _ arguments: [BusValue] = []
  ) -> BusCall {
    BusCall(member, of: interface, at: path, in: "", arguments, startsService: false)
  }
}
