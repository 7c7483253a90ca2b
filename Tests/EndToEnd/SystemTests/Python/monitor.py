"""Follows the work of the router: usage: monitor.py SOCKET"""

import sys

import varlink

client = varlink.Client("unix:" + sys.argv[1])
router = client.open("io.scened.Router")

for reply in router.Monitor(_more=True):
    if "snapshot" in reply:
        print("snapshot:", len(reply["snapshot"]["scenes"]), "scenes")
    elif "decision" in reply:
        routed = reply["decision"]
        print("decision:", routed["event"].get("url"), routed["decision"].get("rule"))
    elif "settlement" in reply:
        print("settlement:", reply["settlement"]["result"])
    elif "sceneChanged" in reply:
        print("scene:", reply["sceneChanged"]["context"]["applicationId"])
    elif "applicationChanged" in reply:
        print("application:", reply["applicationChanged"]["applicationId"])
    elif "closed" in reply:
        print("closed:", reply["closed"])
