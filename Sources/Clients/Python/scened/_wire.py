"""The socket of the router, connections to it, and the messages on them."""

import asyncio
import concurrent.futures
import json
import os
import socket
import threading
import weakref
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
# The characters that no URL has, and what becomes of each inside a link.
_SPACE = "".join(map(chr, range(0x21)))
_REPAIRS = {ord(character): f"%{ord(character):02X}" for character in _SPACE + "\x7f"} | dict.fromkeys(b"\t\n\r")


# The sockets of all connections of this process. A forked child closes its copies of them: a connection ends only with
# its last copy, and the windows on it would outlive the program. A fork waits until no socket is being added.
_sockets: "weakref.WeakSet[socket.socket]" = weakref.WeakSet()
_adding = threading.RLock()


def _leave_sockets_to_parent() -> None:
    _adding.release()
    for copy in list(_sockets):
        # `socket.detach` keeps the descriptor from being closed again when it belongs to another file.
        if (descriptor := copy.detach()) >= 0:
            os.close(descriptor)
    _sockets.clear()


os.register_at_fork(
    before=_adding.acquire, after_in_parent=_adding.release, after_in_child=_leave_sockets_to_parent
)


class Owned:
    """An object that belongs to the process that made it, and has no part in a forked child."""

    def __init__(self) -> None:
        super().__init__()
        self._process = os.getpid()

    @property
    def _is_inherited(self) -> bool:
        return self._process != os.getpid()

    def _check_process(self) -> None:
        if self._is_inherited:
            raise RuntimeError(
                "This object of scened belongs to the parent process. A forked child makes a Router object of its own."
            )


class Answer(Owned, concurrent.futures.Future[T]):
    """A result that comes later: `result()` waits for it in a thread, `await` in a coroutine."""

    def result(self, timeout: float | None = None) -> T:
        if not self.done():
            self._check_process()
        return super().result(timeout)

    def exception(self, timeout: float | None = None) -> BaseException | None:
        if not self.done():
            self._check_process()
        return super().exception(timeout)

    def __await__(self) -> Generator[Any, None, T]:
        if not self.done():
            self._check_process()
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


def repaired(link: str) -> str:
    """Returns a link as browsers read it, and as the router accepts it.

    White space and control characters are cut at the ends. Tabs and line breaks inside are dropped, and other white
    space and control characters are percent-encoded.
    """
    return link.strip(_SPACE).translate(_REPAIRS)


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
        with _adding:
            end = socket.socket(socket.AF_UNIX)
            _sockets.add(end)
        try:
            end.setblocking(False)
            await asyncio.get_running_loop().sock_connect(end, path)
            return cls(*await asyncio.open_unix_connection(sock=end, limit=_REPLY_LIMIT))
        except BaseException:
            end.close()
            raise

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
