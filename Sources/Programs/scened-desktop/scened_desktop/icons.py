"""Icons of desktop entries."""

import os

from gi.repository import Gdk, Gio, GLib, Gtk  # type: ignore

_ANY = "application-x-executable"


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
    image.set_from_gicon(Gio.ThemedIcon.new(name if is_there else _ANY))
    return image
