"""Lets scened-desktop start scened, and change the session, by the user's own systemd.

    session.py --systemd PROGRAMS units.py CASE ...
"""

import re
import subprocess
import sys
from collections.abc import Callable

from accessible import find, focus, has, key, name_of, until

SOCKET = "scened.socket"


def run(*command: str) -> str:
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def states() -> tuple[str, str]:
    """Returns whether the socket is enabled, and whether it is active. Some states are failures for systemctl."""
    asked = (["systemctl", "--user", question, SOCKET] for question in ("is-enabled", "is-active"))
    first, second = (subprocess.run(command, capture_output=True, text=True).stdout.strip() for command in asked)
    return first, second


def become(wanted: tuple[str, str]) -> None:
    until(lambda: states() == wanted, lambda: f"the socket is {states()}, not {wanted}")


def stoppedRouterIsStarted() -> None:
    run("scened-desktop", "--page", "windows")
    become(("disabled", "inactive"))
    # The button of a page that is not shown gets no focus.
    focus(find("button", "Start It"))
    key("Return")
    become(("disabled", "active"))
    find("label", "No Window Takes Part Yet")
    focus(find("button", "Copy the Command"))


def choiceIsForTheSender() -> None:
    """Only the name of a unit tells which application has sent a link."""
    scope = ["systemd-run", "--user", "--scope", "--quiet", "--unit=app-org.example.Chat-1.scope"]
    with subprocess.Popen([*scope, "scenectl", "open", "https://ask.example.org/"]) as sender:
        find("label", "Sent by org.example.Chat.")
        button = find("button", re.compile("^Remember: "))
        focus(button)
        key("space")
        find("list item", "Always for links of org.example.Chat")
        key("End", "Return")
        until(lambda: name_of(button) == "Remember: Always for links of org.example.Chat", lambda: name_of(button))
        key("2")
        assert sender.wait(20) == 0

    def chosen() -> str:
        return run("scenectl", "handler", "list", "--json")

    until(lambda: re.search('"https".*"org.example.Chat".*chromium|chromium.*"org.example.Chat"', chosen()), chosen)


def switch(*ways: tuple[bool, tuple[str, str]]) -> None:
    """Presses the switch of the session, and expects the states of the socket."""
    run("scened-desktop", "--page", "start")
    row, box = find("list item", "Start With the Session"), find("check box", "Start With the Session")
    for is_on, wanted in ways:
        until(lambda is_on=is_on: has(box, "checked") != is_on, "the switch does not show the state")
        focus(row)
        key("Return")
        become(wanted)
        until(lambda is_on=is_on: has(box, "checked") == is_on and has(box, "sensitive"), "the switch stays")


def socketIsEnabledForTheUser() -> None:
    switch((True, ("enabled", "active")), (False, ("disabled", "inactive")))


def socketOfAllUsersIsMasked() -> None:
    switch((False, ("masked", "inactive")), (True, ("enabled", "active")))


CASES: dict[str, Callable[[], None]] = {
    case.__name__: case
    for case in (stoppedRouterIsStarted, choiceIsForTheSender, socketIsEnabledForTheUser, socketOfAllUsersIsMasked)
}

program = subprocess.Popen(["scened-desktop"])
find("frame", "scened")
for name in sys.argv[1:]:
    CASES[name]()
    print(f"ok {name}", flush=True)
program.terminate()
