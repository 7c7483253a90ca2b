"""Sends a URL, and prints how the router decides and how the event is settled.

usage: sender.py SOCKET URL
"""

import sys

import varlink

socket, url = sys.argv[1:]
client = varlink.Client("unix:" + socket)
router = client.open("io.scened.Router")

try:
    for reply in router.SendEvent({"url": url}, _more=True):
        if "decision" in reply:
            decision = reply["decision"]
            print("decided:", decision["target"], "by", decision["rule"], "with", decision.get("matchedPattern"))
        if "settlement" in reply:
            print("settled:", reply["settlement"]["result"])
except varlink.VarlinkError as error:
    print("failed:", error.error())
    sys.exit(1)
