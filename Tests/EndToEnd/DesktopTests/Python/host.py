"""Stands between a browser and its native host, and acts towards each of them like a newer version of the other.

    host.py DIRECTORY HOST ARGUMENT...

The program passes messages on between the two, with these changes:
- Before each message of the browser, the host gets two messages that it does not understand.
- Before each message of the host, the browser gets one message that it does not understand.
- Each message of the host gets one more word.
- If the file DIRECTORY/version exists, its content replaces the host's version.
- If the file DIRECTORY/request exists, the browser is asked for a window after the host's next message. When the
  browser has opened the window, the request is withdrawn. The host never learns of the request.

Each message of the browser becomes a line of the file DIRECTORY/said.
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
    # This process becomes the host, because the browser has to be the host's parent. The child passes messages on.
    os.dup2(host_input, 0)
    os.dup2(host_output, 1)
    os.execv(command[0], command)
os.close(host_input)
os.close(host_output)
threading.Thread(target=pass_to_host, args=[open(to_host, "wb")], daemon=True).start()
pass_to_browser(open(from_host, "rb"))
# The host has ended. This process ends without waiting for the thread that reads the browser's messages, so that the
# browser notices the end.
os._exit(0)
