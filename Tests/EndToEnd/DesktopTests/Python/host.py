"""Stands between a browser and its host, as newer versions of both.

    host.py DIRECTORY HOST ARGUMENT...

The program writes each object of the browser to a line of DIRECTORY/said. Before each object of the browser, the host
gets two objects that it does not understand. Before each object of the host, the browser gets one that it does not
understand, and each object of the host has one word more. If there is a file DIRECTORY/version, the version in the file
replaces the host's version. If there is a file DIRECTORY/request, the browser is asked for a window behind the next
object of the host; the request is withdrawn when the window is open, before the host gets it.
"""

import json
import os
import sys
import threading

NOVELTY = {"novelty": {}, "close": ""}


def objects(stream):
    while length := stream.read(4):
        yield stream.read(int.from_bytes(length, sys.byteorder))


def write(stream, *objects):
    for data in objects:
        stream.write(len(data).to_bytes(4, sys.byteorder) + data)
    stream.flush()


def tell_browser(*messages):
    with lock:
        write(sys.stdout.buffer, *(json.dumps(message).encode() for message in messages))


def pass_to_host(stream):
    with open(f"{directory}/said", "ab", 0) as said:
        for data in objects(sys.stdin.buffer):
            said.write(data + b"\n")
            message = json.loads(data)
            if request := message.pop("request", None):
                tell_browser({"withdrawn": request, "reason": "timeout"})
            write(stream, b"{", json.dumps(NOVELTY).encode(), json.dumps(message).encode())
    stream.close()


def pass_to_browser(stream):
    for data in objects(stream):
        message = json.loads(data) | {"novelty": {}}
        if "adapter" in message and os.path.exists(f"{directory}/version"):
            with open(f"{directory}/version") as file:
                message["adapter"] = int(file.read())
        tell_browser(NOVELTY, message)
        if os.path.exists(f"{directory}/request"):
            os.remove(f"{directory}/request")
            tell_browser({"request": "a"})


directory, *command = sys.argv[1:]
lock = threading.Lock()
(host_input, to_host), (from_host, host_output) = os.pipe(), os.pipe()
if os.fork():
    # The host takes the place of this process, because the parent of the host has to be the browser.
    os.dup2(host_input, 0)
    os.dup2(host_output, 1)
    os.execv(command[0], command)
os.close(host_input)
os.close(host_output)
threading.Thread(target=pass_to_host, args=[open(to_host, "wb")], daemon=True).start()
pass_to_browser(open(from_host, "rb"))
# The host has ended. This process ends without waiting for the thread, so that the browser notices the end.
os._exit(0)
