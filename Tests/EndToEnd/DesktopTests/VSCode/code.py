"""Stands for VS Code: one process with all windows, each of which has a process of its own for extensions.

    code.py SCHEME [--folder-uri URI | --file-uri URI]

A second call shows the window with this place, or opens one, in the first process. A window with the place file:///a/b
answers to b.socket in the home (window.js), one without a place to code.socket.
"""

import os
import pathlib
import subprocess
import sys

import gi

gi.require_version("Gtk", "4.0")
from gi.repository import Gio, GLib, Gtk

WINDOW = pathlib.Path(__file__).with_name("window.js")


class Window(Gtk.ApplicationWindow):
    def __init__(self, application: Gtk.Application, scheme: str, place: str):
        super().__init__(application=application, title="Visual Studio Code")
        self.place = place
        socket = f"{os.environ['HOME']}/{pathlib.PurePath(place).stem or 'code'}.socket"
        self.extensions = subprocess.Popen(
            ["node", WINDOW, scheme, place, socket], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        GLib.io_add_watch(self.extensions.stdout, GLib.PRIORITY_DEFAULT, GLib.IOCondition.IN, self.read_title)
        self.connect("notify::is-active", self.tell_focus)
        self.connect("close-request", lambda *_: self.extensions.kill())
        self.present()

    def read_title(self, output, _condition) -> bool:
        *_, title = ["", *os.read(output.fileno(), 65536).decode().splitlines()]
        self.set_title(title)
        return title != ""

    def tell_focus(self, *_) -> None:
        self.extensions.stdin.write(f"{self.is_active()}\n".lower().encode())
        self.extensions.stdin.flush()


def open_place(application: Gtk.Application, line: Gio.ApplicationCommandLine) -> int:
    _, scheme, *rest = line.get_arguments()
    place = rest[1] if rest else ""
    found = [window for window in application.get_windows() if window.place == place]
    if found:
        found[0].present()
    else:
        Window(application, scheme, place)
    return 0


application = Gtk.Application(
    application_id=f"org.example.{sys.argv[1]}", flags=Gio.ApplicationFlags.HANDLES_COMMAND_LINE
)
application.connect("command-line", open_place)
application.run(sys.argv)
