"""Uses the pages of scened-desktop as a person does, and prints a line for each case.

    session.py PROGRAMS face.py [CASE ... | -CASE ...]

A case after '-' is left out.
"""

import contextlib
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

from accessible import (
    Accessible, click, double_click, find, find_all, focused, gone, has, is_wanted, key, name_of, picture, resize,
    set_text, until, width, write,
)  # fmt: skip
from gi.repository import Gio, GLib  # type: ignore

HOME = Path(os.environ["HOME"])
CONFIG = HOME / ".config"
ENTRIES = HOME / ".local/share/applications"
SETTINGS = CONFIG / "gtk-4.0/settings.ini"
SIZE = HOME / ".local/state/scened/desktop"
HERE = Path(__file__).parent
# The pages, and a text of each.
PAGES = {
    "windows": "^Team Wiki", "links": "→|^No Link Yet", "choices": "^Web links", "try": "^Link$",
    "start": "^Web Links Go Through",
}  # fmt: skip
WIKI = "https://wiki.example.org/Start"

started: list[subprocess.Popen[str]] = []
# The last one is the program whose window is open.
windows: list[subprocess.Popen[str]] = []


def start(*command: str, **environment: str) -> subprocess.Popen[str]:
    program = subprocess.Popen(
        command, env=os.environ | environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    started.append(program)
    return program


def end(program: subprocess.Popen[str]) -> None:
    program.terminate()
    program.wait(10)


def run(*command: str) -> str:
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def scene(application: str, title: str, *words: str) -> subprocess.Popen[str]:
    """Opens a scene, and returns when the router has it."""
    program = start("scenectl", "scene", "--application", application, "--title", title, *words)
    assert program.stdout and program.stdout.readline().endswith(": open\n")
    return program


def face(**environment: str) -> subprocess.Popen[str]:
    """Starts the program, and returns when its window is there."""
    program = start("scened-desktop", **environment)
    find("frame", "scened")
    return program


def show(page: str) -> None:
    """Shows a page, without a second start of the program."""
    call = ("io.scened.Desktop", "/io/scened/Desktop/window/1", "org.gtk.Actions", "Activate")
    Gio.bus_get_sync(Gio.BusType.SESSION).call_sync(
        *call, GLib.Variant("(sava{sv})", (page, [], {})), None, Gio.DBusCallFlags.NONE, 10_000
    )


def show_in_front(page: str) -> None:
    """Shows a page, and returns when the window gets the keys."""
    run("scened-desktop", "--page", page)
    until(lambda: has(find("frame", "scened"), "active"), "the window is not active")


def lists() -> dict[str, bytes]:
    """Returns all that `scenectl handler` writes."""
    entries = HOME.glob(".local/share/applications/scened-*")
    files = [CONFIG / "mimeapps.list", CONFIG / "intentapps.list", CONFIG / "scened/choices", *entries]
    return {str(file): file.read_bytes() for file in files if file.is_file()}


def undo(before: dict[str, bytes], sentence: str) -> None:
    """Presses Undo in the toast that says the sentence, and compares the lists with what they were."""
    # An earlier toast is there until it has moved out.
    label = find("label", re.compile(f"^{sentence}"))
    assert lists() != before, "nothing was chosen"
    parts = find_all(None)
    following = parts[parts.index(label) :]
    click(next(button for button in find_all("button", re.compile("^Undo")) if button in following))
    until(lambda: lists() == before, lambda: f"not undone: {lists()} instead of {before}")


def choose(what: str, item: str) -> None:
    """Chooses from the menu of a row."""
    click(find("button", re.compile("^Change"), find("list item", what)))
    click(find("button", item))


def reach(target: Accessible, *keys: str, then: str = "Down", most: int = 40) -> None:
    """Presses some keys, and then one key until the focus is in a target."""
    if keys:
        key(*keys)
    for _ in range(most):
        with contextlib.suppress(AssertionError):
            return until(lambda: focused(target) is not None, "", 0.2)
        key(then)
    there = focused()
    raise AssertionError(f"'{name_of(target)}' is not reached, but '{name_of(there) if there else ''}'")


def press(target: Accessible, *keys: str) -> None:
    """Presses a row or an item of a menu, which offer no action."""
    reach(target, *keys)
    key("Return")


def close(title: str) -> None:
    """Closes a dialog."""
    find("label", title)
    click(find("button", re.compile("^Close"), find("dialog")))
    gone("label", title)


def opened_by(what: str, program: str) -> None:
    """Waits until the page of choices says what opens something."""
    # The names of the programs in the menu of the row are labels, too.
    text = re.escape(program) + ("$" if program.endswith(".") else ".* — ")
    find("label", re.compile(f"^{text}"), find("list item", what))


def router() -> int:
    return int(re.search(r'"processId":(\d+)', run("scenectl", "status", "--json"))[1])


def kill_router() -> None:
    os.kill(router(), signal.SIGKILL)


# The cases.


def firstStartShowsWhatScenedDoes() -> None:
    find("label", "Links Open in the Right Window")
    assert has(find("page tab", "Start"), "selected") or find(None, "Web Links Go Through scened")
    picture("light-first")


def windowsAreShownByApplication() -> None:
    show("windows")
    find("list item", "Chromium")
    find("list item", "Team Wiki. shows wiki.example.org/Start; asks for links with “wiki.example.org”")


def windowsAreShownLive() -> None:
    program = scene("firefox-esr", "Plans", "--allow", "*")
    find("list item", "Plans. takes what nobody else takes")
    end(program)
    gone("list item", re.compile("Plans"))
    gone("list item", "Firefox ESR")


def hiddenCharactersAreEscaped() -> None:
    program = scene("firefox-esr", "in\u202egnp.exe", "--prefer", "in\u2066visible")
    find("list item", "in\\u202egnp.exe. asks for links with “in\\u2066visible”")
    end(program)


def windowComesToTheFront() -> None:
    show("windows")
    program = start("/usr/bin/python3", str(HERE / "windows.py"))
    for number in "12":
        find("list item", re.compile(f"Album {number}"))
    until(lambda: any(has(frame, "active") for frame in find_all("frame", re.compile("Album"))), "no album is active")
    ways: list[tuple[str, Callable[[Accessible], object]]] = [
        ("1", lambda row: click(find("button", "Bring to Front", row))),
        ("2", lambda row: double_click(row, "scened")),
        ("1", press_in_list),
    ]
    for number, way in ways:
        show_in_front("windows")
        way(find("list item", re.compile(f"Album {number}")))
        until(lambda number=number: has(find("frame", f"Album {number}"), "active"), f"Album {number} stays behind")
    end(program)
    gone("list item", re.compile("Album"))


def press_in_list(row: Accessible) -> None:
    reach(find("list", "Open windows"), then="Tab")
    press(row, "Home")


def brokenEntriesAndIconsAreShown() -> None:
    ENTRIES.mkdir(parents=True, exist_ok=True)
    (ENTRIES / "nameless.desktop").write_text("[Desktop Entry]\nType=Application\n")
    (ENTRIES / "odd.desktop").write_text(f"[Desktop Entry]\nType=Application\nName=Odd\nIcon={__file__}\nExec=true\n")
    programs = [scene("nameless", "Without a Name", "--prefer", "x"), scene("odd", "Odd Window", "--prefer", "y")]
    show("windows")
    for heading in ("nameless", "Odd"):
        find("list item", heading)
    find("list item", re.compile("Odd Window"))
    show("choices")
    find("list item", re.compile("no 'Name'|'Name' is missing"))
    for program in programs:
        end(program)
    for name in ("nameless", "odd"):
        (ENTRIES / f"{name}.desktop").unlink()


def linksAreShownLive() -> None:
    show_in_front("links")
    find("label", "No Link Yet")
    run("scenectl", "open", WIKI)
    find("list item", re.compile(r'^wiki.example.org/Start .* → Chromium "Team Wiki" \(shows it\)'))
    run("scenectl", "open", "https://other.example.org/\u202etxt")
    find("list item", re.compile(r"^other.example.org/.*txt"))
    assert "\u202e" not in " ".join(name_of(row) for row in find_all("list item"))


def linkUnfolds() -> None:
    press(find("list item", re.compile("^wiki.example.org")), "ctrl+f", "Tab", "Tab")
    find("label", re.compile("Outcome: taken by window"))
    find("label", re.compile("Sent by"))
    picture("light-details")


def linksAreSearched() -> None:
    search = find("text", "Search")
    set_text(search, "OTHER.")
    gone("list item", re.compile("^wiki.example.org"))
    find("list item", re.compile("^other.example.org"))
    set_text(search, "")
    find("list item", re.compile("^wiki.example.org"))


def linkOpensAlwaysThere() -> None:
    before = lists()
    button = find("button", "Always There for wiki.example.org", find("list item", re.compile("^wiki.example.org")))
    until(lambda: has(button, "sensitive"), "the button stays insensitive")
    click(button)
    undo(before, "wiki.example.org: opened by [Cc]hromium")


def linkIsAskedForEachTime() -> None:
    show_in_front("links")
    host = f"{'a' * 60}.{'b' * 40}.example.org"
    run("scenectl", "open", f"https://{host}/")
    row = find("list item", re.compile(f"^{host}"))
    press(row, "ctrl+f", "Tab", "Tab")
    before = lists()
    click(find("button", f"Ask Each Time for {host}", row))
    undo(before, f"{host}: you are asked for each link")
    assert width("scened") == 720, "the name of the host makes the window wider"


def linkIsSentElsewhere() -> None:
    click(find("button", "Send Elsewhere…", find("list item", re.compile("^wiki.example.org"))))
    frame = find("frame", "Open a Link")
    find("list item", re.compile("Team Wiki"), frame)
    key("Escape", window="Open a Link")
    gone("frame", "Open a Link")


def linkOfAProfileOpensAlwaysInIt() -> None:
    show_in_front("links")
    run("scenectl", "open", "--application", "firefox-esr", "--profile", "Work", "https://kept.example.org/a")
    row = find("list item", re.compile("^kept.example.org"))
    press(row, "ctrl+f", "Tab", "Tab")
    before = lists()
    button = find("button", "Always There for kept.example.org", row)
    until(lambda: has(button, "sensitive"), "the button stays insensitive")
    click(button)
    undo(before, r"kept.example.org: opened by Firefox ESR \(Work\)")


def linkIsKeptOnceItIsTaken() -> None:
    show_in_front("links")
    other = scene("firefox-esr", "Another", "--prefer", "late.example")
    window = start("/usr/bin/python3", "-c", LATE)
    assert window.stdout and window.stdin and window.stdout.readline() == "open\n"
    sender = start("scenectl", "open", "https://late.example.org/")
    assert window.stdout.readline() == "shown\n"
    row = find("list item", re.compile("^late.example.org"))
    press(row, "ctrl+f", "Tab", "Tab")
    # Until everything about the link is read.
    find("label", re.compile("Other windows that want it:\n.*Another"), row)
    window.stdin.write("\n")
    window.stdin.flush()
    sender.wait(10)
    button = find("button", "Always There for late.example.org", row)
    until(lambda: has(button, "sensitive"), "the button stays insensitive")
    end(window)
    end(other)


# A window that takes its link only after a line of input.
LATE = """
import sys, threading, scened
def show(event):
    print("shown", flush=True)
    sys.stdin.readline()
scene = scened.Router().open_scene("chromium", show, title="Late", preferring=["late.example.org"])
scene.opened.result(60)
print("open", flush=True)
threading.Event().wait()
"""


def oneLinkIsForgotten() -> None:
    show_in_front("links")
    before = [json.loads(line)["comparisonString"] for line in run("scenectl", "history", "--json").splitlines()]
    row = find("list item", re.compile("^late.example.org"))
    click(find("button", "Forget", row))
    find("label", "Forgotten: late.example.org/")
    gone("list item", re.compile("^late.example.org"))
    find("list item", re.compile("^wiki.example.org"))
    after = [json.loads(line)["comparisonString"] for line in run("scenectl", "history", "--json").splitlines()]
    assert after == [address for address in before if "late.example" not in address], after


def linksAreForgotten() -> None:
    click(find("button", "Forget All"))
    find("label", "Forget All Links?")
    key("Escape")
    gone("label", "Forget All Links?")
    find("list item", re.compile("^wiki.example.org"))
    click(find("button", "Forget All"))
    find("label", "Forget All Links?")
    click(find("button", re.compile("^Forget All"), find("dialog")))
    gone("list item", re.compile("^wiki.example.org"))
    assert run("scenectl", "history", "--json") == ""


def choiceIsChangedAndUndone() -> None:
    show("choices")
    opened_by("Web links", "Firefox ESR")
    before = lists()
    choose("Web links", "Chromium")
    opened_by("Web links", "Chromium")
    picture("light-undo")
    undo(before, "http(s)?: opened by Chromium")
    opened_by("Web links", "Firefox ESR")
    choose("Web links", "Ask each time")
    opened_by("Web links", "Ask")
    choose("Web links", "Take this choice back")
    opened_by("Web links", "Firefox ESR")
    assert lists() == before


def hostIsAddedByItsLink() -> None:
    before = lists()
    set_text(find("text", "Add a website"), "https://user@Paste.example.org:81/a?b#c")
    click(find("button", "Add"))
    click(find("button", "Firefox ESR (Work)"))
    opened_by("paste.example.org", "Firefox ESR (Work)")
    undo(before, r"paste.example.org: opened by Firefox ESR \(Work\)")
    gone("list item", "paste.example.org")
    set_text(find("text", "Add a website"), "http:///nothing")
    click(find("button", "Add"))
    close("There Is No Website")


def typesOfFilesAreChosen() -> None:
    show("choices")
    click(find("button", "Show All Types"))
    opened_by("HTML document (text/html)", "Chromium")
    before = lists()
    choose("HTML document (text/html)", "Firefox ESR")
    opened_by("HTML document (text/html)", "Firefox ESR")
    undo(before, "text/html: opened by Firefox ESR")
    click(find("button", "Show Chosen Types"))
    gone("list item", "HTML document (text/html)")


def listThatComesLateIsNotShown() -> None:
    slow, held = HOME / ".local/bin/scenectl", HOME / "held"
    os.mkfifo(held)
    script = f'#!/bin/sh\ncase "$*" in *"list --all"*) read _ <{held};; esac\nexec {shutil.which("scenectl")} "$@"\n'
    slow.write_text(script)
    slow.chmod(0o755)
    show("choices")
    click(find("button", "Show All Types"))
    click(find("button", "Show Chosen Types"))
    find("button", "Show All Types")
    held.write_text("\n")
    slow.unlink()
    look = ["pgrep", "--full", "handler list --all"]
    until(lambda: not subprocess.run(look, capture_output=True).stdout, "scenectl does not end")
    gone("list item", "HTML document (text/html)")


def findingIsShownAndMended() -> None:
    show("choices")
    find("list item", re.compile("looks copied from an example"))
    before = lists()
    run("scenectl", "handler", "set", "http", "https")
    chosen = lists()
    file = CONFIG / "mimeapps.list"
    file.write_text(file.read_text().replace("scened-open.desktop;firefox-esr.desktop", "chromium.desktop"))
    show("windows")
    show("choices")
    # One for each scheme.
    for rest in (1, 0):
        click(find("button", "Mend It"))
        until(lambda rest=rest: len(find_all("button", "Mend It")) == rest, "the finding stays")
    file.write_bytes(chosen[str(file)])
    run("scenectl", "handler", "unset", "http", "https")
    assert lists() == before


def allChoicesAreTakenBack() -> None:
    show_in_front("choices")
    before = lists()
    run("scenectl", "handler", "set", "back.example.org", "chromium")
    chosen = lists()
    click(find("button", "Take All Back"))
    find("label", "Take All Choices Back?")
    key("Escape")
    gone("label", "Take All Choices Back?")
    assert lists() == chosen
    click(find("button", "Take All Back"))
    click(find("button", re.compile("^Take All Back"), find("dialog")))
    find("label", re.compile(r"^back\.example\.org: opened like other web links", re.MULTILINE))
    close("All Choices Are Taken Back")
    gone("list item", re.compile("^(back|ask).example.org"))
    assert lists() == {str(CONFIG / "mimeapps.list"): before[str(CONFIG / "mimeapps.list")]}
    click(find("button", "Take All Back"))
    click(find("button", re.compile("^Take All Back"), find("dialog")))
    find("label", "No choice was left.")
    key("Escape")
    gone("label", "No choice was left.")
    run("scenectl", "handler", "set", "ask.example.org", "--ask")
    assert lists() == before


def listsThatCannotBeWrittenAreTold() -> None:
    file = CONFIG / "intentapps.list"
    kept = file.read_bytes()
    file.unlink()
    file.mkdir()
    try:
        set_text(find("text", "Add a website"), "closed.example.org")
        click(find("button", "Add"))
        click(find("button", "Chromium"))
        close("The Choice Was Not Changed")
        opened_by("closed.example.org", "Choose a program.")
    finally:
        file.rmdir()
        file.write_bytes(kept)


def attemptSaysWhereAndSendsNothing() -> None:
    show("try")
    before = run("scenectl", "history", "--json")
    link = find("text", "Link")
    set_text(link, WIKI)
    find("list item", re.compile('would go to window "Team Wiki"'))
    find("label", "Who Else Wants It")
    picture("light-attempt")
    set_text(link, "https://new.example.org/")
    find("label", re.compile("Firefox ESR would be started"))
    set_text(link, "no link")
    find("list item", re.compile("neither a URL nor the path of an existing file"))
    set_text(link, "https://long.example.org/" + "a" * 60_000)
    find("list item", re.compile("'urlLength' is exceeded"))
    assert run("scenectl", "history", "--json") == before
    set_text(link, WIKI)
    find("list item", re.compile('would go to window "Team Wiki"'))
    click(find("button", "Open"))
    until(lambda: run("scenectl", "history", "--json") != before, "the link was not sent")


def switchMakesScenedTheDefault() -> None:
    show_in_front("start")
    before = lists()
    switch = find("check box", "Web Links Go Through scened")
    find("label", re.compile("'scenectl handler unset http https'"))
    reach(find("list item", "Web Links Go Through scened"), then="Tab")
    key("Return")
    until(lambda: b"scened-open" in b"".join(lists().values()), "scened is not the default")
    until(lambda: has(switch, "checked") and has(switch, "sensitive"), "the switch stays off")
    find("label", re.compile("^http: opened by scened"))
    key("Return")
    until(lambda: lists() == before, "not taken back")
    until(lambda: not has(switch, "checked"), "the switch stays on")


def killedRouterIsToldAndComesBack() -> None:
    show_in_front("windows")
    kill_router()
    # A page that is not shown cannot be reached.
    reach(find("button", "Start It"), then="Tab")
    find("label", "scened Does Not Run")
    picture("light-stopped")
    # So does a window that finds no router.
    end(windows.pop())
    gone("frame", "scened")
    windows.append(face())
    show("windows")
    reach(find("button", "Start It"), then="Tab")
    key("Return")
    close("scened Was Not Started")
    start("scened")
    find("list item", re.compile("Team Wiki"))
    reach(find("list", "Open windows"), then="Tab")
    show("links")
    run("scenectl", "open", "https://wiki.example.org/after")
    find("list item", re.compile("^wiki.example.org/after"))


def longAddressesAreCut() -> None:
    end(start("scenectl", "open", "https://wiki.example.org/" + "x" * 100_000))
    run("scenectl", "open", "https://wiki.example.org/" + "y" * 20_000)
    row = find("list item", re.compile("^wiki.example.org/yyy"))
    assert len(name_of(row)) < 500


def manyLinksAreShownInTime() -> None:
    show("links")
    run("scenectl", "open", *(f"https://wiki.example.org/many/{number}" for number in range(200)))
    for number in (0, 199):
        find("list item", re.compile(f"^wiki.example.org/many/{number} "))


def manyWindowsAreShown() -> None:
    show("try")
    before = processor_time(windows[-1].pid)
    program = start("/usr/bin/python3", str(HERE / "many.py"))
    assert program.stdout and program.stdout.readline() == "open\n"
    show("windows")
    find("list item", re.compile("Window 4999"))
    find("label", re.compile("These 200 windows were used last; 500[01] are open."))
    used = processor_time(windows[-1].pid) - before
    print(f"5,000 windows that open, and their page: {used:.2f} s of processor time", flush=True)
    assert len(find_all("list item", re.compile("Window"))) <= 200
    end(program)
    gone("list item", re.compile("Window"))


def processor_time(process: int) -> float:
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def keyboardIsEnough() -> None:
    show_in_front("windows")
    for number, name in enumerate(("Windows", "Links", "Choices", "Try", "Start"), 1):
        key(f"alt+{number}")
        until(lambda name=name: any(has(tab, "selected") for tab in find_all("page tab", name)), f"{name} is not shown")
    key("alt+4")
    reach(find("text", "Link"), then="Tab")
    write("https://typed.example.org/")
    find("list item", re.compile("typed.example.org/ would"))
    key("alt+1")
    reach(find("list", "Open windows"), then="Tab")
    reach(find("list item", re.compile("Team Wiki")))


def pagesFitAndAreDark() -> None:
    for style, size, scale in (("light", 720, 1), ("light", 360, 1), ("dark", 720, 1), ("dark", 360, 2)):
        end(windows.pop())
        gone("frame", "scened")
        SIZE.parent.mkdir(parents=True, exist_ok=True)
        SIZE.write_text(f"{size} 640\n")
        SETTINGS.parent.mkdir(parents=True, exist_ok=True)
        SETTINGS.write_text(f"[Settings]\ngtk-font-name=Sans {10 * scale}\n")
        windows.append(face(ADW_DEBUG_COLOR_SCHEME=f"prefer-{style}"))
        for page, text in PAGES.items():
            show(page)
            find(None, re.compile(text))
            until(lambda size=size: width("scened") == size, lambda page=page: f"{page}: {width('scened')}")
            picture(f"{style}-{size}-{page}")
    question = start("scenectl", "open", "--ask", WIKI)
    find("list item", re.compile("Team Wiki"), find("frame", "Open a Link"))
    resize("Open a Link", 360, 660)
    until(lambda: width("Open a Link") == 360, lambda: f"the window that asks: {width('Open a Link')}")
    picture("dark-360-ask")
    key("Escape", window="Open a Link")
    question.wait(10)
    SETTINGS.unlink()


def noWindowsSaysWhatToInstall() -> None:
    # Rows of many links take longer to read than a toast lasts.
    show("windows")
    run("scenectl", "history", "--clear")
    show("links")
    gone("list item", re.compile("^wiki.example.org"))
    for program in [program for program in started if "scene" in program.args]:
        end(program)
    show("windows")
    find("label", "No Window Takes Part Yet")
    click(find("button", "Copy the Command"))
    find("label", re.compile("The command is copied"))


CASES: list[Callable[[], None]] = [
    firstStartShowsWhatScenedDoes, windowsAreShownByApplication, windowsAreShownLive, hiddenCharactersAreEscaped,
    brokenEntriesAndIconsAreShown, windowComesToTheFront, linksAreShownLive, linkUnfolds, linksAreSearched,
    linkOpensAlwaysThere, linkIsAskedForEachTime, linkIsSentElsewhere, linkOfAProfileOpensAlwaysInIt,
    linkIsKeptOnceItIsTaken, oneLinkIsForgotten, linksAreForgotten, choiceIsChangedAndUndone, hostIsAddedByItsLink,
    typesOfFilesAreChosen, listThatComesLateIsNotShown, findingIsShownAndMended, allChoicesAreTakenBack,
    listsThatCannotBeWrittenAreTold, attemptSaysWhereAndSendsNothing, switchMakesScenedTheDefault, keyboardIsEnough,
    pagesFitAndAreDark, killedRouterIsToldAndComesBack, longAddressesAreCut, manyLinksAreShownInTime,
    noWindowsSaysWhatToInstall, manyWindowsAreShown,
]  # fmt: skip


def main() -> int:
    scene("chromium", "Team Wiki", "--showing", WIKI, "--prefer", "wiki.example.org")
    failures = 0
    windows.append(face())
    for case in CASES:
        if not is_wanted(case.__name__, sys.argv[1:]):
            continue
        began = time.monotonic()
        try:
            case()
            print(f"ok {case.__name__} {time.monotonic() - began:.1f}", flush=True)
        except Exception as failure:
            failures += 1
            print(f"failed {case.__name__}: {type(failure).__name__} {str(failure)[:400]}", flush=True)
            picture(f"failed-{case.__name__}")
    for program in reversed(started):
        program.terminate()
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
