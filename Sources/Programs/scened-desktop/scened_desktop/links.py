"""The page of links that were opened."""

import re
import time
from typing import Any

from gi.repository import Adw, GLib, Gtk, Pango  # type: ignore

from . import scenectl
from .chooser import Question
from .choices import choose
from .parts import box, button, icon, known, named, short, wants, website, words_of
from .words import _, shown

_MOST = 200
# In milliseconds.
_PAUSE = 500


class Links(Gtk.Stack):
    """Lists what the router remembers, the newest first."""

    def __init__(self, window: Gtk.Window) -> None:
        super().__init__()
        self._window = window
        self._rows: dict[str, _Link] = {}
        self._is_busy, self._is_stale = False, False
        self._search = Gtk.SearchEntry(placeholder_text=_("Search"), hexpand=True)
        named(self._search, _("Search"))
        self._list = Gtk.ListBox(
            css_classes=["boxed-list"], selection_mode=Gtk.SelectionMode.NONE, valign=Gtk.Align.START
        )
        named(self._list, _("Links"))
        self._list.set_placeholder(Gtk.Label(label=_("Nothing matches."), margin_top=24, margin_bottom=24))
        self._search.connect("search-changed", lambda _search: self._filter())
        top = box(self._search, button(_("Forget All"), self._ask_to_forget))
        content = box(
            top, self._list, vertical=True, spacing=12, margin_top=12, margin_bottom=12, margin_start=12, margin_end=12
        )
        clamp = Adw.Clamp(child=content, maximum_size=800)
        # Until the history is read.
        self.add_named(Gtk.Box(), "reading")
        self.add_named(Gtk.ScrolledWindow(child=clamp, hscrollbar_policy=Gtk.PolicyType.NEVER), "list")
        empty = Adw.StatusPage(
            icon_name="document-open-recent-symbolic",
            title=_("No Link Yet"),
            description=_(
                "Links are listed here once scened has opened them. It forgets them all with its option --history off."
            ),
        )
        self.add_named(empty, "empty")
        self.connect("map", lambda _page: self.note())

    def note(self) -> None:
        """Reads the history, at most twice a second, and not while nobody sees it."""
        if self._is_busy or not self.get_mapped():
            self._is_stale = True
            return
        self._is_busy, self._is_stale = True, False
        scenectl.run(["history", "--json", "-n", str(_MOST)], self._show)

    def search(self) -> None:
        self._search.grab_focus()

    def send_elsewhere(self, url: str) -> None:
        """Asks where to open a link."""
        self._window.get_application().ask(Question(url, lambda _status: None))

    def tell(self, error: str) -> None:
        self._window.tell(_("It Was Not Done"), error)

    def choose(self, handled: str, words: list[str]) -> None:
        choose(self._window, [handled], None, words, lambda: None)

    def _pause_ended(self) -> bool:
        self._is_busy = False
        if self._is_stale:
            self.note()
        return False

    def _show(self, records: list[dict[str, Any]], error: str | None) -> None:
        GLib.timeout_add(_PAUSE, self._pause_ended)
        if error:
            # Without a router, the window says so itself.
            return
        ids = {record["decisionId"] for record in records}
        for decision in [decision for decision in self._rows if decision not in ids]:
            self._list.remove(self._rows.pop(decision))
        for record in records:
            if row := self._rows.get(record["decisionId"]):
                row.show(record)
            else:
                row = self._rows[record["decisionId"]] = _Link(self, record)
                self._list.prepend(row)
        self._filter()
        self.set_visible_child_name("list" if records else "empty")

    def _filter(self) -> None:
        text = self._search.get_text().casefold()
        for row in self._rows.values():
            row.set_visible(text in row.text)

    def _ask_to_forget(self) -> None:
        sentence = _("scened then no longer knows where they went and why. Nothing brings them back.")
        self._window.confirm(_("Forget All Links?"), sentence, _("Forget All"), self._forget_all)

    def _forget_all(self) -> None:
        self.forget(_("All links are forgotten."), "--clear")

    def forget(self, sentence: str, *options: str) -> None:
        """Forgets what the options of `scenectl history` say, and shows the sentence."""

        def end(_objects: list[dict[str, Any]], error: str | None) -> None:
            if error:
                self.tell(error)
            else:
                self._window.toast(sentence)
            self.note()

        scenectl.run(["history", *options], end)


class _Link(Adw.ExpanderRow):
    """A link; its details are read when it unfolds."""

    def __init__(self, page: Links, record: dict[str, Any]) -> None:
        super().__init__(use_markup=False)
        self._page, self._url = page, record.get("comparisonString") or ""
        self._icon, self._always = Adw.Bin(), ""
        self._details = Gtk.Label(
            xalign=0, wrap=True, wrap_mode=Pango.WrapMode.WORD_CHAR, selectable=True, label=_("Reading…")
        )
        self._others = Gtk.Label(xalign=0, wrap=True, wrap_mode=Pango.WrapMode.WORD_CHAR, visible=False)
        elsewhere = button(_("Send Elsewhere…"), lambda: page.send_elsewhere(self._url))
        elsewhere.set_tooltip_text(_("Without what follows ? or # in the address, which scened does not remember."))
        self._keep = button(_("Always There"), lambda: page.choose(self._always, words_of(self._record)))
        self._keep.set_sensitive(False)
        self._ask = button("", lambda: page.choose(self._always, ["--ask"]))
        self._ask.set_visible(False)
        forget = button(_("Forget"), self._forget)
        for choice in (self._keep, self._ask):
            # The name of a host may be wider than the window.
            choice.get_child().set_wrap_mode(Pango.WrapMode.WORD_CHAR)
        content = box(
            self._details, self._others, box(elsewhere, self._keep, self._ask, forget, vertical=True), vertical=True,
            spacing=12, margin_top=12, margin_bottom=12, margin_start=12, margin_end=12,
        )  # fmt: skip
        self.add_prefix(self._icon)
        self.add_row(Gtk.ListBoxRow(child=content, activatable=False, focusable=False))
        self.connect("notify::expanded", lambda *_changed: self._unfold())
        self._record: dict[str, Any] = {}
        self.show(record)

    def show(self, record: dict[str, Any]) -> None:
        """Shows the link as scened now tells of it."""
        if record == self._record:
            return
        self._record = record
        self._scene = (record.get("attempts") or [{}])[-1].get("sceneId")
        when = time.localtime(record["routedUSec"] / 1_000_000)
        is_today = when[:3] == time.localtime()[:3]
        outcome = shown(record["sentence"], 300)
        self.set_title(short(self._url))
        self.set_subtitle(f"{time.strftime('%H:%M' if is_today else '%x %H:%M', when)} → {outcome}")
        self._icon.set_child(icon(known(record["application"])[1] if "application" in record else None))
        self.text = f"{self._url} {outcome}".casefold()
        named(self, f"{self.get_title()} {self.get_subtitle()}")
        self._allow_keeping()

    def _forget(self) -> None:
        sentence = _("Forgotten: {link}").format(link=self.get_title())
        self._page.forget(sentence, "--forget", self._record["decisionId"])

    def _unfold(self) -> None:
        if self.get_expanded():
            scenectl.run(["why", self._record["decisionId"]], self._explain)
            scenectl.run(["handler", "candidates", "--json", "--", self._url], self._show_others)

    def _explain(self, lines: list[dict[str, Any]], error: str | None) -> None:
        # Without the ids of the link and of its window, which are for commands.
        told = [line["line"] for line in lines if not re.match(r"See: |Scene \S+ has ", line["line"])]
        told[:1] = [line.partition(": ")[2] for line in told[:1]]
        self._details.set_label(shown(error) if error else "\n".join(map(shown, told)))

    def _show_others(self, objects: list[dict[str, Any]], error: str | None) -> None:
        if error or not objects:
            return
        self._always = next((key["handled"] for key in objects[0].get("always", []) if "from" not in key), "")
        if self._always:
            links = website(self._always)
            self._keep.set_label(_("Always There for {links}").format(links=links))
            self._ask.set_label(_("Ask Each Time for {links}").format(links=links))
            self._ask.set_visible(not self._url.startswith("file:"))
        self._allow_keeping()
        others = [wants(row) for row in objects[1:] if row["kind"] == "window" and row["scene"] != self._scene]
        self._others.set_label("\n".join([_("Other windows that want it:"), *others]))
        self._others.set_visible(bool(others))

    def _allow_keeping(self) -> None:
        # An action is for one link only.
        if self._always and self._record["isTaken"] and "action" not in self._record:
            self._keep.set_sensitive(True)
