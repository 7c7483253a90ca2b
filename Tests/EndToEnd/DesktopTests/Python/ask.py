"""Asks where links go, and answers as a person does. Prints a line for each case.

    session.py PROGRAMS ask.py [CASE ... | -CASE ...]

A case after '-' is left out.
"""

import contextlib
import glob
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Iterator

from accessible import (
    active, click, find, find_all, focus, focused, gone, has, is_wanted, key, name_of, names, picture, set_text,
    text_of, until, write,
)  # fmt: skip

FIRST = "https://wiki.example.org/c"
HERE = os.path.dirname(os.path.realpath(__file__))
OPENED = os.path.expanduser("~/opened")
# The applications, profiles and actions of the session, in the order of the window.
PROGRAMS = [
    "Chromium", "Firefox ESR", "Firefox ESR (Home)", "Firefox ESR (Work)", "New Private Window — Chromium",
    "New Private Window — Firefox ESR",
]  # fmt: skip


def ask(url: str = FIRST, event: str = "", token: str = "") -> "subprocess.Popen[str]":
    """Asks as scenectl does; the process prints the answer."""
    busctl = ["busctl", "--user", "--timeout=120", "--", "call"]
    words = ["io.scened.Desktop", "/io/scened/Desktop", "io.scened.Desktop", "Ask", "sss", url, event, token]
    return subprocess.Popen([*busctl, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def answered(question: "subprocess.Popen[str]", status: int = 0) -> None:
    out, errors = question.communicate(timeout=120)
    assert out == f"i {status}\n", f"the answer is {out} {errors}"


def asked(*questions: str) -> "subprocess.Popen[str]":
    """Asks, and waits for the rows; returns the last question."""
    for url in questions or [FIRST]:
        question = ask(url)
    shown("Firefox ESR")
    return question


def rows() -> list[str]:
    """Returns the rows that are shown, without the details."""
    lists = find_all("list", "Where to open it")
    items = find_all("list item", within=lists[0]) if lists else []
    return [name_of(item) for item in items if has(item, "showing") or has(item, "visible")]


def shown(*titles: str) -> None:
    """Waits until rows with these titles are shown first, or anywhere if it is one."""

    def are_shown() -> bool:
        found = [re.sub(r"^[1-9]\. ", "", row) for row in rows()]
        return titles[0] in found if len(titles) == 1 else found[: len(titles)] == list(titles)

    until(are_shown, lambda: f"the rows are {rows()}")


def opened(*lines: str) -> None:
    """Waits until programs were started with these arguments since the begin of the case."""

    def found() -> list[str]:
        with contextlib.suppress(FileNotFoundError), open(OPENED) as file:
            return file.read().splitlines()
        return []

    until(lambda: found() == list(lines), lambda: f"started was {found()}")


def scenectl(*words: str) -> str:
    return subprocess.run(["scenectl", *words], capture_output=True, text=True, timeout=120).stdout


def handlers() -> dict[str, str]:
    """Returns the applications that are chosen, by schemes, types and hosts."""
    lines = [json.loads(line) for line in scenectl("handler", "list", "--json").splitlines()]
    return {line["handled"]: line.get("application", "") for line in lines}


@contextlib.contextmanager
def scene(title: str, *words: str, application: str = "chromium") -> "Iterator[subprocess.Popen[str]]":
    """Holds a window that gets links; its output has a line for each."""
    command = ["scenectl", "scene", "--application", application, "--title", title, *words]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as program:
        try:
            assert program.stdout and program.stdout.readline().endswith(": open\n")
            yield program
        finally:
            program.terminate()


def took(window: "subprocess.Popen[str]") -> str:
    assert window.stdout
    return window.stdout.readline().strip().partition("acknowledged ")[2]


def remember(text: str) -> None:
    """Chooses for how long the choice counts."""
    button = find("button", re.compile("^Remember: "))
    focus(button)
    key("space")
    find("list item", text)
    options = [name_of(option) for option in find_all("list item", re.compile("^(Only|Always)"))]
    before = options.index(name_of(button).removeprefix("Remember: "))
    steps = options.index(text) - before
    key(*["Down" if steps > 0 else "Up"] * abs(steps), "Return")
    until(lambda: name_of(button) == f"Remember: {text}", lambda: f"chosen is '{name_of(button)}'")
    # Until it has gone, the list of the choices gets the keys.
    gone("list item", text)


@contextlib.contextmanager
def albums() -> Iterator[None]:
    """Shows two windows of GTK that get links."""
    with subprocess.Popen(["/usr/bin/python3", f"{HERE}/windows.py"], stdout=subprocess.DEVNULL) as program:
        try:
            for album in "12":
                find("frame", f"Album {album}")
            until(lambda: scenectl("scenes", "--json").count("album/") == 2, "the windows take no links")
            yield
        finally:
            program.terminate()


@contextlib.contextmanager
def held(*keys: str) -> Iterator[None]:
    subprocess.run(["xdotool", "keydown", *keys], check=True)
    try:
        yield
    finally:
        subprocess.run(["xdotool", "keyup", *keys], check=True)


def clipboard() -> str:
    return subprocess.run(["/usr/bin/python3", "-c", _PASTE], capture_output=True, text=True, timeout=120).stdout


_PASTE = """
import gi
gi.require_version("Gtk", "4.0")
from gi.repository import GLib, Gtk
loop = GLib.MainLoop()
window = Gtk.Window()
def paste(clipboard, result):
    print(clipboard.read_text_finish(result), end="")
    loop.quit()
window.get_clipboard().read_text_async(None, paste)
loop.run()
"""


def case(function: Callable[[], None]) -> Callable[[], None]:
    """Makes a function a case; cases run in the order of this file."""
    _cases.append(function)
    return function


_cases: list[Callable[[], None]] = []


@case
def rows_are_in_order_and_the_first_is_chosen() -> None:
    with (
        scene("Everything", "--allow", "*"),
        scene("Wiki Team", "--showing", FIRST),
        scene("Preferring", "--prefer", "wiki.example.org"),
    ):
        question = ask()
        windows = ["Wiki Team. Chromium, shows it", "Preferring. Chromium, prefers it"]
        shown(*windows, "Everything. Chromium, allows it", *PROGRAMS)
        assert [row[:3] for row in rows()] == [f"{number}. " for number in range(1, 10)]
        assert not [name for name in names() if "are listed" in name]
        until(lambda: focused() and name_of(focused()).startswith("1. Wiki Team"), "the first has no focus")
        picture("ask")
        key("Escape")
        answered(question)


@case
def a_digit_opens_the_row_beside_which_it_is_written() -> None:
    question = asked()
    key("2")
    answered(question)
    opened(f"chromium {FIRST}")
    assert "wiki.example.org" not in handlers()
    assert "Chromium (you chose it in the window of scened)" in scenectl("history", "-n", "1")


@case
def arrows_and_enter_open() -> None:
    with scene("Wiki Team", "--showing", FIRST), scene("Preferring", "--prefer", "wiki.example.org") as second:
        question = asked()
        key("Down", "Return")
        answered(question)
        assert took(second) == FIRST


@case
def letters_filter() -> None:
    question = asked()
    write("work")
    until(lambda: rows() == ["1. Firefox ESR (Work)"], lambda: f"the rows are {rows()}")
    write("x")
    find("label", "Nothing matches.")
    key("BackSpace")
    until(lambda: rows() == ["1. Firefox ESR (Work)"], lambda: f"the rows are {rows()}")
    key("Return")
    answered(question)
    opened(f"firefox-esr -P Work {FIRST}")


@case
def a_link_asks_while_shift_alone_is_held() -> None:
    command = ["scenectl", "open", "--as-handler", FIRST]
    with held("Shift_L"):
        link = subprocess.Popen(command)
        shown("Firefox ESR")
    key("Escape")
    assert link.wait(20) == 0
    opened()
    with held("Shift_L", "Control_L"):
        subprocess.run(command, check=True, timeout=120)
    subprocess.run(command, check=True, timeout=120)
    opened(f"firefox-esr {FIRST}", f"firefox-esr {FIRST}")


@case
def a_space_is_a_part_of_the_filter() -> None:
    question = asked()
    write("new private window")
    found = ["1. New Private Window — Chromium", "2. New Private Window — Firefox ESR"]
    until(lambda: rows() == found, lambda: f"the rows are {rows()}")
    key("1")
    answered(question)
    opened(f"chromium --incognito {FIRST}")


@case
def control_and_enter_open_and_stay() -> None:
    question = asked()
    key("ctrl+Return")
    opened(f"firefox-esr {FIRST}")
    find(None, "Opened in Firefox ESR.")
    key("2")
    answered(question)
    opened(f"firefox-esr {FIRST}", f"chromium {FIRST}")


@case
def control_and_c_copy_and_close() -> None:
    question = asked()
    key("ctrl+c")
    answered(question)
    assert clipboard() == FIRST, f"the copy is {clipboard()}"
    assert "The address was copied." in scenectl("why", "last")
    opened()


@case
def escape_declines_and_why_says_so() -> None:
    question = asked()
    key("Escape")
    answered(question)
    why = scenectl("why", "last")
    assert FIRST in why and "The question was closed." in why, why
    scenectl("open", "https://ask.example.org/")
    shown("Firefox ESR")
    key("Escape")
    closed = re.compile("ask.example.org.*The question was closed.", re.DOTALL)
    until(lambda: closed.search(scenectl("why", "last")), lambda: scenectl("why", "last"))
    opened()


@case
def why_tells_the_answer() -> None:
    scenectl("open", "https://ask.example.org/answered")
    shown("Firefox ESR")
    question = json.loads(scenectl("history", "--json", "-n", "1"))["decisionId"]
    assert "not answered so far" in scenectl("why", question)
    key("2")
    opened("chromium https://ask.example.org/answered")
    why = scenectl("why", question)
    assert "not answered" not in why and "you chose it in the window of scened" in why, why


@case
def an_edited_address_is_sent_but_not_remembered() -> None:
    question = asked()
    remember("Always for wiki.example.org")
    focus(find("button", "Edit the address"))
    key("space")
    entry = find("text", "Address")
    until(lambda: has(entry, "focused"), "the address has no focus")
    set_text(entry, "https://example.net/1")
    key("ctrl+End", "2")
    find("label", "https://example.net/12")
    key("Return")
    answered(question)
    opened("firefox-esr https://example.net/12")
    until(lambda: handlers().get("wiki.example.org") == "firefox-esr", lambda: f"the handlers are {handlers()}")
    scenectl("handler", "unset", "wiki.example.org")


@case
def the_address_inside_a_wrapped_link_is_opened_instead() -> None:
    question = asked("https://eur01.safelinks.protection.outlook.com/?url=https%3A%2F%2Fwiki.example.org%2Fc&data=05")
    find("label", FIRST)
    with scene("Wiki Team", "--showing", FIRST) as window:
        click(find("button", "Open This Instead"))
        shown("Wiki Team. Chromium, shows it", *PROGRAMS)
        key("1")
        answered(question)
        assert took(window) == FIRST


@case
def the_sender_is_shown() -> None:
    with subprocess.Popen(["scenectl", "open", "https://ask.example.org/"]) as program:
        shown("Firefox ESR")
        find("label", "Sent by python3.")
        assert "https://ask.example.org/" in names()
        key("1")
        assert program.wait(20) == 0
    opened("firefox-esr https://ask.example.org/")


@case
def a_choice_is_for_the_host_if_the_person_says_so() -> None:
    question = asked()
    remember("Always for wiki.example.org")
    key("2")
    answered(question)
    until(lambda: handlers().get("wiki.example.org") == "chromium", lambda: f"the handlers are {handlers()}")
    opened(f"chromium {FIRST}")
    scenectl("handler", "unset", "wiki.example.org")


@case
def a_choice_is_for_the_domain_if_the_person_says_so() -> None:
    question = asked()
    remember("Always for all websites below example.org")
    key("2")
    answered(question)
    until(lambda: handlers().get("*.example.org") == "chromium", lambda: f"the handlers are {handlers()}")
    scenectl("handler", "unset", "*.example.org")


@case
def a_choice_that_cannot_be_saved_is_told() -> None:
    lists = os.path.expanduser("~/.config/intentapps.list")
    os.rename(lists, f"{lists}.old")
    os.mkdir(lists)
    try:
        question = asked()
        remember("Always for wiki.example.org")
        key("2")
        answered(question)
        opened(f"chromium {FIRST}")
        find(None, "Not Saved")
        find("label", re.compile("intentapps.list"))
        key("Escape")
        gone(None, "Not Saved")
    finally:
        os.rmdir(lists)
        os.rename(f"{lists}.old", lists)


@case
def an_action_is_not_for_always() -> None:
    question = asked()
    remember("Always for wiki.example.org")
    key("6")
    find(None, "An action is not for always; choose 'Only this time'.")
    opened()
    remember("Only this time")
    key("6")
    answered(question)
    opened(f"firefox-esr --private-window {FIRST}")


@case
def a_profile_opens() -> None:
    question = asked()
    key("4")
    answered(question)
    opened(f"firefox-esr -P Work {FIRST}")


@case
def several_links_wait_in_one_window() -> None:
    questions = [ask(f"{FIRST}{number}") for number in range(5)]
    find("label", "1 of 5")
    shown("Firefox ESR")
    assert len(find_all("frame", "Open a Link")) == 1
    key("2")
    find("label", "2 of 5")
    shown("Firefox ESR")
    key("2")
    find("label", "3 of 5")
    until(lambda: sum(question.poll() is not None for question in questions) == 2, "not two questions are answered")
    shown("Firefox ESR")
    key("Escape")
    for question in questions:
        answered(question)
    assert scenectl("history", "-n", "3").count("The question was closed.") == 3


@case
def a_second_start_adds_to_the_window() -> None:
    question = asked()
    with subprocess.Popen(["scenectl", "open", "--ask", f"{FIRST}2"]) as second:
        find("label", "1 of 2")
        assert f"{FIRST}2" not in names()
        key("2")
        answered(question)
        find("label", f"{FIRST}2")
        shown("Firefox ESR")
        key("1")
        assert second.wait(20) == 0
    opened(f"chromium {FIRST}", f"firefox-esr {FIRST}2")


@case
def the_chosen_window_comes_to_the_front() -> None:
    with albums():
        for album in "1", "2":
            question = asked(f"https://wiki.example.org/album/{album}")
            shown("Firefox ESR", f"Album {album}. org.example.Albums, prefers it")
            key("2", window="Open a Link")
            answered(question)
            until(lambda: active() == f"Album {album}", lambda: f"'{active()}' is in front")  # noqa: B023


@case
def no_loss_of_the_focus_closes_the_window() -> None:
    with albums():
        question = asked()
        until(lambda: active() == "Open a Link", lambda: f"'{active()}' is in front")
        subprocess.run(["xdotool", "search", "--name", "Album 1", "windowactivate", "--sync"], check=True)
        until(lambda: active() == "Album 1", lambda: f"'{active()}' is in front")
        assert question.poll() is None and rows()
        subprocess.run(["xdotool", "search", "--name", "Open a Link", "windowactivate", "--sync"], check=True)
        key("Escape")
        answered(question)


@case
def characters_that_turn_or_hide_a_text_are_shown() -> None:
    with scene("left \u202e right", "--allow", "*"):
        question = ask("https://example.org/\u202egpj.exe\x07")
        shown(r"left \u202e right. Chromium, allows it")
        find("label", r"https://example.org/\u202egpj.exe\u0007")
        key("Escape")
        answered(question)


@case
def an_application_without_an_entry_has_a_row() -> None:
    with scene("", "--allow", "*", application="org.example.Nowhere") as window:
        question = ask()
        shown("Firefox ESR", "org.example.Nowhere. org.example.Nowhere, allows it")
        key("2")
        answered(question)
        assert took(window) == FIRST


@case
def a_window_that_closes_is_told() -> None:
    with scene("Wiki Team", "--showing", FIRST):
        question = asked()
    key("ctrl+Return")
    find(None, re.compile("^There is no scene '"))
    key("Escape")
    answered(question, 1)


@case
def an_address_that_is_no_link_is_told() -> None:
    question = ask("--help")
    find(None, re.compile("^This is neither a URL nor the path of an existing file"))
    key("Escape")
    answered(question)


@case
def a_long_address_is_shortened_and_kept() -> None:
    address = f"{FIRST}{'x' * 100_000}"
    question = asked(address)
    find("label", address[:300] + "…")
    focus(find("button", "Edit the address"))
    key("space")
    entry = find("text", "Address")
    until(lambda: text_of(entry) == address, "the address is cut")
    key("Escape")
    answered(question)


@case
def two_hundred_links_are_all_answered() -> None:
    questions = [ask(f"{FIRST}{number}") for number in range(200)]
    find("label", "1 of 200")
    shown("Firefox ESR")
    key("Escape")
    for question in questions:
        answered(question)
    history = [json.loads(line)["comparisonString"] for line in scenectl("history", "--json", "-n", "200").splitlines()]
    assert sorted(history) == sorted(f"{FIRST}{number}" for number in range(200))


@case
def five_thousand_windows_are_no_burden() -> None:
    command = ["/usr/bin/python3", f"{HERE}/many.py"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as program:
        assert program.stdout and program.stdin and program.stdout.readline() == "open\n"
        begin = time.monotonic()
        question = asked()
        # The default comes before windows that take what nobody else takes, and 50 of these are enough.
        assert rows()[1] == "2. Window 4999. org.example.Many, allows it", rows()[:2]
        assert sum("Window" in row and "Private" not in row for row in rows()) == 50
        print(f"the rows beside 5,000 windows: {time.monotonic() - begin:.2f} s", flush=True)
        find("label", "50 of 5000 windows that want it are listed; typing finds only these.")
        set_text(find("text", "Filter"), "window 60")
        until(lambda: not rows(), lambda: f"the rows are {rows()}")
        set_text(find("text", "Filter"), "")
        shown("Firefox ESR")
        key("Down", "2")
        answered(question)
        program.stdin.close()


@case
def without_a_display_a_menu_asks() -> None:
    displays = ("DISPLAY", "WAYLAND_DISPLAY")
    refuses_and_leaves_it_to_a_menu(
        ["env", *(f"--unset={name}" for name in displays)],
        "there is no display; 'scenectl' shows the same in a terminal.\n",
        "there is no display",
    )


@case
def without_libadwaita_a_menu_asks() -> None:
    (library,) = glob.glob("/usr/lib/*/girepository-1.0/Adw-1.typelib")
    place = os.path.dirname(library)
    with tempfile.TemporaryDirectory() as directory:
        shutil.copytree(place, directory, dirs_exist_ok=True)
        os.remove(f"{directory}/Adw-1.typelib")
        script = f"mount --bind {directory} {place} && exec dbus-run-session -- \"$@\""
        refuses_and_leaves_it_to_a_menu(
            ["unshare", "--user", "--map-root-user", "--mount", "sh", "-c", script, "sh"],
            "Namespace Adw not available; install python3-gi, gir1.2-gtk-4.0, gir1.2-adw-1 and python3-scened.\n",
            "Call failed: Process io.scened.Desktop exited with status 1",
        )


def refuses_and_leaves_it_to_a_menu(prefix: list[str], sentence: str, reason: str) -> None:
    launcher = subprocess.run([*prefix, "scened-desktop"], capture_output=True, text=True)
    assert launcher.returncode == 1 and launcher.stderr.endswith(f"scened-desktop: {sentence}"), launcher.stderr
    menu = os.path.expanduser("~/.local/bin/dmenu")
    with open(menu, "w") as file:
        file.write("#!/bin/sh\nexec grep --max-count=1 Chromium\n")
    os.chmod(menu, 0o755)
    try:
        asked = subprocess.run([*prefix, "scenectl", "open", "--ask", FIRST], capture_output=True, text=True)
    finally:
        os.remove(menu)
    told = f"scenectl: The window of scened-desktop does not ask: {reason}. A menu asks instead.\n"
    assert asked.returncode == 0 and told in asked.stderr, asked.stderr
    opened(f"chromium {FIRST}")


@case
def enter_without_a_router_keeps_the_link_and_tries_again() -> None:
    question = asked()
    os.kill(json.loads(scenectl("status", "--json"))["processId"], 9)
    until(lambda: not scenectl("status", "--json"), "the router does not end")
    key("Return")
    find(None, "scened does not run, so the link was not opened; Enter tries again.")
    find("label", FIRST)
    assert question.poll() is None
    opened()
    # It runs until the next case kills it.
    subprocess.Popen(["scened"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    until(lambda: scenectl("status", "--json"), "the router does not start")
    key("Return")
    answered(question)
    opened(f"firefox-esr {FIRST}")


@case
def a_router_that_is_killed_meanwhile_is_told() -> None:
    question = asked()
    os.kill(json.loads(scenectl("status", "--json"))["processId"], 9)
    key("ctrl+Return")
    find(None, re.compile("^The router cannot be reached"))
    key("Escape")
    answered(question, 1)
    opened()


@case
def questions_end_without_a_router() -> None:
    if status := scenectl("status", "--json"):
        os.kill(json.loads(status)["processId"], 9)
    question = asked()
    key("Escape")
    answered(question)


def main(chosen: list[str]) -> int:
    failures = 0
    for function in _cases:
        name = function.__name__
        if not is_wanted(name, chosen):
            continue
        with contextlib.suppress(FileNotFoundError):
            os.remove(OPENED)
        try:
            function()
            gone("frame", "Open a Link")
            print(f"ok {name}", flush=True)
        except Exception as error:
            failures += 1
            picture(f"failed-{name}")
            line = traceback.extract_tb(error.__traceback__)[1].lineno
            print(f"failed {name}: line {line}: {error or type(error).__name__}", flush=True)
            while find_all("frame", "Open a Link"):
                key("Escape")
                with contextlib.suppress(AssertionError):
                    gone("frame", "Open a Link", timeout=2)
    return failures


sys.exit(min(main(sys.argv[1:]), 1))
