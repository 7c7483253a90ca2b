"""Finds what windows show, as a screen reader does, and presses keys.

Roles have the names of Debian 13; those of Debian 12 are translated. GTK does not say on both whether a page of a stack
is the one that is shown: the pages that are not shown are found, too.
"""

import contextlib
import os
import re
import subprocess
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeVar

import gi  # type: ignore

gi.require_version("Atspi", "2.0")
from gi.repository import Atspi, Gio, GLib  # type: ignore  # noqa: E402


@dataclass(frozen=True)
class Accessible:
    """A part of a window, by its place on the bus of the screen reader."""

    program: str
    path: str


# A name, the form of a name, or any name.
Name = str | re.Pattern[str] | None
Result = TypeVar("Result")

_DESKTOP = Accessible("org.a11y.atspi.Registry", "/org/a11y/atspi/accessible/root")
_ROLES = {"push button": "button", "entry": "text", "toggle button": "button"}
# GTK 4.8 gives the name of its class to a widget without a name.
_CLASS = re.compile(r"(Gtk|Adw)[A-Z]\w*")
# In milliseconds.
_PATIENCE = 20_000
# Of an object on the bus.
_GET = "org.freedesktop.DBus.Properties.Get"


def find(role: str | None, name: Name = None, within: Accessible | None = None, timeout: float = 120) -> Accessible:
    """Waits for the first accessible with this role and this name (`find_all`), and returns it."""
    return until(
        lambda: next(iter(find_all(role, name, within)), None),
        lambda: f"there is no {role or 'thing'} {_text(name)}, but {names(within)}",
        timeout,
    )


def find_all(role: str | None, name: Name = None, within: Accessible | None = None) -> list[Accessible]:
    """Returns the accessibles that are there now, in the order of the screen reader. `None` is any role or name."""
    found = [accessible for accessible, own in _parts(within or _DESKTOP) if role in (None, own)]
    if name is None:
        return found
    return [accessible for accessible, text in zip(found, _names(found)) if _matches(name, text)]


def gone(role: str | None, name: Name = None, within: Accessible | None = None, timeout: float = 120) -> None:
    """Waits until there is no such accessible."""
    until(lambda: not find_all(role, name, within), lambda: f"{role or 'thing'} {_text(name)} is still there", timeout)


def until(condition: Callable[[], Result | None], failure: str | Callable[[], str], timeout: float = 120) -> Result:
    """Waits until a condition is true, and returns what it returned."""
    end = time.monotonic() + timeout
    while True:
        begin = time.monotonic()
        if result := condition():
            return result
        if time.monotonic() > end:
            raise AssertionError(failure if isinstance(failure, str) else failure())
        # GTK does not report every change, so this looks again and again. The pause leaves the processor to the window,
        # which answers many questions for each look.
        time.sleep(0.02 + 2 * (time.monotonic() - begin))


def names(within: Accessible | None = None) -> list[str]:
    """Returns the names that are there now: of windows, labels, buttons and entries, each once."""
    return list(dict.fromkeys(filter(None, _names(find_all(None, None, within)))))


def name_of(accessible: Accessible) -> str:
    """Returns the name of an accessible, or what the labels of a row say; empty if it is gone."""
    return _names([accessible])[0]


def has(accessible: Accessible, state: str) -> bool:
    """Returns whether an accessible is there and has a state, such as "focused", "selected", "checked", "sensitive"."""
    return bool(_with_state([accessible], state))


def text_of(accessible: Accessible) -> str:
    """Returns the content of an entry or of a text."""
    return _ask(accessible, "org.a11y.atspi.Text.GetText", "(ii)", (0, -1))


def set_text(accessible: Accessible, text: str) -> None:
    """Replaces the content of an entry. An entry of GTK holds at most 65,534 characters."""
    assert _ask(accessible, "org.a11y.atspi.EditableText.SetTextContents", "(s)", (text,))


def focused(within: Accessible | None = None) -> Accessible | None:
    """Returns what has the focus; `None` if nothing has it, or an `Adw.EntryRow` of libadwaita 1.2, which hides it."""
    parts = find_all(None, None, within) + ([within] if within else [])
    return next(iter(_with_state(parts, "focused")), None)


def focus(accessible: Accessible, most: int = 60) -> None:
    """Presses Tab until an accessible has the focus."""
    for _ in range(most):
        before = focused()
        if before == accessible:
            return
        key("Tab")
        with contextlib.suppress(AssertionError):
            until(lambda: focused() != before, "", 0.5)  # noqa: B023
    raise AssertionError(f"'{name_of(accessible)}' is not reached by {most} times Tab")


def click(button: Accessible) -> None:
    """Presses a button, or the one inside a button that opens a menu."""
    for pressed in (button, *find_all("button", within=button)):
        with contextlib.suppress(GLib.Error):
            if _ask(pressed, "org.a11y.atspi.Action.GetName", "(i)", (0,)) == "click":
                return _ask(pressed, "org.a11y.atspi.Action.DoAction", "(i)", (0,))
    raise AssertionError(f"'{name_of(button)}' cannot be pressed")


def double_click(accessible: Accessible, title: str) -> None:
    """Clicks twice in the middle of what a window of X with this title shows."""
    form = int(Atspi.CoordType.WINDOW)
    x, y, width, height = _ask(accessible, "org.a11y.atspi.Component.GetExtents", "(u)", (form,))
    place = str(x + width // 2), str(y + height // 2)
    click = ["click", "--repeat", "2", "--delay", "50", "1"]
    subprocess.run(["xdotool", "mousemove", "--window", _window(title), *place, *click], check=True)


def width(title: str) -> int:
    """Returns the width of a window of X, in pixels."""
    command = ["xdotool", "getwindowgeometry", "--shell", _window(title)]
    geometry = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    return int(dict(line.split("=") for line in geometry.splitlines())["WIDTH"])


def resize(title: str, width: int, height: int) -> None:
    """Asks the window manager for another size of a window of X, in pixels."""
    subprocess.run(["xdotool", "windowsize", _window(title), str(width), str(height)], check=True)


def _window(title: str) -> str:
    """Returns the number of the window of X with this title. A screen reader finds the window before X shows it."""
    command = ["xdotool", "search", "--onlyvisible", "--name", f"^{re.escape(title)}$"]
    search = partial(subprocess.run, command, capture_output=True, text=True)
    return until(lambda: search().stdout.split(), f"X shows no window '{title}'")[-1]


def active() -> str:
    """Returns the title of the window of X that has the focus; empty if none has it."""
    command = ["xdotool", "getactivewindow", "getwindowname"]
    return subprocess.run(command, capture_output=True, text=True).stdout.strip()


def key(*names: str, window: str | None = None) -> None:
    """Presses keys such as "Down" and "ctrl+Return" in a window, when it has the focus; by default in any window."""
    until(lambda: active() == window if window else active(), lambda: f"'{active()}' has the focus, not '{window}'")
    subprocess.run(["xdotool", "key", "--clearmodifiers", *names], check=True)


def write(text: str) -> None:
    """Types a text in the window that has the focus; only letters of an American keyboard arrive for sure."""
    until(active, "no window has the focus")
    subprocess.run(["xdotool", "type", "--clearmodifiers", "--delay", "1", "--", text], check=True)


def picture(name: str) -> None:
    """Takes a picture of the screen, once it stays the same, if `$SCENED_TEST_PICTURES` names a directory."""
    if directory := os.environ.get("SCENED_TEST_PICTURES"):
        screens: list[bytes] = []
        # One of two pictures has the cursor of a text.
        while not screens or screens.count(screens[-1]) < 2:
            command = ["import", "-window", "root", "-define", "png:exclude-chunks=date,time", "png:-"]
            screens.append(subprocess.run(command, check=True, capture_output=True).stdout)
        with open(f"{directory}/{name}.png", "wb") as file:
            file.write(screens[-1])


def is_wanted(case: str, chosen: list[str]) -> bool:
    """Returns whether a case is to run: one of those chosen, or any that is not left out after '-'."""
    return case in chosen or f"-{case}" not in chosen and all(name.startswith("-") for name in chosen)


def _matches(name: str | re.Pattern[str], text: str) -> bool:
    return text == name if isinstance(name, str) else name.search(text) is not None


def _text(name: Name) -> str:
    return "" if name is None else f"'{name if isinstance(name, str) else name.pattern}'"


def _parts(root: Accessible) -> list[tuple[Accessible, str]]:
    """Returns all that is in an accessible, with the roles; nothing of a label, an image or a tab."""
    children: dict[Accessible, list[Accessible]] = {}
    roles: dict[Accessible, str] = {}
    level = [root]
    # Level by level: a question alone takes a millisecond.
    while level:
        for accessible, found in zip(level, _ask_all(level, "org.a11y.atspi.Accessible.GetChildren")):
            children[accessible] = [Accessible(*place) for place in found or []]
        # GTK 4.18 lists the same page in several places.
        level = list(dict.fromkeys(child for parent in level for child in children[parent] if child not in roles))
        for accessible, role in zip(level, _ask_all(level, "org.a11y.atspi.Accessible.GetRole")):
            name = "" if role is None else Atspi.role_get_name(Atspi.Role(role))
            roles[accessible] = _ROLES.get(name, name)
        level = [accessible for accessible in level if roles[accessible] not in ("", "label", "image", "page tab")]

    def listed(parent: Accessible) -> list[tuple[Accessible, str]]:
        parts: list[tuple[Accessible, str]] = []
        for child in children.pop(parent, []):
            if role := roles.pop(child, ""):
                parts += [(child, role), *listed(child)]
        return parts

    return listed(root)


def _names(accessibles: list[Accessible]) -> list[str]:
    """Returns the names, as `name_of` does."""
    names = _ask_all(accessibles, _GET, "(ss)", ("org.a11y.atspi.Accessible", "Name"))
    return [
        name if name and not _CLASS.fullmatch(name) else _labels(accessible)
        for accessible, name in zip(accessibles, names)
    ]


def _labels(accessible: Accessible) -> str:
    """Returns what the labels of a row say."""
    roles = _ask_all([accessible], "org.a11y.atspi.Accessible.GetRole")
    if roles != [int(Atspi.Role.LIST_ITEM)]:
        return ""
    return " ".join(_names([label for label, role in _parts(accessible) if role == "label"]))


def _with_state(accessibles: list[Accessible], state: str) -> list[Accessible]:
    word, bit = divmod(int(getattr(Atspi.StateType, state.upper())), 32)
    answers = _ask_all(accessibles, "org.a11y.atspi.Accessible.GetState")
    return [accessible for accessible, words in zip(accessibles, answers) if words and words[word] >> bit & 1]


def _ask(accessible: Accessible, method: str, form: str = "()", arguments: tuple[object, ...] = ()) -> Any:
    """Calls a method, and returns the first value of its answer; several values as they are."""
    interface, _dot, name = method.rpartition(".")
    parameters = GLib.Variant(form, arguments)
    call = (accessible.program, accessible.path, interface, name, parameters, None, Gio.DBusCallFlags.NONE, _PATIENCE)
    values = _bus.call_sync(*call).unpack()
    return values[0] if len(values) == 1 else values


def _ask_all(
    accessibles: list[Accessible], method: str, form: str = "()", arguments: tuple[object, ...] = ()
) -> list[Any]:
    """Calls a method of all at once; what is gone answers `None`."""
    interface, _dot, name = method.rpartition(".")
    parameters = GLib.Variant(form, arguments)
    answers: list[Any] = [None] * len(accessibles)
    waiting = len(accessibles)

    def note(bus: Gio.DBusConnection, result: Gio.AsyncResult, number: int) -> None:
        nonlocal waiting
        waiting -= 1
        with contextlib.suppress(GLib.Error):
            answers[number] = bus.call_finish(result).unpack()[0]

    for number, place in enumerate(accessibles):
        call = (place.program, place.path, interface, name, parameters, None, Gio.DBusCallFlags.NONE, _PATIENCE, None)
        _bus.call(*call, note, number)
    while waiting:
        GLib.MainContext.default().iteration(True)
    return answers


def _connect() -> Gio.DBusConnection:
    """Returns a connection to the bus of the screen reader."""
    session = Gio.bus_get_sync(Gio.BusType.SESSION)
    call = ("org.a11y.Bus", "/org/a11y/bus", "org.a11y.Bus", "GetAddress")
    (address,) = session.call_sync(*call, None, None, Gio.DBusCallFlags.NONE, _PATIENCE).unpack()
    flags = Gio.DBusConnectionFlags.AUTHENTICATION_CLIENT | Gio.DBusConnectionFlags.MESSAGE_BUS_CONNECTION
    return Gio.DBusConnection.new_for_address_sync(address, flags)


_bus = _connect()
