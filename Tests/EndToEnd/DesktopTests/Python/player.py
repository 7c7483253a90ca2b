"""A player of MPRIS that misbehaves.

usage: player.py URL

Comes to the bus and goes a thousand times. Then it says that its name stays, and tells URLs that are none, each when
somebody has read the one before, and at last URL.
"""
import sys

import gi

gi.require_version("Gio", "2.0")
from gi.repository import Gio, GLib

NAME = "org.mpris.MediaPlayer2.misbehaving"
PATH = "/org/mpris/MediaPlayer2"
XML = """<node><interface name="org.mpris.MediaPlayer2.Player"><property name="Metadata" type="a{sv}" access="read"/>
</interface></node>"""
NO_FILES = [
    GLib.Variant("s", text) for text in ("", "b.wav", "file:", "file:b.wav", "file://elsewhere/b", "file:///%", "\x01",
                                         "https://example.org/b.wav", "file:///a%2Fb", "x" * 100_000)
] + [GLib.Variant("i", 4711), GLib.Variant("as", ["/b.wav"])]

bus = Gio.bus_get_sync(Gio.BusType.SESSION)
told = last_read = NO_FILES[0]
still_to_tell: list[GLib.Variant] = []


def metadata() -> GLib.Variant:
    return GLib.Variant("a{sv}", {"xesam:title": GLib.Variant("s", "b"), "xesam:url": told})


def answer(*_: object) -> GLib.Variant:
    global last_read
    if still_to_tell and told is not last_read:
        last_read = told
        GLib.idle_add(tell, still_to_tell.pop(0))
    return metadata()


def call_bus(method: str, *arguments: object) -> None:
    name = "org.freedesktop.DBus"
    parameters = GLib.Variant("(su)" if len(arguments) == 2 else "(s)", arguments)
    bus.call_sync(name, "/org/freedesktop/DBus", name, method, parameters, None, Gio.DBusCallFlags.NONE, -1)


def tell(url: GLib.Variant) -> bool:
    global told
    told = url
    changed = GLib.Variant("(sa{sv}as)", ("org.mpris.MediaPlayer2.Player", {"Metadata": metadata()}, []))
    bus.emit_signal(None, PATH, "org.freedesktop.DBus.Properties", "PropertiesChanged", changed)
    return False


def misbehave(count: int) -> bool:
    """Is called again and again, so that calls are answered meanwhile."""
    call_bus("RequestName", NAME, 0)
    if count == 1000:
        still_to_tell.extend(NO_FILES[1:] + [GLib.Variant("s", sys.argv[1])])
        tell(GLib.Variant("s", "none"))
        print("The name stays.", flush=True)
        return False
    tell(NO_FILES[count % len(NO_FILES)])
    call_bus("ReleaseName", NAME)
    GLib.idle_add(misbehave, count + 1)
    return False


player = Gio.DBusNodeInfo.new_for_xml(XML).interfaces[0]
bus.register_object(PATH, player, None, answer, None)
GLib.idle_add(misbehave, 0)
GLib.MainLoop().run()
