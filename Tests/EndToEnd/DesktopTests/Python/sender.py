"""A window that opens a link at each key press except the first. Each link gets a new activation token.

    sender.py URL
"""

import itertools
import sys

import gi

gi.require_version("Gtk", "4.0")
from gi.repository import Gio, Gtk


def say(line):
    print(line, flush=True)


def activate(application):
    window = Gtk.ApplicationWindow(application=application, title="Sender")
    controller = Gtk.EventControllerKey()
    controller.connect("key-pressed", lambda *_: press(window))
    window.add_controller(controller)
    window.connect("notify::is-active", lambda *_: say(f"Sender is {'' if window.is_active() else 'not '}active"))
    window.present()


def press(window):
    # The first key press opens nothing. It makes the window count as used. Until a window has had input, a compositor
    # may let other windows take the focus from it.
    if next(keys) == 0:
        return say("Sender is used")
    Gio.AppInfo.launch_default_for_uri(sys.argv[1], window.get_display().get_app_launch_context())
    say(f"Sender has opened {sys.argv[1]}")


keys = itertools.count()
application = Gtk.Application(application_id="org.example.Sender")
application.connect("activate", activate)
application.run()
