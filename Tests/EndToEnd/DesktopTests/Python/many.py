"""Opens 5,000 windows, prints "open", and closes them at the end of its input."""

import sys

import scened

router = scened.Router()
scenes = [
    router.open_scene("org.example.Many", print, title=f"Window {number}", preferring=[f"m{number}"], allowing=["*"])
    for number in range(5_000)
]
scenes[-1].opened.result(120)
scenes[-1].activate()
print("open", flush=True)
sys.stdin.read()
