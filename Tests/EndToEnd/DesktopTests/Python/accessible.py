"""Finds what windows show, as a screen reader does, and presses keys.

Roles have the names of Debian 13; those of Debian 12 are translated. GTK does not say on both whether a page of a stack
is the one that is shown: the pages that are not shown are found, too.
"""

import contextlib
import os
import re
import subprocess
import time
from collections.abc import Callable, Iterator
from typing import Any, TypeVar

import gi  # type: ignore

gi.require_version("Atspi", "2.0")
from gi.repository import Atspi, GLib  # type: ignore  # noqa: E402

Accessible = Any
# A name, the form of a name, or any name.
Name = str | re.Pattern[str] | None
Result = TypeVar("Result")

_ROLES = {"push button": "button", "entry": "text", "toggle button": "button"}
# GTK 4.8 gives the name of its class to a widget without a name.
_CLASS = re.compile(r"(Gtk|Adw)[A-Z]\w*")


def find(role: str | None, name: Name = None, within: Accessible = None, timeout: float = 30) -> Accessible:
    """Waits for the first accessible with this role and this name (`find_all`), and returns it."""
    return until(
        lambda: next(_search(role, name, within), None),
        lambda: f"there is no {role or 'thing'} {_text(name)}, but {names(within)}",
        timeout,
    )


def find_all(role: str | None, name: Name = None, within: Accessible = None) -> list[Accessible]:
    """Returns the accessibles that are there now, in the order of the screen reader. `None` is any role or name."""
    return list(_search(role, name, within))


def gone(role: str | None, name: Name = None, within: Accessible = None, timeout: float = 30) -> None:
    """Waits until there is no such accessible."""
    until(lambda: not find_all(role, name, within), lambda: f"{role or 'thing'} {_text(name)} is still there", timeout)


def until(condition: Callable[[], Result], failure: str | Callable[[], str], timeout: float = 30) -> Result:
    """Waits until a condition is true, and returns what it returned."""
    end = time.monotonic() + timeout
    while not (result := condition()):
        if time.monotonic() > end:
            raise AssertionError(failure if isinstance(failure, str) else failure())
        # GTK does not report every change, so this looks again and again. The pause leaves the processor to the window.
        time.sleep(0.02)
    return result


def names(within: Accessible = None) -> list[str]:
    """Returns the names that are there now: of windows, labels, buttons and entries, each once."""
    return list(dict.fromkeys(name for accessible, _role in _walk(_root(within)) if (name := name_of(accessible))))


def name_of(accessible: Accessible) -> str:
    """Returns the name of an accessible, or what the labels of a row say; empty if it is gone."""
    with contextlib.suppress(GLib.Error):
        if (name := accessible.get_name() or "") and not _CLASS.fullmatch(name):
            return name
        if accessible.get_role_name() == "list item":
            return " ".join(name_of(label) for label, role in _walk(accessible) if role == "label")
    return ""


def has(accessible: Accessible, state: str) -> bool:
    """Returns whether an accessible is there and has a state, such as "focused", "selected", "checked", "sensitive"."""
    with contextlib.suppress(GLib.Error):
        accessible.clear_cache()
        return state in (held.value_nick for held in accessible.get_state_set().get_states())
    return False


def text_of(accessible: Accessible) -> str:
    """Returns the content of an entry or of a text."""
    return Atspi.Text.get_text(accessible, 0, Atspi.Text.get_character_count(accessible))


def set_text(accessible: Accessible, text: str) -> None:
    """Replaces the content of an entry. An entry of GTK holds at most 65,534 characters."""
    assert Atspi.EditableText.set_text_contents(accessible, text)


def focused() -> Accessible:
    """Returns what has the focus; `None` if nothing has it, or an `Adw.EntryRow` of libadwaita 1.2, which hides it."""
    return next((accessible for accessible in find_all(None) if has(accessible, "focused")), None)


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
        actions = [Atspi.Action.get_action_name(pressed, i) for i in range(Atspi.Action.get_n_actions(pressed))]
        if "click" in actions:
            Atspi.Action.do_action(pressed, actions.index("click"))
            return
    raise AssertionError(f"'{name_of(button)}' cannot be pressed")


def key(*names: str) -> None:
    """Presses keys in the window that has the focus, such as "Down" and "ctrl+Return"."""
    subprocess.run(["xdotool", "key", "--clearmodifiers", *names], check=True)


def write(text: str) -> None:
    """Types a text in the window that has the focus; only letters of an American keyboard arrive for sure."""
    subprocess.run(["xdotool", "type", "--clearmodifiers", "--delay", "1", "--", text], check=True)


def picture(name: str) -> None:
    """Takes a picture of the screen, if `$SCENED_TEST_PICTURES` names a directory."""
    if directory := os.environ.get("SCENED_TEST_PICTURES"):
        subprocess.run(["import", "-window", "root", f"{directory}/{name}.png"], check=True)


def _search(role: str | None, name: Name, within: Accessible) -> Iterator[Accessible]:
    for accessible, own_role in _walk(_root(within)):
        if role in (None, own_role) and (name is None or _matches(name, name_of(accessible))):
            yield accessible


def _matches(name: str | re.Pattern[str], text: str) -> bool:
    return text == name if isinstance(name, str) else name.search(text) is not None


def _root(within: Accessible) -> Accessible:
    root = within or Atspi.get_desktop(0)
    # The cache misses rows that are added to a list.
    root.clear_cache()
    return root


def _walk(accessible: Accessible) -> Iterator[tuple[Accessible, str]]:
    """Goes over what is in an accessible, with the roles; leaves out what goes away meanwhile."""
    try:
        children = [accessible.get_child_at_index(i) for i in range(accessible.get_child_count())]
    except GLib.Error:
        return
    for child in children:
        try:
            role = child.get_role_name() if child else ""
        except GLib.Error:
            continue
        if child:
            yield child, _ROLES.get(role, role)
            if role not in ("label", "image", "page tab"):
                yield from _walk(child)


def _text(name: Name) -> str:
    return "" if name is None else f"'{name if isinstance(name, str) else name.pattern}'"
