"""Evaluates expressions in a running editor, which listens at a socket.

    evaluate.py SOCKET EXPRESSION    prints the value of the expression
    evaluate.py SOCKET               listens for Vim, as its job

The job first says that it listens. Vim's channel in the mode 'json' answers ["expr", EXPRESSION, NUMBER] with
[NUMBER, VALUE].
"""

import json
import socket
import sys

path, *expressions = sys.argv[1:]
with socket.socket(socket.AF_UNIX) as end:
    if expressions:
        end.connect(path)
        end.sendall(expressions[0].encode())
        end.shutdown(socket.SHUT_WR)
        print(end.makefile(encoding="utf-8").read(), end="")
        sys.exit()
    try:
        end.bind(path)
    except OSError:
        sys.exit("The first Vim has the socket.")
    end.listen()
    print(json.dumps([0, "listening"]), flush=True)
    while True:
        asker, _ = end.accept()
        with asker, asker.makefile("rw", encoding="utf-8") as lines:
            print(json.dumps(["expr", lines.read(), -1]), flush=True)
            lines.write(str(json.loads(sys.stdin.readline() or "[-1, \"Vim has ended.\"]")[1]))
