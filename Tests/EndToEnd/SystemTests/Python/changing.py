"""Opens windows, and changes the preferred identifiers of the first window until SIGUSR1.

usage: changing.py SOCKET NUMBER
"""

import functools
import signal
import sys
import time

import scened


def note(title, event):
    # The line is written in one piece, because each window has a thread of its own.
    print(f"{title} took {event.url}\n", end="", flush=True)


# No `threading.Event`: its `set` would wait for ever if the signal comes while `wait` holds the lock of the event.
ends: list[bool] = []
signal.signal(signal.SIGUSR1, lambda *_: ends.append(True))
with scened.Router(sys.argv[1]) as router:
    titles = [f"py{number}" for number in range(int(sys.argv[2]))]
    windows = [
        router.open_scene(
            "org.example.Python", functools.partial(note, title), title=title, preferring=[f"{title}/"]
        )
        for title in titles
    ]
    for window in windows:
        window.opened.result()
    number = 0
    print("open", flush=True)
    while not ends:
        time.sleep(0.001)
        number += 1
        windows[0].set(["py0/", f"{number}"])
    windows[0].set(["py0/", "last"])
    windows[0].closed.result()
