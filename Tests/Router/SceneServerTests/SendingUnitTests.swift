import Testing

@testable import SceneServer

/// Tests how the router reads the name of a unit, and the control groups of a process.
@Suite struct SendingUnitTests {
  @Test(arguments: [
    // Names of units from GNOME Shell, Plasma, systemd's autostart generator, uwsm, and this router's launcher.
    ("app-gnome-org.telegram.desktop-12345.scope", "org.telegram"),
    ("app-gnome-firefox\\x2desr-2323.scope", "firefox-esr"),
    ("app-org.kde.konsole-7d2f4d0e3c9f4d6b8a1e5c7f90b1a2c3.scope", "org.kde.konsole"),
    ("app-org.kde.dolphin@7d2f4d0e3c9f4d6b8a1e5c7f90b1a2c3.service", "org.kde.dolphin"),
    ("app-org.gnome.Evolution\\x2dalarm\\x2dnotify@autostart.service", "org.gnome.Evolution-alarm-notify"),
    ("app-Hyprland-thunderbird-5f3a2b1c.scope", "thunderbird"),
    ("app-org.example.Photos@9c0ffee.service", "org.example.Photos"),
    ("app-org.example.Photos.service", "org.example.Photos"),
    ("app-gnome-org.example.Photos.service", "org.example.Photos"),
    // Names of units from Flatpak.
    ("app-flatpak-org.mozilla.firefox-2891.scope", "org.mozilla.firefox"),
    ("app-flatpak-md.obsidian.Obsidian-2751032070.scope", "md.obsidian.Obsidian"),
    // Names of units from Snap: scopes of present and older versions of snapd, and a service.
    ("snap.firefox.firefox-2f1a7c56-4d0e-4a43-9a39-0f1a5f6f0c11.scope", "firefox_firefox"),
    (
      "snap.telegram-desktop.telegram-desktop-2f1a7c56-4d0e-4a43-9a39-0f1a5f6f0c11.scope",
      "telegram-desktop_telegram-desktop"
    ),
    ("snap.firefox.firefox.2f1a7c56-4d0e-4a43-9a39-0f1a5f6f0c11.scope", "firefox_firefox"),
    ("snap.firefox_work.firefox-2f1a7c56-4d0e-4a43-9a39-0f1a5f6f0c11.scope", "firefox+work_firefox"),
    ("snap.nextcloud.sync.service", "nextcloud_sync"),
    // Escaped bytes, and an id with the ending `.desktop`.
    ("app-caf\\xc3\\xa9@1.service", "café"),
    ("app-org.example.Photos.desktop-1.scope", "org.example.Photos"),
    ("app-a\\x40b@1.service", "a@b"),
  ])
  func unitOfAnApplicationTellsItsID(_ unit: String, _ id: String) {
    #expect(SendingUnit(named: unit[...]) == .application(id))
  }

  @Test(arguments: [
    ("xdg-desktop-portal.service", "xdg-desktop-portal"),
    ("xdg-desktop-portal-gtk.service", "xdg-desktop-portal"),
    // Links reach the router through the entry `scened-open`. KIO and GNOME Shell start this entry in a new unit.
    ("app-scened\\x2dopen@7d2f4d0e3c9f4d6b8a1e5c7f90b1a2c3.service", "scened-open"),
    ("app-gnome-scened\\x2dopen-4711.scope", "scened-open"),
  ])
  func unitThatPassesLinksOnTellsNoApplication(_ unit: String, _ program: String) {
    #expect(SendingUnit(named: unit[...]) == .intermediary(program))
  }

  @Test(arguments: [
    "session-2.scope", "user@1000.service", "init.scope", "dbus.service", "plasma-krunner.service",
    "gnome-terminal-server.service", "vte-spawn-2f1a7c56-4d0e-4a43-9a39-0f1a5f6f0c11.scope", "run-u12.scope",
    "dbus-:1.2-org.gnome.Nautilus@0.service", "ssh.service",
    // Names that contain no application id.
    "app.slice", "app-.scope", "app--1.scope", "app-1.scope", "app-gnome--1.scope", "app-.service",
    "app-@1.service",
    "app.service", "app@1.service", ".service", ".scope", "-.scope", "", "app-flatpak-.scope",
    "app-.desktop-1.scope",
    // A `-` of an id has to be escaped. Without escapes, nobody can tell which part of these names is the id.
    "app-gnome-firefox-esr-2323.scope", "app-a-b-c@1.service",
    // Escapes that systemd does not write, and ids that are no text.
    "app-a\\x2-1.scope", "app-a\\x-1.scope", "app-a\\-1.scope", "app-a\\y2d-1.scope", "app-\\x+1-1.scope",
    "app-\\xff-1.scope", "app-a\\x00b-1.scope", "app-a\\x0ab@1.service",
    // Names of Snap units that are no applications, and names that only resemble those of Snap.
    "snap.firefox.hook.configure-2f1a7c56-4d0e-4a43-9a39-0f1a5f6f0c11.scope", "snap.firefox.firefox-1.scope",
    "snap.firefox.service", "snap..firefox.service", "snap.firefox..service", "snapd.service",
    "snap-firefox-4711.mount", "snap.firefox.firefox-2f1a7c56x4d0ex4a43x9a39x0f1a5f6f0c11.scope",
  ])
  func otherUnitTellsNothing(_ unit: String) {
    #expect(SendingUnit(named: unit[...]) == .other)
  }

  private static let manager = "/user.slice/user-1000.slice/user@1000.service"

  @Test(arguments: [
    ("0::\(manager)/app.slice/app-org.example.A-1.scope\n", SendingUnit.application("org.example.A")),
    (
      "0::\(manager)/app.slice/app-org.example.slice/app-org.example.A@1.service\n",
      .application("org.example.A")
    ),
    // A control group that a program has made below its unit.
    (
      "0::\(manager)/app.slice/app-org.kde.konsole-1.scope/tab(4711).scope\n", .application("org.kde.konsole")
    ),
    ("0::\(manager)/session.slice/xdg-desktop-portal.service\n", .intermediary("xdg-desktop-portal")),
    ("0::\(manager)/app.slice/vte.scope/app-org.example.A-1.scope\n", .other),
    ("0::\(manager)/init.scope\n", .other),
    ("0::/user.slice/user-1000.slice/session-2.scope\n", .other),
    // This program of root runs under the system's manager, not under a user's manager.
    ("0::/system.slice/snap.lxd.lxc-2f1a7c56-4d0e-4a43-9a39-0f1a5f6f0c11.scope\n", .application("lxd_lxc")),
    // If the router runs in another namespace of control groups, the path begins with `/..`.
    ("0::/../../user@1000.service/app.slice/app-org.example.A-1.scope\n", .application("org.example.A")),
    // Systems with versions 1 and 2 of control groups: systemd uses only one version, and the other names no unit.
    (
      "12:pids:/a\n1:name=systemd:\(manager)/app.slice/app-org.example.A-1.scope\n0::/\n",
      .application("org.example.A")
    ),
    (
      "12:pids:/a\n1:name=systemd:/\n0::\(manager)/app.slice/app-org.example.A-1.scope\n",
      .application("org.example.A")
    ),
    ("4:memory:/app-org.example.A-1.scope\n", .other),
    ("0::/a:b/app-org.example.A-1.scope\n", .application("org.example.A")),
    ("0::/\n", .other), ("", .other), ("0:", .other), ("nonsense", .other),
  ])
  func unitIsTheOutermostOfTheUsersManager(_ text: String, _ unit: SendingUnit) {
    #expect(SendingUnit(ofControlGroups: text) == unit)
  }
}
