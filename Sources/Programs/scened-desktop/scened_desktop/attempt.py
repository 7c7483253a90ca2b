"""The page on which a link is tried, without sending it."""

from functools import partial
from typing import Any

from gi.repository import Adw, GLib, Gtk  # type: ignore

from . import scenectl
from .parts import box, button, icon, known, named, token, wants
from .words import _, shown

# In milliseconds, after the last key.
_PAUSE = 150


class Attempt(Adw.PreferencesPage):
    """Says where a link would go, and who else wants it."""

    def __init__(self, window: Gtk.Window) -> None:
        super().__init__()
        self._window, self._timer = window, 0
        self._entry = Gtk.Entry(placeholder_text=_("Type or paste a link"), hexpand=True, max_length=0)
        named(self._entry, _("Link"))
        self._entry.connect("changed", lambda _entry: self._wait())
        self._entry.connect("activate", lambda _entry: self._open())
        self._button = button(_("Open"), self._open, css_classes=["suggested-action"])
        self._button.set_sensitive(False)
        top = Adw.PreferencesGroup(description=_("Nothing is sent until you press Open."))
        top.add(box(self._entry, self._button))
        self._target = Adw.PreferencesGroup(title=_("Where It Would Go"), visible=False)
        self._row = Adw.ActionRow(use_markup=False)
        self._icon = Adw.Bin()
        self._row.add_prefix(self._icon)
        self._target.add(self._row)
        self._others = Adw.PreferencesGroup(title=_("Who Else Wants It"), visible=False)
        self._other_rows: list[Gtk.Widget] = []
        for group in (top, self._target, self._others):
            self.add(group)

    def _url(self) -> str:
        return self._entry.get_text().strip()

    def _wait(self) -> None:
        if self._timer:
            GLib.source_remove(self._timer)
        self._button.set_sensitive(bool(self._url()))
        self._timer = GLib.timeout_add(_PAUSE, self._explain)

    def _explain(self) -> bool:
        self._timer = 0
        url = self._url()
        if url:
            scenectl.run(["explain", "--full", "--", url], partial(self._show_target, url))
        else:
            self._target.set_visible(False)
            self._others.set_visible(False)
        return False

    def _show_target(self, url: str, lines: list[dict[str, Any]], error: str | None) -> None:
        if url != self._url():
            return
        # The first line is the sentence. It is there if the link would go nowhere, too.
        self._row.set_title(shown(lines[0]["line"] if lines else error or ""))
        self._row.set_subtitle("")
        self._icon.set_child(icon(None))
        self._target.set_visible(True)
        self._others.set_visible(False)
        if lines:
            scenectl.run(["handler", "candidates", "--json", "--", url], partial(self._show_candidates, url))

    def _show_candidates(self, url: str, objects: list[dict[str, Any]], error: str | None) -> None:
        if url != self._url() or error:
            return
        for row in self._other_rows:
            self._others.remove(row)
        candidates = objects[1:]
        first = next((row for row in candidates if row.get("isFirst")), None)
        if first:
            self._icon.set_child(icon(first.get("icon")))
            if first["kind"] != "window":
                started = _("{name} would be started, or would open it in a window of its own.")
                self._row.set_subtitle(started.format(name=shown(first["name"], 200)))
        others = [row for row in candidates if row is not first and row["kind"] in ("window", "application")]
        self._other_rows = [_other(candidate) for candidate in others]
        for row in self._other_rows:
            self._others.add(row)
        self._others.set_visible(bool(others))

    def _open(self) -> None:
        def end(lines: list[dict[str, Any]], error: str | None) -> None:
            if error:
                told = "\n".join([*(line["line"] for line in lines), error])
                self._window.tell(_("The Link Was Not Opened"), told)
            elif lines:
                self._window.toast(lines[0]["line"])

        if self._url():
            scenectl.run(["open", "--", self._url()], end, token(self))


def _other(candidate: dict[str, Any]) -> Gtk.Widget:
    row = Adw.ActionRow(use_markup=False, title=wants(candidate))
    row.add_prefix(icon(candidate.get("icon") or known(candidate["application"])[1]))
    return row
