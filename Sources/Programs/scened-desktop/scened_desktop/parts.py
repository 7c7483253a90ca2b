"""Parts that several pages use."""

import os
from collections.abc import Callable, Iterable
from typing import Any

from gi.repository import Gdk, Gio, GLib, Gtk  # type: ignore

from .words import _, shown

RULES = {"shows it": _("shows it"), "prefers it": _("prefers it"), "allows it": _("allows it")}


def known(application: str) -> tuple[str, str | None]:
    """Returns the name and the icon of an application; its id as the name if its entry is missing or broken."""
    try:
        entry = Gio.DesktopAppInfo.new(f"{application}.desktop")
    except TypeError:
        return shown(application, 200), None
    # `get_display_name` calls an entry without a name "Unnamed".
    name, picture = entry.get_locale_string("Name"), entry.get_icon()
    return shown(name or application, 200), picture.to_string() if picture else None


def icon(name: str | None) -> Gtk.Image:
    """Returns the image of an icon: the name of one in the theme, or the path of a file."""
    image = Gtk.Image(pixel_size=32, accessible_role=Gtk.AccessibleRole.PRESENTATION)
    if name and os.path.isabs(name):
        try:
            image.set_from_paintable(Gdk.Texture.new_from_filename(name))
            return image
        except GLib.Error:
            name = None
    is_there = name and Gtk.IconTheme.get_for_display(image.get_display()).has_icon(name)
    image.set_from_gicon(Gio.ThemedIcon.new(name if is_there else "application-x-executable"))
    return image


def short(url: str) -> str:
    """Returns an address as people read it: a web page without its scheme, a file as its path."""
    for scheme in ("https://", "http://", "file://"):
        url = url.removeprefix(scheme)
    return shown(url, 120)


def website(host: str) -> str:
    """Returns what `scenectl handler set` means by a host, in words."""
    domain = host.removeprefix("*.")
    return shown(host, 120) if domain == host else _("all websites below {domain}").format(domain=shown(domain, 120))


def words_of(item: dict[str, Any]) -> list[str]:
    """Returns the words by which `scenectl handler set` chooses what scenectl lists with an application."""
    if item["application"] == "scened-open":
        return []
    if item["application"] == "scened-ask":
        return ["--ask"]
    return [item["application"], *(["--profile", item["profile"]] if "profile" in item else [])]


def wants(candidate: dict[str, Any]) -> str:
    """Returns a row of `scenectl handler candidates` in words."""
    name = shown(candidate["name"], 200)
    if candidate["kind"] != "window":
        return name
    title, because = shown(candidate.get("title") or candidate["scene"], 200), candidate.get("because", "")
    return _("“{title}” of {name} ({because})").format(title=title, name=name, because=RULES.get(because, because))


def token(widget: Gtk.Widget) -> dict[str, str]:
    """Returns the environment by which a program that scenectl reaches may come to the front."""
    entry = Gio.AppInfo.create_from_commandline(
        "scenectl", "scened", Gio.AppInfoCreateFlags.SUPPORTS_STARTUP_NOTIFICATION
    )
    value = widget.get_display().get_app_launch_context().get_startup_notify_id(entry, [])
    return {"XDG_ACTIVATION_TOKEN": value} if value else {}


def named(widget: Gtk.Widget, name: str) -> Gtk.Widget:
    """Gives a name to a widget that shows none."""
    widget.update_property([Gtk.AccessibleProperty.LABEL], [name])
    return widget


def button(
    label: str, press: Callable[[], object], *, icon: str | None = None, css_classes: Iterable[str] = ()
) -> Gtk.Button:
    """Returns a button with a label, or with an icon that the label explains."""
    made = Gtk.Button(valign=Gtk.Align.CENTER, css_classes=list(css_classes))
    if icon:
        made.set_icon_name(icon)
        made.set_tooltip_text(label)
        named(made, label)
    else:
        made.set_label(label)
        # Large text needs two lines in a narrow window.
        made.get_child().set_wrap(True)
        made.get_child().set_justify(Gtk.Justification.CENTER)
    made.connect("clicked", lambda _button: press())
    return made


def box(*children: Gtk.Widget, vertical: bool = False, **properties: Any) -> Gtk.Box:
    orientation = Gtk.Orientation.VERTICAL if vertical else Gtk.Orientation.HORIZONTAL
    made = Gtk.Box(orientation=orientation, **{"spacing": 6, **properties})
    for child in children:
        made.append(child)
    return made
