"""The page of all open windows that take part."""

from collections import defaultdict
from collections.abc import Iterable
from typing import Any

from gi.repository import Adw, Gio, GLib, GObject, Gtk, Pango  # type: ignore

from . import scenectl
from .parts import box, button, icon, known, named, short, token
from .words import _, shown

_INSTALL = "sudo apt install ./scened-browser_*.deb ./scened-editors_*.deb"
# In milliseconds: changes that come together are shown together.
_PAUSE = 100
# Enough to look through; each row costs time with each change.
_MOST = 200


class Windows(Gtk.Stack):
    """Lists scenes by application, the one that was active last first."""

    def __init__(self, window: Gtk.Window) -> None:
        super().__init__()
        self._window = window
        # Scene ids, and applications of headings.
        self._items: dict[str, _Item] = {}
        self._headings: dict[str, _Item] = {}
        self._shown: list[_Item] = []
        self._timer = 0
        self._model = Gio.ListStore(item_type=_Item)
        factory = Gtk.SignalListItemFactory()
        factory.connect("setup", lambda _factory, cell: cell.set_child(_Row(self._raise)))
        factory.connect("bind", lambda _factory, cell: cell.get_child().bind(cell))
        factory.connect("unbind", lambda _factory, cell: cell.get_child().unbind())
        selection = Gtk.SingleSelection(model=self._model, autoselect=False, can_unselect=True)
        self._view = Gtk.ListView(model=selection, factory=factory, css_classes=["navigation-sidebar"])
        named(self._view, _("Open windows"))
        self._view.connect("activate", lambda _view, position: self._raise(self._model.get_item(position).scene))
        clamp = Adw.ClampScrollable(child=self._view, maximum_size=800)
        scrolled = Gtk.ScrolledWindow(child=clamp, hscrollbar_policy=Gtk.PolicyType.NEVER, vexpand=True)
        self._more = Gtk.Label(wrap=True, visible=False, margin_top=6, margin_bottom=6, css_classes=["dim-label"])
        self.add_named(box(scrolled, self._more, vertical=True, spacing=0), "list")
        empty = Adw.StatusPage(
            icon_name="focus-windows-symbolic",
            title=_("No Window Takes Part Yet"),
            description=_(
                "Browsers and editors take part with the packages scened-browser and scened-editors. "
                "This command installs them; then start the browser or the editor again."
            ),
            child=box(
                Gtk.Label(label=_INSTALL, selectable=True, wrap=True, css_classes=["monospace"]),
                button(
                    _("Copy the Command"), lambda: window.copy(_INSTALL), css_classes=["pill", "suggested-action"]
                ),
                vertical=True, halign=Gtk.Align.CENTER, spacing=18,
            ),
        )  # fmt: skip
        self.add_named(empty, "empty")
        self.connect("map", lambda _page: self._arrange())

    def replace(self, scenes: Iterable[dict[str, Any]]) -> None:
        """Shows these scenes and no others."""
        self._items = {scene["runtime"]["sceneId"]: _Item(scene) for scene in scenes}
        self._arrange_soon()

    def change(self, scene: dict[str, Any]) -> None:
        """Shows a scene as it is now."""
        item = self._items.setdefault(scene["runtime"]["sceneId"], _Item(scene))
        item.scene = scene
        self._arrange_soon()

    def remove(self, scene_id: str) -> None:
        self._items.pop(scene_id, None)
        self._arrange_soon()

    def _arrange_soon(self) -> None:
        """Arranges the rows, but not while nobody sees them."""
        if self.get_mapped():
            self._timer = self._timer or GLib.timeout_add(_PAUSE, self._arrange)

    def _arrange(self) -> bool:
        if self._timer:
            GLib.source_remove(self._timer)
            self._timer = 0
        groups: dict[str, list[_Item]] = defaultdict(list)
        for item in sorted(self._items.values(), key=_Item.last_use, reverse=True)[:_MOST]:
            groups[item.application].append(item)
        wanted = []
        for application, items in groups.items():
            wanted += [self._headings.setdefault(application, _Item(application=application)), *items]
        # What stays in its place keeps its row, with the focus.
        old, start, end = self._shown, 0, 0
        shortest = min(len(old), len(wanted))
        while start < shortest and old[start] is wanted[start]:
            start += 1
        while end < shortest - start and old[-1 - end] is wanted[-1 - end]:
            end += 1
        is_at_top = self._view.get_vadjustment().get_value() == 0
        self._model.splice(start, len(old) - start - end, wanted[start : len(wanted) - end])
        self._shown = wanted
        if is_at_top and wanted:
            # Otherwise the view keeps its first row, and new rows stay above it.
            self._view.activate_action("list.scroll-to-item", GLib.Variant("u", 0))
        count = len(self._items)
        more = _("These {most} windows were used last; {count} are open.").format(most=_MOST, count=count)
        self._more.set_label(more)
        self._more.set_visible(count > _MOST)
        self.set_visible_child_name("list" if wanted else "empty")
        return False

    def _raise(self, scene: dict[str, Any] | None) -> None:
        if scene is None:
            return
        runtime, title = scene["runtime"], scene["context"].get("title") or ""
        shows = [url for registration in _registrations(scene) for url in registration.get("showing") or []]
        environment = token(self)

        def end(_objects: list[dict[str, Any]], error: str | None) -> None:
            if error:
                self._window.tell(_("The Window Did Not Come to the Front"), error)

        def ask(objects: list[dict[str, Any]], error: str | None) -> None:
            # Some desktops let only a window itself come to the front. One that gets its own page does.
            if error and shows:
                scenectl.run(["open", "--scene", runtime["sceneId"], "--", shows[0]], end, environment)
            else:
                end(objects, error)

        if "processId" in runtime:
            scenectl.run(["raise", "--process", str(runtime["processId"]), "--title", title], ask, environment)
        else:
            ask([], _("Its process is not known."))


class _Item(GObject.Object):
    """A scene, or the heading of an application."""

    scene = GObject.Property(type=object)

    def __init__(self, scene: dict[str, Any] | None = None, application: str = "") -> None:
        super().__init__()
        self.scene = scene
        self.application = scene["context"]["applicationId"] if scene else application

    def last_use(self) -> tuple[int, int]:
        runtime = self.scene["runtime"]
        return runtime.get("activeUSec") or 0, runtime["openedUSec"]


class _Row(Gtk.Stack):
    """Shows one item after the other."""

    def __init__(self, raise_window: Any) -> None:
        super().__init__(vhomogeneous=False)
        self._item, self._handler = _Item(), 0
        self._cell: Gtk.ListItem | None = None
        self._icon = Adw.Bin()
        self._application = _line("heading")
        heading = box(self._icon, self._application, margin_top=18, margin_bottom=6, margin_start=6, spacing=12)
        self._title, self._words = _line(), _line("dim-label", "caption")
        texts = box(self._title, self._words, vertical=True, spacing=2, hexpand=True, valign=Gtk.Align.CENTER)
        front = button(
            _("Bring to Front"), lambda: raise_window(self._item.scene), icon="go-up-symbolic", css_classes=["flat"]
        )
        scene = box(texts, front, margin_top=6, margin_bottom=6, margin_start=12, margin_end=6)
        self.add_named(heading, "heading")
        self.add_named(scene, "scene")

    def bind(self, cell: Gtk.ListItem) -> None:
        self._cell, self._item = cell, cell.get_item()
        is_scene = self._item.scene is not None
        # A heading stays selectable: without that, GTK 4.8 gives the list no focus.
        cell.set_activatable(is_scene)
        self.set_visible_child_name("scene" if is_scene else "heading")
        self._handler = self._item.connect("notify::scene", lambda *_changed: self._show())
        self._show()

    def unbind(self) -> None:
        self._item.disconnect(self._handler)

    def _show(self) -> None:
        if self._item.scene is None:
            name, picture = known(self._item.application)
            self._application.set_label(name)
            self._icon.set_child(icon(picture))
            _name_row(self._cell, name)
            return
        title, words = shown(self._item.scene["context"].get("title") or _("Untitled"), 300), _words(self._item.scene)
        self._title.set_label(title)
        self._words.set_label(words)
        self.set_tooltip_text(words)
        _name_row(self._cell, f"{title}. {words}")


def _name_row(cell: Gtk.ListItem, name: str) -> None:
    """Gives a name to the row of a list."""
    if hasattr(cell, "set_accessible_label"):
        cell.set_accessible_label(name)
    else:
        # From GTK 4.12 on, Python would destroy this widget: its list does not own it yet while the row is bound.
        named(cell.get_child().get_parent(), name)


def _line(*css_classes: str) -> Gtk.Label:
    return Gtk.Label(xalign=0, ellipsize=Pango.EllipsizeMode.END, css_classes=list(css_classes))


def _registrations(scene: dict[str, Any]) -> list[dict[str, Any]]:
    return scene["context"].get("registrations") or []


def _words(scene: dict[str, Any]) -> str:
    shows, prefers, allows = (
        [text for registration in _registrations(scene) for text in registration.get(key) or [] if text]
        for key in ("showing", "preferring", "allowing")
    )
    words = [_("shows {pages}").format(pages=_listed([short(url) for url in shows]))] if shows else []
    if others := [f"“{shown(text, 120)}”" for text in prefers if text != "*"]:
        words.append(_("asks for links with {texts}").format(texts=_listed(others)))
    if others := [f"“{shown(text, 120)}”" for text in allows if text != "*"]:
        words.append(_("takes links with {texts}").format(texts=_listed(others)))
    if "*" in prefers + allows:
        words.append(_("takes what nobody else takes"))
    return "; ".join(words) or _("takes only what is sent to it by name")


def _listed(texts: list[str]) -> str:
    more = [_("{count} more").format(count=len(texts) - 3)] if len(texts) > 3 else []
    return ", ".join(texts[:3] + more)
