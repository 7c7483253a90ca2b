"""Opens 5,000 windows, prints "open", and closes them at the end of its input."""

import resource
import sys

import scened

# Each window has a connection.
_soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
router = scened.Router()
scenes = [
    router.open_scene("org.example.Many", str, title=f"Window {number}", preferring=[f"m{number}"], allowing=["*"])
    for number in range(5_000)
]
scenes[-1].opened.result(120)
scenes[-1].activate()
print("open", flush=True)
sys.stdin.read()
