"""The page of what the user has chosen, and what opens the rest."""

import re
import shlex
from collections.abc import Callable
from functools import partial
from typing import Any
from urllib.parse import urlsplit

from gi.repository import Adw, Gio, GLib, Gtk  # type: ignore

from . import scenectl
from .parts import box, button, icon, known, named, website, words_of
from .words import _, shown

_WEB = {"http", "https"}
# An advice of `scenectl check` that is one command.
_COMMAND = re.compile(r"'(scenectl handler (?:set|unset) [^']+)'")


def choose(
    window: Gtk.Window, keys: list[str], sender: str | None, words: list[str], done: Callable[[], object]
) -> None:
    """Makes a choice, which a toast can undo.

    words: the application as `scenectl handler set` names it; nothing means scened.
    done: called after each change.
    """

    def set_others(in_force: list[dict[str, Any]], _error: str | None) -> None:
        # A second choice of the same would change nothing, and its undoing would take away the first.
        chosen = {
            item["handled"]
            for item in in_force
            if "path" in item and item.get("from") == sender and words_of(item) == words
        }
        if others := [key for key in keys if key not in chosen]:
            change(window, ["set", *others, *words], ["unset", *others], sender, done)
        else:
            window.toast(_("This is your choice already."))

    scenectl.run(["handler", "list", *keys, "--json"], set_others)


def change(
    window: Gtk.Window, words: list[str], opposite: list[str], sender: str | None, done: Callable[[], object]
) -> None:
    """Runs a command of `scenectl handler`, and offers the one that undoes it."""
    of_sender = ["--from", sender] if sender else []

    def end(can_undo: bool, changed: list[dict[str, Any]], error: str | None) -> None:
        if error:
            window.tell(_("The Choice Was Not Changed"), error)
        elif changed:
            undo = partial(scenectl.run, ["handler", *opposite, *of_sender, "--json"], partial(end, False))
            # What is said of http is said of https, too.
            told = {item["sentence"].partition(": ")[2]: item["sentence"] for item in reversed(changed)}
            window.toast("; ".join(reversed(told.values())), undo if can_undo else None)
        done()

    scenectl.run(["handler", *words, *of_sender, "--json"], partial(end, True))


class Choices(Adw.PreferencesPage):
    """Groups of what is opened by whom; read again when the page is shown, and after each change."""

    def __init__(self, window: Gtk.Window) -> None:
        super().__init__()
        self._window = window
        self._shows_types = False
        self._last_read = 0
        # Hosts for which no program is chosen yet.
        self._added: dict[str, dict[str, Any]] = {}
        self._rows: dict[tuple[str, str | None], _Choice] = {}
        self._finding_rows: list[Gtk.Widget] = []
        self._findings = Adw.PreferencesGroup(title=_("Possible Mistakes"), visible=False)
        self._groups = {
            "web": Adw.PreferencesGroup(title=_("Web")),
            "mail": Adw.PreferencesGroup(title=_("Mail")),
            "host": Adw.PreferencesGroup(
                title=_("Websites"), description=_("Links to one website can go to another program, or ask each time.")
            ),
            "sender": Adw.PreferencesGroup(title=_("By Sender")),
            "other": Adw.PreferencesGroup(title=_("Other Links")),
            "file": Adw.PreferencesGroup(title=_("Files")),
        }
        for group in (self._findings, *self._groups.values()):
            self.add(group)
        self._show_groups()
        self._host = Gtk.Entry(placeholder_text=_("A website or a link"), hexpand=True)
        named(self._host, _("Add a website"))
        self._host.connect("activate", lambda _entry: self._add_host())
        add = button(_("Add"), self._add_host)
        add.set_sensitive(False)
        self._host.connect("changed", lambda entry: add.set_sensitive(bool(entry.get_text().strip())))
        adding = box(self._host, add, margin_top=12, margin_bottom=6)
        self._groups["host"].add(adding)
        self._more = button(_("Show All Types"), self._show_types)
        self._groups["file"].set_header_suffix(self._more)
        last = Adw.PreferencesGroup()
        last.add(button(_("Take All Back"), self._ask_to_take_all_back))
        self.add(last)
        self.connect("map", lambda _page: self.read())

    def read(self) -> None:
        """Asks scenectl what is in force. An answer that comes after that to a later question is not shown."""
        self._last_read += 1
        number = self._last_read

        def newest(show: scenectl.Done) -> scenectl.Done:
            return lambda objects, error: number == self._last_read and show(objects, error)

        scenectl.run(["handler", "list", *(["--all"] if self._shows_types else []), "--json"], newest(self._show))
        scenectl.run(["check", "--json"], newest(self._show_findings))

    def choose(self, row: "_Choice", words: list[str]) -> None:
        choose(self._window, row.keys, row.sender, words, self.read)

    def take_back(self, row: "_Choice") -> None:
        again = ["set", *row.keys, *words_of(row.item)]
        change(self._window, ["unset", *row.keys], again, row.sender, self.read)

    def _show(self, items: list[dict[str, Any]], error: str | None) -> None:
        if error:
            # The findings say it, too.
            self._window.toast(error)
            return
        web = [item for item in items if item["handled"] in _WEB and "from" not in item]
        if len(web) == 2 and all(web[0].get(key) == web[1].get(key) for key in ("application", "profile", "then")):
            items = [item for item in items if item is not web[0]]
            web[1]["keys"] = sorted(_WEB)
        for item in items:
            self._added.pop(item["handled"], None)
        items += self._added.values()
        now = {(item["handled"], item.get("from")): item for item in items}
        for key in [key for key in self._rows if key not in now]:
            row = self._rows.pop(key)
            self._groups[row.kind].remove(row)
        for key, item in now.items():
            if key not in self._rows:
                row = self._rows[key] = _Choice(self, item)
                self._groups[row.kind].add(row)
            self._rows[key].show(item)
        self._show_groups()

    def _show_groups(self) -> None:
        kinds = {row.kind for row in self._rows.values()}
        for kind, group in self._groups.items():
            group.set_visible(kind in kinds or kind in ("host", "file"))

    def _show_findings(self, findings: list[dict[str, Any]], error: str | None) -> None:
        for row in self._finding_rows:
            self._findings.remove(row)
        # Findings are an error for scenectl, too.
        if error and not findings:
            findings = [{"sentence": error, "place": "scenectl check", "advice": ""}]
        self._finding_rows = [self._finding(finding) for finding in findings]
        for row in self._finding_rows:
            self._findings.add(row)
        self._findings.set_visible(bool(findings))

    def _finding(self, finding: dict[str, Any]) -> Gtk.Widget:
        texts = (shown(finding[key], 500) for key in ("sentence", "advice", "place"))
        sentence, *details = (text for text in texts if text)
        row = Adw.ActionRow(use_markup=False, title=sentence, subtitle="\n".join(details))
        row.add_prefix(Gtk.Image(icon_name="dialog-warning-symbolic"))
        if found := _COMMAND.search(finding["advice"]):
            words = shlex.split(found[1])[2:]
            opposite = ["unset" if words[0] == "set" else "set", *words[1:]]
            row.add_suffix(button(_("Mend It"), lambda: change(self._window, words, opposite, None, self.read)))
        return row

    def _add_host(self) -> None:
        text = self._host.get_text().strip()
        try:
            host = urlsplit(text).hostname if "://" in text else text
        except ValueError:
            host = None
        if not host:
            self._window.tell(_("There Is No Website"), _("'{text}' names no website.").format(text=shown(text, 200)))
            return
        self._host.set_text("")
        handled = host if "." in host or host.startswith("//") else f"//{host}"
        row = self._rows.get((handled, None))
        if row is None:
            item = {"handled": handled, "application": "", "name": "", "because": "", "kind": "host"}
            row = self._rows[handled, None] = _Choice(self, item)
            self._added[handled] = item
            self._groups["host"].add(row)
        GLib.idle_add(lambda: row.open_menu() and False)

    def _ask_to_take_all_back(self) -> None:
        sentence = _(
            "This takes back all that you chose here, in questions, or with 'scenectl handler set'. "
            "Links and files then open as before. Nothing brings the choices back."
        )
        self._window.confirm(_("Take All Choices Back?"), sentence, _("Take All Back"), self._take_all_back)

    def _take_all_back(self) -> None:
        def end(changed: list[dict[str, Any]], error: str | None) -> None:
            if error:
                self._window.tell(_("The Choice Was Not Changed"), error)
            else:
                told = "\n".join(item["sentence"] for item in changed) or _("No choice was left.")
                self._window.tell(_("All Choices Are Taken Back"), told)
            self.read()

        scenectl.run(["handler", "unset", "--all", "--json"], end)

    def _show_types(self) -> None:
        self._shows_types = not self._shows_types
        self._more.set_label(_("Show Chosen Types") if self._shows_types else _("Show All Types"))
        self.read()


class _Choice(Adw.ActionRow):
    """What opens a scheme, the links of a host or of a sender, or a type of files."""

    def __init__(self, page: Choices, item: dict[str, Any]) -> None:
        super().__init__(use_markup=False)
        self._page = page
        self.kind, self._link, title = _described(item["handled"], item.get("from"))
        self._icon = Adw.Bin()
        # No `Gio.Menu`: its items have no accessible name in GTK 4.18.
        self._programs = box(vertical=True, spacing=0)
        menu = box(self._programs, Gtk.Separator(), vertical=True, spacing=0)
        if self.kind != "host" and not item.get("from"):
            menu.append(self._entry(_("The window that wants it (scened)"), []))
        if self.kind != "file":
            menu.append(self._entry(_("Ask each time"), ["--ask"]))
        self._back = self._item(_("Take this choice back"), lambda: page.take_back(self))
        menu.append(self._back)
        scrolled = Gtk.ScrolledWindow(
            child=menu, hscrollbar_policy=Gtk.PolicyType.NEVER, propagate_natural_height=True, max_content_height=400
        )
        self._popover = Gtk.Popover(child=scrolled)
        self._popover.connect("map", lambda _popover: self._fill())
        self._button = Gtk.MenuButton(label=_("Change"), popover=self._popover, valign=Gtk.Align.CENTER)
        named(self._button, _("Change {title}").format(title=title))
        self.add_prefix(self._icon)
        self.add_suffix(self._button)
        self.set_title(title)
        self.show(item)

    def show(self, item: dict[str, Any]) -> None:
        """Shows what opens it now."""
        self.item, self.sender = item, item.get("from")
        self.keys = item.get("keys", [item["handled"]])
        name, because = shown(item["name"], 200), shown(item["because"], 200)
        if item["application"] == "scened-ask":
            name = _("Ask each time")
        elif item["application"] == "scened-open" and item["thenNames"]:
            name = _("{name}, else {other}").format(name=name, other=shown(item["thenNames"][0], 200))
        self._icon.set_tooltip_text(because if "path" in item else None)
        if "path" in item:
            because = _("your choice") if because.startswith("~") else _("chosen in {place}").format(place=because)
        self.set_subtitle(f"{name} — {because}" if name else _("Choose a program."))
        self._icon.set_child(icon(known(item["application"])[1]))
        self._back.set_sensitive("path" in item)

    def open_menu(self) -> None:
        self._button.grab_focus()
        self._button.popup()

    def _fill(self) -> None:
        if self.kind == "file":
            entries = Gio.AppInfo.get_all_for_type(self.item["handled"])
            names = [(entry.get_display_name(), entry.get_id().removesuffix(".desktop")) for entry in entries]
            # Also without the entries of earlier choices.
            self._replace([(name, [program]) for name, program in names if not program.startswith("scened-")])
        else:
            scenectl.run(["handler", "candidates", "--json", "--", self._link], self._receive)

    def _receive(self, objects: list[dict[str, Any]], error: str | None) -> None:
        if error:
            self._page.get_root().tell(_("The Programs Are Not Known"), error)
        names = []
        for row in objects[1:]:
            if row["kind"] in ("application", "profile"):
                names.append((row["name"], words_of(row)))
        self._replace(names)

    def _replace(self, names: list[tuple[str, list[str]]]) -> None:
        while old := self._programs.get_first_child():
            self._programs.remove(old)
        for name, words in names:
            self._programs.append(self._entry(shown(name, 100), words))

    def _entry(self, label: str, words: list[str]) -> Gtk.Button:
        """Returns an item that makes a choice; `words` are those of `scenectl handler set`."""
        return self._item(label, lambda: self._page.choose(self, words))

    def _item(self, label: str, press: Callable[[], object]) -> Gtk.Button:
        made = Gtk.Button(child=Gtk.Label(label=label, xalign=0), css_classes=["flat"])
        named(made, label)
        made.connect("clicked", lambda _item: [self._popover.popdown(), press()])
        return made


def _described(handled: str, sender: str | None) -> tuple[str, str, str]:
    """Returns the group of a choice, a link to which it applies, and its title."""
    text, first = shown(handled, 120), handled.split("/")[0]
    if handled.startswith("//") or "." in first and not handled.endswith(":") and "/" not in first:
        kind, link, title = "host", f"https://{handled.removeprefix('//').removeprefix('*.')}/", website(handled)
    elif "/" in handled:
        kind, link, title = "file", "", f"{Gio.content_type_get_description(handled)} ({text})"
    else:
        scheme = handled.removesuffix(":")
        kind = "web" if scheme in _WEB else "mail" if scheme == "mailto" else "other"
        link = f"{scheme}://example.org/" if kind == "web" else f"{scheme}:x"
        title = {"https": _("Web links"), "http": _("Web links without encryption"), "mailto": _("Mail addresses")}.get(
            scheme, _("Links with {scheme}:").format(scheme=text.removesuffix(":"))
        )
    if sender:
        kind, title = "sender", _("{title} from {name}").format(title=title, name=known(sender)[0])
    return kind, link, title
