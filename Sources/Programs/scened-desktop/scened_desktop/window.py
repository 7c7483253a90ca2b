"""The main window, whose pages show what scened does and what the user has chosen."""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal

import scened
from gi.repository import Adw, Gio, GLib, Gtk, Pango  # type: ignore

from . import systemd
from .attempt import Attempt
from .choices import Choices
from .links import Links
from .parts import button
from .welcome import Welcome
from .windows import Windows
from .words import _, shown

PAGES = ("windows", "links", "choices", "try", "start")


class Window(Adw.ApplicationWindow):
    """Shows one page; at the first start, the one that says what scened does."""

    def __init__(self, application: Adw.Application) -> None:
        self._size_file = Path(GLib.get_user_state_dir(), "scened", "desktop")
        try:
            width, height = (int(word) for word in self._size_file.read_text().split())
        except (OSError, ValueError):
            width, height = 720, 640
        super().__init__(application=application, title="scened", default_width=width, default_height=height)
        self.set_size_request(360, 360)
        self._windows, self._links = Windows(self), Links(self)
        self._lives = [_Live(self, page) for page in (self._windows, self._links, Attempt(self))]
        windows, links, attempt = self._lives
        self._pages = Adw.ViewStack(vexpand=True)
        for name, title, icon, page in (
            ("windows", _("Windows"), "focus-windows-symbolic", windows),
            ("links", _("Links"), "document-open-recent-symbolic", links),
            ("choices", _("Choices"), "preferences-system-symbolic", Choices(self)),
            ("try", _("Try"), "system-search-symbolic", attempt),
            ("start", _("Start"), "go-home-symbolic", Welcome(self)),
        ):
            self._pages.add_titled(page, name, title).set_icon_name(icon)
        switcher = Adw.ViewSwitcherTitle(stack=self._pages, title="scened")
        bar = Adw.ViewSwitcherBar(stack=self._pages)
        switcher.bind_property("title-visible", bar, "reveal")
        content = Gtk.Box(orientation=Gtk.Orientation.VERTICAL)
        for part in (Adw.HeaderBar(title_widget=switcher), self._pages, bar):
            content.append(part)
        self._toasts = Adw.ToastOverlay(child=content)
        self._toast: Adw.Toast | None = None
        self.set_content(self._toasts)
        for number, name in enumerate(PAGES, 1):
            act = Gio.SimpleAction(name=name)
            act.connect("activate", lambda *_parameters, name=name: self.show_page(name))
            self.add_action(act)
            application.set_accels_for_action(f"win.{name}", [f"<Alt>{number}"])
        search = Gio.SimpleAction(name="search")
        search.connect("activate", lambda *_parameters: self._search())
        self.add_action(search)
        application.set_accels_for_action("win.search", ["<Control>f"])
        if not self._size_file.exists():
            self.show_page("start")

        # The part of a snapshot that has come so far.
        self._scenes: list[dict[str, Any]] = []
        self._router = scened.Router(call=GLib.idle_add, on_state=self._note_state)
        self._monitor = self._router.monitor(self._note)
        self.connect("close-request", self._close)

    def show_page(self, name: str) -> None:
        """Shows one of `PAGES`."""
        self._pages.set_visible_child_name(name)

    def toast(self, sentence: str, undo: Callable[[], object] | None = None) -> None:
        """Shows a sentence for a moment, and a button that undoes what it says."""
        # A title would be one line, and cut.
        label = Gtk.Label(
            label=shown(sentence, 300), wrap=True, wrap_mode=Pango.WrapMode.WORD_CHAR, xalign=0,
            natural_wrap_mode=Gtk.NaturalWrapMode.NONE, css_classes=["heading"],
        )
        toast = Adw.Toast(custom_title=label, timeout=10)
        toast.connect("dismissed", self._forget_toast)
        if undo:
            toast.set_button_label(_("Undo"))
            toast.connect("button-clicked", lambda _toast: undo())
        # Otherwise the new one would wait for the end of the last one.
        if self._toast:
            self._toast.dismiss()
        self._toast = toast
        self._toasts.add_toast(toast)

    def _forget_toast(self, toast: Adw.Toast) -> None:
        if toast is self._toast:
            self._toast = None

    def tell(self, title: str, sentences: str) -> None:
        """Shows an error or a result until it was read."""
        body = "\n".join(map(shown, sentences.splitlines()))
        dialog = Adw.MessageDialog(transient_for=self, modal=True, heading=title, body=body)
        dialog.add_response("close", _("Close"))
        dialog.present()

    def confirm(self, title: str, sentence: str, label: str, act: Callable[[], object]) -> None:
        """Does what cannot be undone, if the user presses the button with this label."""
        dialog = Adw.MessageDialog(transient_for=self, modal=True, heading=title, body=sentence)
        dialog.add_response("cancel", _("Cancel"))
        dialog.add_response("act", label)
        dialog.set_response_appearance("act", Adw.ResponseAppearance.DESTRUCTIVE)
        dialog.connect("response", lambda _dialog, response: response == "act" and act())
        dialog.present()

    def copy(self, text: str) -> None:
        self.get_clipboard().set(text)
        self.toast(_("The command is copied; paste it into a terminal."))

    def start_router(self) -> None:
        """Starts scened; its pages come back when it answers."""

        def end(_out: str, error: str | None) -> None:
            if error:
                self.tell(_("scened Was Not Started"), error)

        systemd.run(["start", "scened.socket"], end)

    def _search(self) -> None:
        self.show_page("links")
        self._links.search()

    def _note_state(self, state: Literal["connected", "reconnecting"]) -> None:
        if state == "reconnecting":
            self._scenes = []
            for live in self._lives:
                live.set_visible_child_name("stopped")

    def _note(self, reply: dict[str, Any]) -> None:
        if snapshot := reply.get("snapshot"):
            self._scenes += snapshot["scenes"]
            if snapshot["isComplete"]:
                self._windows.replace(self._scenes)
                self._links.note()
                self._scenes = []
                for live in self._lives:
                    live.set_visible_child_name("running")
        elif scene := reply.get("sceneChanged"):
            self._windows.change(scene)
        elif scene_id := reply.get("sceneClosed"):
            self._windows.remove(scene_id)
        elif reply.get("settlement") or reply.get("decision"):
            self._links.note()
        elif reply.get("dropped"):
            self._scenes = []
            self._monitor.close()
            self._monitor = self._router.monitor(self._note)

    def _close(self, _window: Gtk.Window) -> bool:
        width, height = self.get_default_size()
        try:
            self._size_file.parent.mkdir(parents=True, exist_ok=True)
            self._size_file.write_text(f"{width} {height}\n")
        except OSError as error:
            print(f"scened-desktop: the size of the window is not kept: {error}.", file=sys.stderr)
        self._router.close()
        return False


class _Live(Gtk.Stack):
    """A page that needs scened; says so while scened does not run."""

    def __init__(self, window: Window, page: Gtk.Widget) -> None:
        super().__init__()
        stopped = Adw.StatusPage(
            icon_name="network-offline-symbolic",
            title=_("scened Does Not Run"),
            description=_("Links open as if it were not installed. This page comes back when scened runs."),
            child=button(_("Start It"), window.start_router, css_classes=["pill", "suggested-action"]),
        )
        stopped.get_child().set_halign(Gtk.Align.CENTER)
        self.add_named(page, "running")
        self.add_named(stopped, "stopped")
