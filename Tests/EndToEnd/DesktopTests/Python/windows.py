"""An application of GTK 4 with two windows that get links."""

import multiprocessing
import time

import gi

gi.require_version("Gtk", "4.0")
from gi.repository import GLib, GObject, Gtk

import scened
import scened.gtk


class Album(Gtk.ApplicationWindow):
    album = GObject.Property(type=str)

    def __init__(self, application, album, request=None):
        super().__init__(application=application, title=f"Album {album}", album=album)
        self.connect("notify::is-active", lambda *_: self.is_active() and say(f"{self.get_title()} is active"))
        scened.gtk.attach(
            self, APPLICATION, self.show_link, lambda: [f"album/{self.album}"], follows=["album"], request=request
        )
        self.present()

    def show_link(self, event):
        command, _, value = event.url.partition("?")
        if command.endswith("close"):
            GLib.idle_add(self.close)
        elif command.endswith("album"):
            self.album = value
            self.set_title(f"Album {value}")
        elif command.endswith("fork"):
            worker = multiprocessing.get_context("fork").Process(target=time.sleep, args=[300])
            worker.start()
            say(f"worker {worker.pid}")
        elif command.endswith("no"):
            raise scened.Decline("not this one")
        say(f"{self.get_title()} took {event.url}")


def say(line):
    print(line, flush=True)


def activate(application):
    scenes = [scened.SceneDeclaration("album", matching=["new"])]
    scened.gtk.router().declare(APPLICATION, scenes, lambda request: Album(application, "3", request))
    for album in "12":
        Album(application, album)


APPLICATION = "org.example.Albums"
application = Gtk.Application(application_id="org.example.Albums")
application.connect("activate", activate)
application.run()
