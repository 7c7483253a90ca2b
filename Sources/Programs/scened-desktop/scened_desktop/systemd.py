"""Runs systemctl for the user's manager beside the main loop."""

from collections.abc import Callable

from gi.repository import Gio, GLib  # type: ignore


def run(words: list[str], done: Callable[[str, str | None], object]) -> None:
    """Runs `systemctl --user` with these words; then calls `done` with what it printed, and its error."""

    def end(process: Gio.Subprocess, result: Gio.AsyncResult) -> None:
        try:
            _success, out, errors = process.communicate_utf8_finish(result)
        except GLib.Error as error:
            return done("", error.message)
        done(out.strip(), None if process.get_successful() else errors.strip())

    flags = Gio.SubprocessFlags.STDOUT_PIPE | Gio.SubprocessFlags.STDERR_PIPE
    try:
        process = Gio.Subprocess.new(["systemctl", "--user", *words], flags)
    except GLib.Error as error:
        message = error.message
        GLib.idle_add(lambda: done("", message) and False)
        return
    process.communicate_utf8_async(None, None, end)
