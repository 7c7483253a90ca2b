"""An application that opens a scene when the router requests one.

usage: declarer.py SOCKET APPLICATION MATCHING_IDENTIFIER
"""

import sys

import varlink

socket, application, identifier = sys.argv[1:]
client = varlink.Client("unix:" + socket)
requests, stream, calls = (client.open("io.scened.Router") for _ in range(3))

replies = requests.DeclareApplication(
    application, [{"declarationId": "detail", "matching": [identifier]}], _more=True
)
print("declared in generation", next(replies)["declared"]["generation"])

request = next(replies)["openRequest"]
print("asked for", request["declarationId"])
context = {"applicationId": application, "declarationId": request["declarationId"]}
scene = stream.OpenScene(context, request["openRequestId"], _more=True)
handle = next(scene)["opened"]["sceneHandle"]
delivery = next(scene)["delivery"]
print("took", delivery["event"]["url"])
calls.AcknowledgeDelivery(handle, delivery["deliveryId"])

print("scene closed:", next(scene)["closed"])
print("application closed:", next(replies)["closed"])
