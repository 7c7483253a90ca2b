"""The page of the first start: what scened can do here, each with its way back."""

import os
import shutil
from typing import Any

from gi.repository import Adw, GLib, Gtk  # type: ignore

from . import scenectl, systemd
from .choices import change
from .parts import button, icon
from .words import _

_SOCKET = "scened.socket"
# Name, programs, icon, the file of the adapter below a directory of data, and its package.
_ADAPTERS = (
    ("Chromium", ["chromium"], "chromium", "chromium/extensions/scened", "scened-browser"),
    (
        "Firefox", ["firefox-esr", "firefox"], "firefox-esr",
        "mozilla/extensions/{ec8030f7-c20a-464f-9b0e-13a3a9e97384}/windows@scened.io", "scened-browser",
    ),
    ("Neovim", ["nvim"], "nvim", "nvim/site/plugin/scened.lua", "scened-editors"),
    ("Emacs", ["emacs"], "emacs", "emacs/site-lisp/scened.el", "scened-editors"),
)  # fmt: skip


class Welcome(Adw.PreferencesPage):
    """Two switches, and the programs that can take part."""

    def __init__(self, window: Gtk.Window) -> None:
        super().__init__()
        self._window = window
        about = Adw.PreferencesGroup(
            title=_("Links Open in the Right Window"),
            description=_("scened gives a link to the open window that wants it. Other links open as before."),
        )
        self._default = _switch(
            _("Web Links Go Through scened"),
            _(
                "Writes scened into the list of default programs. "
                "The switch takes it back to what it was, and 'scenectl handler unset http https' does, too."
            ),
            self._set_default,
        )
        self._session = _switch(
            _("Start With the Session"),
            _(
                "scened starts when a program first asks for it. "
                "The switch takes it back; then no window takes part, and links open as if it were not installed."
            ),
            self._set_session,
        )
        for row in (self._default, self._session):
            about.add(row)
        self.add(about)
        programs = Adw.PreferencesGroup(
            title=_("Browsers and Editors Found Here"),
            description=_("Each takes part by an adapter. 'sudo apt remove' with the adapter's package takes it back."),
        )
        found = [adapter for adapter in _ADAPTERS if any(map(shutil.which, adapter[1]))]
        for adapter in found:
            programs.add(self._program(*adapter))
        if not found:
            programs.add(Adw.ActionRow(title=_("None of Chromium, Firefox, Neovim and Emacs is installed.")))
        self.add(programs)
        self.connect("map", lambda _page: self._read())

    def _program(self, name: str, _programs: list[str], picture: str, file: str, package: str) -> Gtk.Widget:
        directories = [GLib.get_user_data_dir(), *GLib.get_system_data_dirs()]
        row = Adw.ActionRow(title=name)
        row.add_prefix(icon(picture))
        if any(os.path.exists(f"{directory}/{file}") for directory in directories):
            row.set_subtitle(_("Its windows take part, after its next start at the latest."))
        else:
            command = f"sudo apt install ./{package}_*.deb"
            row.set_subtitle(_("Its adapter is missing: {command}").format(command=command))
            row.add_suffix(
                button(_("Copy the Command"), lambda: self._window.copy(command), icon="edit-copy-symbolic")
            )
        return row

    def _read(self) -> None:
        def show_default(items: list[dict[str, Any]], error: str | None) -> None:
            _show(self._default, bool(items) and all(item["application"] == "scened-open" for item in items), error)

        def show_session(out: str, error: str | None) -> None:
            # For a unit that is not enabled, systemctl prints the state, and fails.
            _show(self._session, out == "enabled", None if out else error)

        scenectl.run(["handler", "list", "http", "https", "--json"], show_default)
        systemd.run(["is-enabled", _SOCKET], show_session)

    def _set_default(self, is_on: bool) -> None:
        words = [["set", "http", "https"], ["unset", "http", "https"]]
        change(self._window, words[not is_on], words[is_on], None, self._read)

    def _set_session(self, is_on: bool) -> None:
        # A package enables the socket for all users; then only a mask takes it back for this one.
        steps = [["unmask", _SOCKET], ["enable", "--now", _SOCKET]] if is_on else [["disable", "--now", _SOCKET]]

        def step(_out: str = "", error: str | None = None) -> None:
            if error:
                self._window.tell(_("The Session Was Not Changed"), error)
                self._read()
            elif steps:
                systemd.run(steps.pop(0), step)
            elif is_on:
                self._read()
            else:
                systemd.run(["is-enabled", _SOCKET], mask)

        def mask(out: str, _error: str | None) -> None:
            if out == "enabled":
                steps.append(["mask", "--now", _SOCKET])
                systemd.run(steps.pop(), lambda _out, error: step("", error) if error else self._read())
            else:
                self._read()

        step()


def _switch(title: str, subtitle: str, change_to: Any) -> Adw.ActionRow:
    switch = Gtk.Switch(valign=Gtk.Align.CENTER)
    row = Adw.ActionRow(title=title, subtitle=subtitle, activatable_widget=switch)
    row.add_suffix(switch)
    row.about = subtitle

    def change_state(_switch: Gtk.Switch, is_on: bool) -> bool:
        # `_show` sets the state that was read; only the other one is the user's wish.
        if is_on != switch.get_state():
            # Until the new state is read; a second change meanwhile would be lost.
            switch.set_sensitive(False)
            change_to(is_on)
        return True

    switch.connect("state-set", change_state)
    return row


def _show(row: Adw.ActionRow, is_on: bool, error: str | None) -> None:
    switch = row.get_activatable_widget()
    switch.set_state(is_on)
    switch.set_active(is_on)
    switch.set_sensitive(error is None)
    row.set_subtitle(_("This cannot be changed here: {error}.").format(error=error) if error else row.about)
