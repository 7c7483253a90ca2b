"""The socket of the router, connections to it, and the messages on them."""

import asyncio
import concurrent.futures
import json
import os
from collections.abc import Generator
from typing import Any, TypeVar, cast

from .errors import INTERFACE, RouterError

T = TypeVar("T")
Value = dict[str, Any]

# The longest message that the router accepts, and the longest text that is neither a URL nor an identifier, in bytes;
# see "Limits" in the routing contract.
_MESSAGE_LIMIT = 256 << 10
_STRING_LIMIT = 1 << 10
# The longest reply: the router queues at most this number of bytes for a connection.
_REPLY_LIMIT = 16 << 20


class Answer(concurrent.futures.Future[T]):
    """A result that comes later: `result()` waits for it in a thread, `await` in a coroutine."""

    def __await__(self) -> Generator[Any, None, T]:
        return asyncio.wrap_future(self).__await__()

    def __repr__(self) -> str:
        if not self.done():
            return "<scened.Answer pending>"
        if self.cancelled():
            return "<scened.Answer cancelled>"
        error = self.exception()
        return f"<scened.Answer raises {error!r}>" if error else f"<scened.Answer {self.result()!r}>"


def default_socket_path() -> str:
    """Returns `$SCENED_SOCKET`, else the socket of the user's router.

    Raises `FileNotFoundError` if neither `$SCENED_SOCKET` nor `$XDG_RUNTIME_DIR` is set.
    """
    if path := os.environ.get("SCENED_SOCKET"):
        return path
    if directory := os.environ.get("XDG_RUNTIME_DIR"):
        return directory + "/scened/io.scened.Router"
    raise FileNotFoundError("The router's socket is not known: neither $SCENED_SOCKET nor $XDG_RUNTIME_DIR is set.")


def without_none(**members: Any) -> Value:
    """Returns the members that are not None."""
    return {name: value for name, value in members.items() if value is not None}


def limited(text: str) -> str:
    """Returns a text, such as a title, cut to the length that the router accepts; no character is split."""
    return text.encode(errors="replace")[:_STRING_LIMIT].decode(errors="ignore")


def message(method: str, parameters: Value, **flags: bool) -> bytes:
    """Returns a call as bytes for the socket.

    Raises `TypeError` or `ValueError` if JSON cannot express the parameters. Raises `ValueError` if the call is longer
    than the router accepts. The router would close the connection each time it got such a call.
    """
    name = method if "." in method else INTERFACE + method
    call: Value = {"method": name, "parameters": parameters, **flags}
    text = json.dumps(call, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode()
    if len(text) > _MESSAGE_LIMIT:
        raise ValueError(f"The call {method} has {len(text)} bytes; the router takes {_MESSAGE_LIMIT}.")
    return text + b"\0"


class NoRouter(ConnectionError):
    """The process at the socket is no router: its replies do not follow the protocol."""


class Connection:
    """A connection to the router, for calls in sequence or for one call with many replies."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader, self._writer = reader, writer
        self._turn = asyncio.Lock()
        self._exchanges: set[asyncio.Task[Value]] = set()
        self.is_lost = False

    @classmethod
    async def open(cls, path: str) -> "Connection":
        """Connects to the socket at a path; a path that begins with `@` is a name in the abstract namespace.

        Raises `OSError` if it cannot connect.
        """
        if path.startswith("@"):
            path = "\0" + path[1:]
        return cls(*await asyncio.open_unix_connection(path, limit=_REPLY_LIMIT))

    @property
    def is_over(self) -> bool:
        """Whether the connection is known to be lost."""
        return self.is_lost or self._reader.at_eof() or self._writer.is_closing()

    def write(self, method: str, parameters: Value, **flags: bool) -> None:
        """Writes a call, and waits for no reply."""
        self._writer.write(message(method, parameters, **flags))

    async def read(self) -> Value:
        """Returns the parameters of the next reply.

        Raises `RouterError` for an error reply, `EOFError` or `OSError` when the connection is lost.
        """
        try:
            reply = json.loads((await self._reader.readuntil(b"\0"))[:-1])
            error, parameters = reply.get("error"), reply.get("parameters") or {}
        except (asyncio.LimitOverrunError, ValueError, AttributeError) as failure:
            raise NoRouter(f"The peer at the socket is no router: {failure}") from None
        if error:
            raise RouterError(error, parameters)
        return cast(Value, parameters)

    async def call(self, method: str, parameters: Value) -> Value:
        """Makes a call and returns the parameters of its reply; raises the errors of `read`.

        The reply is read even if the caller is cancelled, because the replies to later calls follow it.
        """
        exchange = asyncio.create_task(self._exchange(method, parameters))
        self._exchanges.add(exchange)
        exchange.add_done_callback(self._note_end)
        return await asyncio.shield(exchange)

    def _note_end(self, exchange: asyncio.Task[Value]) -> None:
        self._exchanges.discard(exchange)
        if not exchange.cancelled():
            # Marks the exception as read. A cancelled caller does not read it, and asyncio prints unread exceptions.
            exchange.exception()

    async def _exchange(self, method: str, parameters: Value) -> Value:
        async with self._turn:
            if self.is_over:
                raise ConnectionResetError("The connection to the router is lost.")
            self.write(method, parameters)
            return await self.read()

    def close(self) -> None:
        """Closes the connection."""
        self._writer.close()
