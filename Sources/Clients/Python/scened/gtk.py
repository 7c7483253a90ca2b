"""Windows of GTK 4 that get links.

    def show(event: scened.Event) -> None:
        window.show_photo(event.url)

    def preferred() -> list[str]:
        return [f"album/{window.props.album}"]

    scened.gtk.attach(window, "org.example.Gallery", show, preferred, follows=["album"])
"""

from collections.abc import Callable, Iterable
from typing import Any

import gi  # type: ignore

gi.require_version("Gtk", "4.0")
from gi.repository import GLib, Gtk  # type: ignore # noqa: E402

try:
    # The import must come before the first use of a display. Otherwise display objects lack the methods for Wayland.
    gi.require_version("GdkWayland", "4.0")
    from gi.repository import GdkWayland  # noqa: E402
except (ImportError, ValueError):
    GdkWayland = None

import scened  # noqa: E402

__all__ = ["attach", "present", "router"]

Identifiers = Iterable[str] | Callable[[], Iterable[str]]

_router: scened.Router | None = None


def router() -> scened.Router:
    """Returns the router of the user, which calls handlers in the main loop of GLib."""
    global _router
    _router = _router or scened.Router(call=GLib.idle_add)
    return _router


def attach(
    window: Gtk.Window,
    application: str,
    handler: scened.Handler,
    preferring: Identifiers = (),
    allowing: Identifiers = (),
    *,
    showing: Identifiers = (),
    follows: Iterable[str] = (),
    declaration: str | None = None,
    request: scened.OpenRequest | None = None,
) -> scened.Scene:
    """Opens a scene for a window; the scene is closed with the window.

    The title of the scene follows the title of the window, and the router is told each time the window becomes active.
    The handler is a plain function. When the handler has taken an event, the window is raised.

    preferring, allowing: identifiers as for `scened.Scene.set`, or a function that returns them.
    showing: the URLs of the documents that the window shows, or a function that returns them.
    follows: names of properties of the window; a change of one of them calls these functions again.
    request: the open request that the window answers, from an application that was declared with `router()`.
    """

    def now(identifiers: Identifiers) -> Iterable[str]:
        return identifiers() if callable(identifiers) else identifiers

    def handle(event: scened.Event) -> None:
        handler(event)
        if window not in Gtk.Window.list_toplevels():
            return  # The handler has closed the window.
        present(window, event.activation_token)

    def note_activity(*_: Any) -> None:
        if window.is_active():
            scene.activate()

    title = window.get_title() or ""
    sets = {"preferring": now(preferring), "allowing": now(allowing), "showing": now(showing)}
    if request:
        scene = request.open_scene(handle, title=title, **sets)
    else:
        scene = router().open_scene(application, handle, declaration=declaration, title=title, **sets)
    note_activity()
    window.connect("notify::is-active", note_activity)
    window.connect("notify::title", lambda *_: scene.set_title(window.get_title() or ""))
    for name in follows:
        window.connect(f"notify::{name}", lambda *_: scene.set(now(preferring), now(allowing), showing=now(showing)))
    # The scene is closed at "unrealize". The signal "destroy" comes too late: after the last reference to the window
    # is gone.
    window.connect("unrealize", lambda _: scene.close())
    return scene


def present(window: Gtk.Window, activation_token: str | None) -> None:
    """Raises a window; the token of a click lets it come to the front."""
    if activation_token:
        window.set_startup_id(activation_token)
        display = window.get_display()
        # Before 4.10, GTK looks for the token of a Wayland window only in the display.
        if GdkWayland and isinstance(display, GdkWayland.WaylandDisplay) and Gtk.check_version(4, 10, 0):
            display.set_startup_notification_id(activation_token)
    window.present()
