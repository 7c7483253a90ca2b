"""Runs scenectl beside the main loop."""

import json
import shutil
from collections.abc import Callable
from typing import Any

from gi.repository import Gio, GLib  # type: ignore

from .words import _

Done = Callable[[list[dict[str, Any]], str | None], object]


def run(words: list[str], done: Done, environment: dict[str, str] | None = None) -> Gio.Subprocess | None:
    """Runs `scenectl` with these words; then calls `done` with the objects it printed, and the error as a sentence.

    An object that has only an `error` is the error. Without `--json` in the words, lines are objects with a `line`.
    The environment is added to that of this process, without the variables of an event. Returns the process; None if
    it cannot be started.
    """

    def end(process: Gio.Subprocess, result: Gio.AsyncResult) -> None:
        try:
            _success, out, errors = process.communicate_utf8_finish(result)
        except GLib.Error as error:
            return done([], error.message)
        objects = [json.loads(line) if "--json" in words else {"line": line} for line in (out or "").splitlines()]
        failures = [item["error"] for item in objects if set(item) == {"error"}]
        sentence = "; ".join(failures) or (errors or "").strip().removeprefix("Error: ")
        failed = not process.get_successful()
        done([item for item in objects if set(item) != {"error"}], (sentence or _("It failed.")) if failed else None)

    launcher = Gio.SubprocessLauncher(
        flags=Gio.SubprocessFlags.STDOUT_PIPE | Gio.SubprocessFlags.STDERR_PIPE | Gio.SubprocessFlags.STDIN_PIPE
    )
    for name in ("SCENED_EVENT", "XDG_ACTIVATION_TOKEN", "DESKTOP_STARTUP_ID"):
        launcher.unsetenv(name)
    for name, value in (environment or {}).items():
        launcher.setenv(name, value, True)
    try:
        process = launcher.spawnv([shutil.which("scenectl") or "scenectl", *words])
    except GLib.Error as error:
        message = error.message
        GLib.idle_add(lambda: done([], message) and False)
        return None
    process.communicate_utf8_async(None, None, end)
    return process
