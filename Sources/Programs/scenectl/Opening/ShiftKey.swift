import CX11

enum ShiftKey {
  /// In X.h, and as GNOME Shell counts them: Shift, Ctrl, Alt and Super.
  private static let (shift, shortcuts): (UInt32, UInt32) = (1 << 0, 1 << 2 | 1 << 3 | 1 << 6)

  /// Whether the user holds Shift alone: with another key, it is a shortcut of a program, such as Ctrl+Shift+click in a
  /// terminal.
  ///
  /// Under Wayland only GNOME Shell tells, by the extension in `Sources/Adapters/gnome`.
  static func isHeld() async -> Bool {
    let commands = RaisingCommands(activationToken: nil, environment: .own)
    var held: UInt32 = 0
    if commands.hasGNOMEOnWayland {
      held = await commands.keysHeldInGNOME()
    } else if commands.hasX11, !commands.hasWayland {
      held = scened_x11_modifiers()
    }
    return held & (shift | shortcuts) == shift
  }
}
