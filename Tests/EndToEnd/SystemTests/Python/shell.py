"""Types text into a shell on a terminal, and ends when the terminal shows what is expected.

usage: shell.py TEXT EXPECTED SHELL [ARGUMENT...]

The prompt has to be 'ready>'. Prints all that was shown, and ends with status 1 if the shell ends first.
"""
import os, pty, re, signal, sys

text, expected, *command = sys.argv[1:]
# Without the alarm, the program would wait for ever for a shell that never shows the expected text.
signal.signal(signal.SIGALRM, lambda *_: sys.exit(f"It does not come: {shown!r}"))
signal.alarm(240)
process, terminal = pty.fork()
if process == 0:
    os.execvp(command[0], command)
shown = ""


def wait_for(what):
    global shown
    start = len(shown)
    while what not in re.sub(r"\x1b\[[0-9;?]*[A-Za-z]|\x1b[()].|\r", "", shown[start:]):
        try:
            shown += os.read(terminal, 65536).decode(errors="replace")
        except OSError:
            sys.exit(f"The shell has ended: {shown!r}")


wait_for("ready>")
os.write(terminal, text.encode().decode("unicode_escape").encode())
try:
    wait_for(expected)
finally:
    os.kill(process, signal.SIGKILL)
    print(repr(shown))
