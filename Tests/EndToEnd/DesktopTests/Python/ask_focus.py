"""The window that asks comes to the front, and then the window that is chosen in it, under sway.

Neither would without an activation token: the click's token is for the window that asks, which makes one for the
target.
"""

import os
import signal
import subprocess

from accessible import find, gone

HERE = os.path.dirname(os.path.realpath(__file__))


def start(program: str, *arguments: str) -> subprocess.Popen[str]:
    command = ["/usr/bin/python3", f"{HERE}/{program}", *arguments]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


def wait(program: subprocess.Popen[str], line: str) -> None:
    for text in program.stdout or ():
        if text.strip() == line:
            return
    raise SystemExit(f"{program.args} ended before '{line}'.")


def press(number: signal.Signals) -> None:
    os.kill(int(os.environ["SCENED_TEST_KEYBOARD"]), number)


# The test that runs this program ends it if it waits in vain.
subprocess.run(["scenectl", "handler", "set", "--any", "photos", "--ask"], check=True)
albums = start("windows.py")
wait(albums, "Album 1 is active")
sender = start("sender.py", "photos:album/1")
wait(sender, "Sender is active")
press(signal.SIGUSR1)
wait(sender, "Sender is used")
press(signal.SIGUSR1)
wait(sender, "Sender has opened photos:album/1")
wait(sender, "Sender is not active")
frame = find("frame", "Open a Link")
find("list item", within=frame)
press(signal.SIGUSR2)
wait(albums, "Album 1 took photos:album/1")
wait(albums, "Album 1 is active")
gone("frame", "Open a Link")
print("ok chosenWindowComesToTheFront")
for program in (albums, sender):
    program.terminate()
