"""Sends events to the windows in turn until SIGUSR1, and prints each outcome.

usage: sending.py SOCKET WINDOW…
"""

import itertools
import signal
import sys
import threading
import time

import scened

ends = threading.Event()
signal.signal(signal.SIGUSR1, lambda *_: ends.set())
longest = 0.0
with scened.Router(sys.argv[1]) as router:
    for number, window in enumerate(itertools.cycle(sys.argv[2:])):
        if ends.is_set():
            break
        start = time.monotonic()
        url = f"x:{window}/?python-{number}&"
        outcome = router.send(url, allow_new_scene=False, timeout=600).result()
        longest = max(longest, time.monotonic() - start)
        print(f"{url} is taken" if outcome.is_taken else f"{url} failed: {outcome}", flush=True)
print(f"longest {longest:.3f}", flush=True)
