"""A scene that allows one identifier, and takes each event that it gets.

usage: scene.py SOCKET APPLICATION ALLOWED_IDENTIFIER
"""

import sys

import varlink

socket, application, identifier = sys.argv[1:]
client = varlink.Client("unix:" + socket)
stream, calls = client.open("io.scened.Router"), client.open("io.scened.Router")

replies = stream.OpenScene({"applicationId": application, "title": "Written in Python"}, _more=True)
handle = next(replies)["opened"]["sceneHandle"]
view = {"registrationId": "view", "preferring": [], "allowing": [identifier]}
print("registered in generation", calls.SetRegistration(handle, view)["generation"])

for reply in replies:
    if "delivery" in reply:
        delivery = reply["delivery"]
        print("took", delivery["event"]["url"], "for", delivery["registrationIds"])
        calls.AcknowledgeDelivery(handle, delivery["deliveryId"])
    elif "closed" in reply:
        print("closed:", reply["closed"])
