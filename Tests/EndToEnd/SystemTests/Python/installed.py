"""A program with type annotations that uses the installed library: usage: installed.py SOCKET

Prints the folder of the library, its version and the URL that the window gets.
"""

import importlib.metadata
import os
import queue
import sys

import scened


def main(socket: str) -> None:
    events: queue.Queue[scened.Event] = queue.Queue()
    with scened.Router(socket) as router:
        window: scened.Scene = router.open_scene("org.example.Installed", events.put, allowing=["*"])
        outcome: scened.Outcome = router.send("x:1").result()
        assert outcome.is_taken and not window.closed.done(), outcome
    print(os.path.dirname(scened.__file__))
    print(importlib.metadata.version("scened"))
    print(events.get().url)


main(sys.argv[1])
