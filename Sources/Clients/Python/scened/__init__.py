"""Windows that get links: a client of scened, which decides which open window a link or an activity goes to.

    import scened

    def show(event: scened.Event) -> None:
        print("show", event.url)

    with scened.Router() as router:
        window = router.open_scene("org.example.Gallery.desktop", show, preferring=["album/4711"], allowing=["*"])
        window.closed.result()

A handler that returns has taken the event; one that raises declines it, so that the router finds another window. What
takes time returns an `Answer`: `answer.result()` waits for it in a thread, `await answer` in a coroutine.

A `Router` that is made in a coroutine works on its loop and calls handlers there, which may be coroutine functions.
Any other has a thread of its own, and calls each handler on another, or as its `call` says; it may be used from any
thread. When the router is lost, or is not there yet, all that was open is opened (again) as soon as it is there: in the
order in which it was opened, with the current sets, titles and activities.
"""

import asyncio
import concurrent.futures
import contextlib
import inspect
import json
import logging
import os
import random
import threading
from collections.abc import Callable, Coroutine, Generator, Iterable
from dataclasses import dataclass, field
from functools import partial
from types import TracebackType
from typing import Any, Literal, Self, TypedDict, TypeVar, cast

__all__ = [
    "Activity", "Answer", "Application", "Claims", "Continuation", "Decline", "Event", "Monitor", "OpenRequest", "Outcome",
    "OutcomeUnknown", "Router", "RouterError", "Scene", "SceneDeclaration", "default_socket_path",
]  # fmt: skip

T = TypeVar("T")
Value = dict[str, Any]

_INTERFACE = "io.scened.Router."
_log = logging.getLogger("scened")
# See "Limits" in the routing contract.
_MESSAGE_LIMIT = 256 << 10
_STRING_LIMIT = 1 << 10
# What the router queues for a connection at most.
_REPLY_LIMIT = 16 << 20
# Seconds between two attempts to connect.
_FIRST_DELAY, _LAST_DELAY = 0.05, 5.0
# Seconds that a connection has lasted before an event is sent again: the windows of other programs come back in less.
_SETTLING = 1.0


class RouterError(Exception):
    """The router refuses what it was asked."""

    name: str
    """The name of the error, such as `LimitExceeded`; in full if it is not one of the router's."""
    parameters: Value
    """What the interface says of the error."""

    def __init__(self, name: str, parameters: Value) -> None:
        self.name = name.removeprefix(_INTERFACE)
        self.parameters = parameters
        super().__init__(f"{self.name} {json.dumps(parameters)}" if parameters else self.name)


class OutcomeUnknown(Exception):
    """The connection was lost while the event was under way; what became of it is not known."""

    def __str__(self) -> str:
        return "The router was lost while the event was under way; what became of it is not known."


class Decline(Exception):
    """Raised by a handler that does not want the event, or opens no window; the text is for the sender."""


class Answer(concurrent.futures.Future[T]):
    """What comes later: `result()` waits for it in a thread, `await` in a coroutine."""

    def __await__(self) -> Generator[Any, None, T]:
        return asyncio.wrap_future(self).__await__()


@dataclass(frozen=True)
class Activity:
    """What a user was doing."""

    activity_type: str
    target_content_identifier: str | None = None
    webpage_url: str | None = None
    title: str | None = None
    user_info: Value | None = None
    is_eligible_for_handoff: bool = False

    def _wire(self) -> Value:
        return _without_none(
            activityType=self.activity_type,
            targetContentIdentifier=self.target_content_identifier,
            webpageURL=self.webpage_url,
            title=self.title,
            userInfo=self.user_info,
            isEligibleForHandoff=self.is_eligible_for_handoff or None,
        )


@dataclass(frozen=True)
class Event:
    """A URL or an activity, as it comes to a window."""

    url: str | None
    activity: Activity | None
    content_type: str | None
    event_id: str | None
    """As its sender chose it; one that was sent again after a crash of the router has the same."""
    activation_token: str | None
    """Lets the window be raised."""
    registration_ids: list[str]
    """The registrations of the window that made it match."""

    @classmethod
    def _of(cls, offer: Value) -> "Event":
        event = offer["event"]
        activity = event.get("activity")
        return cls(
            event.get("url"),
            activity
            and Activity(
                activity["activityType"],
                activity.get("targetContentIdentifier"),
                activity.get("webpageURL"),
                activity.get("title"),
                activity.get("userInfo"),
                activity.get("isEligibleForHandoff", False),
            ),
            event.get("contentType"),
            offer.get("eventId"),
            offer.get("activationToken"),
            offer.get("registrationIds", []),
        )


@dataclass(frozen=True)
class Continuation:
    """The current activity of a window was taken, to be continued elsewhere."""

    activity_type: str
    by: str | None
    """Who took it, for people: the name of a machine, for instance."""


@dataclass(frozen=True)
class SceneDeclaration:
    """A kind of window that an application can open; `matching` None is without condition."""

    id: str
    title: str | None = None
    kind: Literal["windowGroup", "documentGroup"] = "windowGroup"
    matching: list[str] | None = None
    supported_types: list[str] = field(default_factory=list)
    is_singleton: bool = False

    def _wire(self) -> Value:
        return _without_none(
            declarationId=self.id,
            title=self.title and _limited(self.title),
            kind=self.kind,
            matching=self.matching,
            supportedTypes=self.supported_types or None,
            isSingleton=self.is_singleton or None,
        )


@dataclass(frozen=True)
class Claims:
    """The events that an application stands for: no other gets them, and it gets no others."""

    schemes: list[str] = field(default_factory=list)
    activity_types: list[str] = field(default_factory=list)
    mime_types: list[str] = field(default_factory=list)
    hosts: list[str] = field(default_factory=list)

    def _wire(self) -> Value:
        return {
            "schemes": self.schemes,
            "activityTypes": self.activity_types,
            "mimeTypes": self.mime_types,
            "hosts": self.hosts,
        }


class Settlement(TypedDict, total=False):
    """How one attempt at an event ended, as the interface describes it."""

    decisionId: str
    deliveryId: str
    openRequestId: str
    sceneId: str
    result: str
    reason: str


class RouteDecision(TypedDict, total=False):
    """What the router decided about an event, as the interface describes it."""

    decisionId: str
    generation: int
    target: str
    rule: str
    matchedPattern: str
    matchedString: str
    matchedField: str
    sceneId: str
    applicationId: str
    declarationId: str
    registrationIds: list[str]


@dataclass(frozen=True)
class Outcome:
    """How an event ended."""

    error: str | None
    """None if somebody took it; else `NotRouted`, `Declined`, `TimedOut`, `LaunchFailed` or `ServiceStopping`."""
    decision: RouteDecision | None = None
    settlement: Settlement | None = None
    attempts: list[Settlement] = field(default_factory=list)

    @property
    def is_taken(self) -> bool:
        """Whether somebody took the event."""
        return self.error is None

    @classmethod
    def _of(cls, error: str | None, reply: Value) -> "Outcome":
        return cls(error, reply.get("decision"), reply.get("settlement"), reply.get("attempts") or [])


_OUTCOMES = {"NotRouted", "Declined", "TimedOut", "LaunchFailed", "ServiceStopping"}


def default_socket_path() -> str:
    """`$SCENED_SOCKET`, else the socket of the user's router; raises `FileNotFoundError` if neither is known."""
    if path := os.environ.get("SCENED_SOCKET"):
        return path
    if directory := os.environ.get("XDG_RUNTIME_DIR"):
        return directory + "/scened/io.scened.Router"
    raise FileNotFoundError("The router's socket is not known: neither $SCENED_SOCKET nor $XDG_RUNTIME_DIR is set.")


def _without_none(**members: Any) -> Value:
    return {name: value for name, value in members.items() if value is not None}


def _limited(text: str) -> str:
    """As much of a text for people as the router takes, cut before a character that does not fit."""
    return text.encode(errors="replace")[:_STRING_LIMIT].decode(errors="ignore")


def _message(method: str, parameters: Value, **flags: bool) -> bytes:
    """A call on the wire; raises `ValueError` for one that would end the connection, each time it is made."""
    name = method if "." in method else _INTERFACE + method
    call: Value = {"method": name, "parameters": parameters, **flags}
    text = json.dumps(call, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode()
    if len(text) > _MESSAGE_LIMIT:
        raise ValueError(f"The call {method} has {len(text)} bytes; the router takes {_MESSAGE_LIMIT}.")
    return text + b"\0"


class _Connection:
    """A socket, and the messages that go over it."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader, self._writer = reader, writer
        self._turn = asyncio.Lock()
        self.is_lost = False

    @classmethod
    async def open(cls, path: str) -> "_Connection":
        if path.startswith("@"):
            path = "\0" + path[1:]
        return cls(*await asyncio.open_unix_connection(path, limit=_REPLY_LIMIT))

    @property
    def is_over(self) -> bool:
        return self.is_lost or self._reader.at_eof()

    def write(self, method: str, parameters: Value, **flags: bool) -> None:
        self._writer.write(_message(method, parameters, **flags))

    async def read(self) -> Value:
        """The next reply; raises `RouterError`, or `OSError` or `EOFError` if there is none."""
        try:
            reply = json.loads((await self._reader.readuntil(b"\0"))[:-1])
            error, parameters = reply.get("error"), reply.get("parameters") or {}
        except (asyncio.LimitOverrunError, ValueError, AttributeError) as failure:
            raise ConnectionError(f"What answers at the socket is no router: {failure}") from None
        if error:
            raise RouterError(error, parameters)
        return cast(Value, parameters)

    async def call(self, method: str, parameters: Value) -> Value:
        """The reply to a call; it is read even if nobody waits for it any more, as others come after it."""
        return await asyncio.shield(self._call(method, parameters))

    async def _call(self, method: str, parameters: Value) -> Value:
        async with self._turn:
            self.write(method, parameters)
            return await self.read()

    def close(self) -> None:
        self._writer.close()


class _Lasting:
    """What is open over a connection, and is opened again over the next."""

    closed: Answer[None]
    """Comes when it is open no more; raises what the router answered if it refuses to have it open."""

    def __init__(self, router: "Router") -> None:
        self.closed = Answer()
        self._opened: Answer[Any] = Answer()
        self._router = router
        # The connection for its calls, when it was opened last.
        self._calls: _Connection | None = None
        self._replies: _Connection | None = None
        self._offers: dict[str, asyncio.Task[None]] = {}
        # For one handler after the other, and for telling what has become of an offer before the end.
        self._turn, self._settling = asyncio.Lock(), asyncio.Lock()

    @property
    def opened(self) -> "Answer[Self]":
        """Comes when it is open for the first time."""
        return self._opened

    def close(self) -> None:
        """Ends it; what a handler has not taken by then goes to others."""

        async def close() -> None:
            async with self._settling:
                self._end()

        if not self.closed.done():
            self._router._post(lambda: self._router._spawn(close()))

    def _call(self) -> tuple[str, Value]:
        raise NotImplementedError

    def _note(self, first: Value) -> None:
        """Takes the first reply."""

    async def _take(self, reply: Value) -> None:
        """Takes any reply."""

    async def _begin(self, calls: _Connection) -> None:
        self._calls = calls
        replies = await _Connection.open(self._router.path)
        self._replies = replies
        try:
            replies.write(*self._call(), more=True)
            first = await replies.read()
            self._note(first)
        except (RouterError, ValueError) as error:
            if isinstance(error, RouterError) and error.name == "ServiceStopping":
                raise ConnectionError(error) from None
            return self._end(error)
        except EOFError:
            if not self.closed.done():
                raise
        if self.closed.done():
            return replies.close()
        if not self._opened.done():
            self._opened.set_result(self)
        self._router._spawn(self._follow(replies, first, calls))

    async def _follow(self, replies: _Connection, reply: Value, calls: _Connection) -> None:
        try:
            while "closed" not in reply:
                await self._take(reply)
                reply = await replies.read()
            if reply["closed"] != "shutdown":
                return self._end()
        except RouterError as error:
            return self._end(error)
        except (OSError, EOFError):
            pass
        if self._replies is replies:
            self._router._lose(calls)

    def _offer(self, id: str, work: Callable[[], Coroutine[Any, Any, None]]) -> None:
        """Has something done about an offer, after what was offered before, until it is withdrawn."""

        async def in_turn() -> None:
            try:
                async with self._turn:
                    await work()
            finally:
                self._offers.pop(id, None)

        self._offers[id] = self._router._spawn(in_turn())

    def _withdraw(self, id: str) -> None:
        if offer := self._offers.pop(id, None):
            offer.cancel()

    def _drop(self) -> None:
        """Lets go of the connection, and of what came over it."""
        for id in list(self._offers):
            self._withdraw(id)
        if self._replies:
            self._replies.close()
        self._replies = self._calls = None

    def _end(self, error: Exception | None = None) -> None:
        if self.closed.done():
            return
        self._router._members.remove(self)
        self._drop()
        if error:
            _log.warning("%s is closed: %s", type(self).__name__, error)
            self.closed.set_exception(error)
        else:
            self.closed.set_result(None)
        if not self._opened.done():
            self._opened.set_exception(error or ConnectionError("It was closed before it was open."))


@dataclass(frozen=True)
class _Change:
    method: str
    parameters: Value
    answer: Answer[int]


class Scene(_Lasting):
    """An open window; `Router.open_scene` opens one.

    Changes come into effect in their order, one at a time; of several changes of the same thing that wait for their
    turn only the last one is made, and they have one answer: the generation of the registry that has the change. What
    a handler has changed is in effect before its event counts as taken. Any thread may make them.
    """

    id: str | None = None
    """Identifies the scene, for everybody; another one after each time that it was opened again."""
    application: str
    """The application that it belongs to."""

    on_continued: Callable[[Continuation], object] | None = None
    """Called when the current activity was taken."""

    def __init__(
        self, router: "Router", application: str, handler: "Handler", declaration: str | None, request: str | None
    ) -> None:
        super().__init__(router)
        self.application = application
        self._handler = handler
        self._declaration, self._request = declaration, request
        self._handle = ""
        # What it is opened again with, and what the router does not yet know.
        self._accepted: dict[str, _Change] = {}
        self._pending: dict[str, _Change] = {}
        self._is_waking = False
        self._lock, self._changing = threading.Lock(), asyncio.Lock()

    def set(self, preferring: Iterable[str] = (), allowing: Iterable[str] = (), id: str = "scene") -> Answer[int]:
        """Says which events the window, or the part of it with this id, prefers and allows; `*` is all."""
        registration = {"registrationId": id, "preferring": list(preferring), "allowing": list(allowing)}
        return self._change("registration:" + id, "SetRegistration", registration=registration)

    def remove(self, id: str) -> Answer[int]:
        """Takes away what was set with this id."""
        return self._change("registration:" + id, "RemoveRegistration", registrationId=id)

    def set_title(self, title: str) -> Answer[int]:
        """Changes the title, which is for people; cut after 1 KiB."""
        return self._change("title", "UpdateScene", title=_limited(title))

    def set_activity(self, activity: Activity | None) -> Answer[int]:
        """Makes an activity the window's current one, which can be taken if it is eligible for Handoff; None ends it."""
        return self._change("activity", "SetActivity", activity=activity and activity._wire())

    def activate(self) -> Answer[int]:
        """Says that the window has become the one the user works in: of several that would do it comes first."""
        self._router._active = self
        return self._change("active", "UpdateScene", isActive=True)

    def _change(self, key: str, method: str, **parameters: Any) -> Answer[int]:
        _message(method, parameters)
        with self._lock:
            former = self._pending.get(key)
            answer = former.answer if former else Answer[int]()
            if self.closed.done():
                answer.set_exception(ConnectionError("The window is closed."))
                return answer
            self._pending[key] = _Change(method, parameters, answer)
            wakes, self._is_waking = not self._is_waking, True
        if wakes:
            self._router._post(lambda: self._router._spawn(self._report()))
        return answer

    async def _report(self) -> None:
        """Makes the changes that wait; those that cannot be made now wait for the next connection."""
        async with self._changing:
            with self._lock:
                self._is_waking = False
                changes = list(self._pending.items())
            for key, change in changes:
                calls, failure, generation = self._calls, None, 0
                if not calls or not self._handle:
                    return
                try:
                    reply = await calls.call(change.method, {"sceneHandle": self._handle, **change.parameters})
                    generation = reply.get("generation", 0)
                except RouterError as error:
                    failure = error
                except (OSError, EOFError):
                    return self._router._lose(calls)
                with self._lock:
                    if not failure:
                        self._accepted[key] = change
                    if self._pending.get(key) is not change:
                        continue
                    del self._pending[key]
                if failure:
                    _log.warning("A change of a window is refused: %s", failure)
                    change.answer.set_exception(failure)
                else:
                    change.answer.set_result(generation)

    def _call(self) -> tuple[str, Value]:
        accepted = [change.parameters for change in self._accepted.values()]
        context = _without_none(
            applicationId=self.application,
            declarationId=self._declaration,
            title=next((parameters["title"] for parameters in accepted if "title" in parameters), None),
            registrations=[
                parameters["registration"] for parameters in accepted if "registration" in parameters
            ],
        )
        return "OpenScene", _without_none(context=context, openRequestId=self._request)

    async def _begin(self, calls: _Connection) -> None:
        self._handle = ""
        await super()._begin(calls)
        with self._lock:
            # The one thing that cannot be said when a window is opened.
            if activity := self._accepted.get("activity"):
                again = _Change(activity.method, activity.parameters, Answer())
                self._pending.setdefault("activity", again)
        await self._report()

    def _note(self, first: Value) -> None:
        self.id, self._handle, self._request = first["opened"]["sceneId"], first["opened"]["sceneHandle"], None

    async def _take(self, reply: Value) -> None:
        if delivery := reply.get("delivery"):
            self._offer(delivery["deliveryId"], partial(self._deliver, delivery))
        elif withdrawn := reply.get("withdrawn"):
            self._withdraw(withdrawn.get("deliveryId", ""))
        elif (taken := reply.get("continued")) and self.on_continued:
            continuation = Continuation(taken["activityType"], taken.get("by"))
            self._router._spawn(self._router._refusal(self.on_continued, continuation))

    async def _deliver(self, delivery: Value) -> None:
        calls = self._calls
        settlement: Value = {"sceneHandle": self._handle, "deliveryId": delivery["deliveryId"]}
        refusal = await self._router._refusal(self._handler, Event._of(delivery))
        method = "AcknowledgeDelivery" if refusal is None else "DeclineDelivery"
        async with self._settling:
            await self._report()
            # Nobody needs to hear that the delivery, or the connection, has ended in the meantime.
            with contextlib.suppress(RouterError, OSError, EOFError):
                if calls:
                    await calls.call(method, settlement | _without_none(reason=refusal))

    def _end(self, error: Exception | None = None) -> None:
        # A request that is over, or one of a router that is no more, does not keep a window from being open.
        if isinstance(error, RouterError) and error.name == "NoSuchOpenRequest" and self._request:
            self._request = None
            return self._drop()
        super()._end(error)
        with self._lock:
            pending = list(self._pending.values())
            self._pending.clear()
        for change in pending:
            change.answer.set_exception(error or ConnectionError("The window is closed."))


class Application(_Lasting):
    """A declared application; `Router.declare` declares one."""

    id: str

    def __init__(self, router: "Router", id: str, call: Value, handler: "Callable[[OpenRequest], object]") -> None:
        super().__init__(router)
        self.id = id
        self._parameters = call
        self._handler = handler
        self._handle = ""

    def _call(self) -> tuple[str, Value]:
        return "DeclareApplication", self._parameters

    def _note(self, first: Value) -> None:
        self._handle = first["declared"]["applicationHandle"]

    async def _take(self, reply: Value) -> None:
        if request := reply.get("openRequest"):
            self._offer(request["openRequestId"], partial(self._ask, request))
        elif withdrawn := reply.get("withdrawn"):
            self._withdraw(withdrawn.get("openRequestId", ""))

    async def _ask(self, request: Value) -> None:
        calls, id = self._calls, request["openRequestId"]
        asked = OpenRequest(id, request["declarationId"], Event._of(request), self)
        refusal = await self._router._refusal(self._handler, asked)
        if calls and refusal is not None:
            refused = {"applicationHandle": self._handle, "openRequestId": id, "reason": refusal}
            calls.write("DeclineOpenRequest", refused, oneway=True)


@dataclass(frozen=True)
class OpenRequest:
    """Asks an application for a new window; a handler that raises declines it."""

    id: str
    declaration: str
    """The kind of window."""
    event: Event
    """What the window is for; it is delivered to the window as well."""
    application: Application

    def open_scene(
        self,
        handler: "Handler",
        *,
        title: str | None = None,
        preferring: Iterable[str] = (),
        allowing: Iterable[str] = (),
    ) -> Scene:
        """Opens the window; what is said of it is as for `Router.open_scene`."""
        return self.application._router._open(
            self.application.id, handler, self.declaration, self.id, title, preferring, allowing
        )


class Monitor(_Lasting):
    """Follows the router's work; `Router.monitor` starts one."""

    def __init__(self, router: "Router", call: Value, handler: Callable[[Value], object]) -> None:
        super().__init__(router)
        self._parameters, self._handler = call, handler

    def _call(self) -> tuple[str, Value]:
        return "Monitor", self._parameters

    async def _take(self, reply: Value) -> None:
        # Nothing is read meanwhile: the router drops what would have to wait.
        await self._router._refusal(self._handler, reply)


Handler = Callable[[Event], object]


_Member = TypeVar("_Member", bound=_Lasting)


class Router:
    """The router, and what is open over the connections to it."""

    path: str
    """Where the router listens."""
    is_started_for_event: bool
    """Whether the router has started this program for an event, for which it waits for a window."""

    def __init__(
        self,
        path: str | None = None,
        *,
        reconnects: bool = True,
        on_state: Callable[[Literal["connected", "reconnecting"]], object] | None = None,
        call: Callable[[Callable[[], None]], object] | None = None,
    ) -> None:
        """Makes no connection yet.

        path: where the router listens; else as `default_socket_path` says.
        reconnects: whether what is open is opened again when the router is lost; else it is closed.
        on_state: called with each change; one that is slow misses what is over.
        call: has a handler called, by default on a new thread, or on the loop of the coroutine that makes this object.
            With `GLib.idle_add` handlers are called in its main loop.
        """
        self.path = path or default_socket_path()
        self.is_started_for_event = "SCENED_OPEN_REQUEST" in os.environ
        # Programs that this one starts do not inherit them.
        self._request = os.environ.pop("SCENED_OPEN_REQUEST", None)
        self._declaration = os.environ.pop("SCENED_DECLARATION", None)
        self._reconnects = reconnects
        self._on_state, self._state, self._reported = on_state, "", ""
        self._is_reporting = False
        self._members: list[_Lasting] = []
        self._active: Scene | None = None
        self._calls: _Connection | None = None
        self._tasks: set[asyncio.Task[Any]] = set()
        self._serving: asyncio.Task[None] | None = None
        self._connected, self._wake = asyncio.Event(), asyncio.Event()
        self._is_closed = False
        self._thread: threading.Thread | None = None
        self._invoke = call
        try:
            self._loop = asyncio.get_running_loop()
        except RuntimeError:
            self._loop = asyncio.new_event_loop()
            self._thread = threading.Thread(target=self._run, name="scened", daemon=True)
            self._thread.start()
            self._invoke = call or (lambda work: threading.Thread(target=work, daemon=True).start())

    def open_scene(
        self,
        application: str,
        handler: Handler,
        *,
        declaration: str | None = None,
        title: str | None = None,
        preferring: Iterable[str] = (),
        allowing: Iterable[str] = (),
    ) -> Scene:
        """Opens a window of an application, whose id is that of its desktop entry.

        In a program that the router has started, and that declares nothing, the first one is the window for the event.

        handler: called with each event, one after the other. When the time for an event is over the next one follows;
            a coroutine is cancelled then, and what a thread returns is of no importance any more.
        declaration: the kind of window.
        title: for people; cut after 1 KiB.
        preferring, allowing: the identifiers of `Scene.set`.
        """
        request, self._request = self._request, None
        if request and declaration is None:
            declaration = self._declaration
        return self._open(application, handler, declaration, request, title, preferring, allowing)

    def _open(
        self,
        application: str,
        handler: Handler,
        declaration: str | None,
        request: str | None,
        title: str | None,
        preferring: Iterable[str],
        allowing: Iterable[str],
    ) -> Scene:
        scene = Scene(self, application, handler, declaration, request)
        registration = {"registrationId": "scene", "preferring": list(preferring), "allowing": list(allowing)}
        scene._accepted["registration:scene"] = _Change("", {"registration": registration}, Answer())
        if title is not None:
            scene._accepted["title"] = _Change("", {"title": _limited(title)}, Answer())
        return self._add(scene)

    def declare(
        self,
        application: str,
        scenes: Iterable[SceneDeclaration],
        handler: Callable[[OpenRequest], object],
        *,
        claims: Claims | None = None,
        is_single_scene: bool = False,
    ) -> Application:
        """Declares the kinds of windows that an application can open, in the order in which they are tried.

        The handler is called when one is to be opened; it calls `OpenRequest.open_scene`, or raises.
        """
        self._request = None
        call = _without_none(
            applicationId=application,
            scenes=[scene._wire() for scene in scenes],
            claims=claims and claims._wire(),
            isSingleScene=is_single_scene or None,
        )
        return self._add(Application(self, application, call, handler))

    def monitor(
        self, handler: Callable[[Value], object], *, show_decisions: bool = True, show_registry: bool = True
    ) -> Monitor:
        """Calls the handler with each reply of the interface's `Monitor`; the first is a snapshot."""
        return self._add(Monitor(self, {"showDecisions": show_decisions, "showRegistry": show_registry}, handler))

    def send(
        self,
        event: str | Activity,
        *,
        content_type: str | None = None,
        application: str | None = None,
        scene: str | None = None,
        origin: str | None = None,
        allow_new_scene: bool = True,
        event_id: str | None = None,
        activation_token: str | None = None,
        timeout: float | None = None,
    ) -> Answer[Outcome]:
        """Sends a URL or an activity; the answer comes when somebody has taken it, or nobody does.

        The answer raises `RouterError` if the router does not accept the event, `OSError` if there is none, and
        `OutcomeUnknown` if it is lost meanwhile; an event with an id is then sent again, a second after all that this
        object has opened is open again.

        application, scene: only these. origin: never this scene.
        event_id: chosen by the sender; an event is routed once, however often it is sent.
        activation_token: lets the window be raised. timeout: seconds for each one that is asked.
        """
        content: Value = {"url": event} if isinstance(event, str) else {"activity": event._wire()}
        parameters = _without_none(
            event=content | _without_none(contentType=content_type),
            applicationId=application,
            sceneId=scene,
            originSceneId=origin,
            allowNewScene=None if allow_new_scene else False,
            eventId=event_id,
            activationToken=activation_token,
            timeoutUSec=timeout and max(1, round(timeout * 1_000_000)),
        )
        return self._start(self._send(parameters, event_id is not None and self._reconnects))

    def call(self, method: str, **parameters: Any) -> Answer[Value]:
        """Makes any other call that has one reply, by its name in the interface, such as `ListScenes`."""
        return self._start(self._apart(method, parameters))

    def close(self) -> None:
        """Closes all that is open; what waits for an answer is cancelled."""
        if not self._is_closed:
            self._post(lambda: self._loop.create_task(self._close()))
        if self._thread and self._thread is not threading.current_thread():
            self._thread.join()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    # On the loop

    def _add(self, member: _Member) -> _Member:
        _message(*member._call())

        def add() -> None:
            self._members.append(member)
            self._serve()
            self._wake.set()

        self._post(add)
        return member

    def _run(self) -> None:
        self._loop.run_forever()
        self._loop.close()

    def _post(self, work: Callable[[], object]) -> None:
        if self._is_closed:
            raise ConnectionError("The router is used no more.")
        self._loop.call_soon_threadsafe(work)

    def _spawn(self, work: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
        task = self._loop.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    def _start(self, work: Coroutine[Any, Any, T]) -> Answer[T]:
        answer = Answer[T]()

        async def finish() -> None:
            try:
                answer.set_result(await work)
            except asyncio.CancelledError:
                answer.cancel()
                raise
            except Exception as error:
                answer.set_exception(error)

        try:
            self._post(lambda: self._spawn(finish()))
        except ConnectionError:
            work.close()
            raise
        return answer

    async def _refusal(self, handler: Callable[[Any], object], argument: object) -> str | None:
        """Calls a handler; returns why it has declined, or None."""

        def call() -> None:
            if answer.set_running_or_notify_cancel():
                try:
                    answer.set_result(handler(argument))
                except Exception as error:
                    answer.set_exception(error)
                except BaseException as error:
                    # The end of a thread is not that of the loop.
                    answer.set_exception(RuntimeError(repr(error)))

        try:
            if self._invoke:
                answer = Answer[object]()
                # Made before, so that the loop hears of it before it hears of what follows the handler.
                returned = asyncio.wrap_future(answer)
                self._invoke(call)
                result = await returned
            else:
                result = handler(argument)
            if inspect.isawaitable(result):
                await result
        except Decline as refusal:
            return _limited(str(refusal))
        except Exception as error:
            _log.exception("A handler has failed.")
            return _limited(str(error) or type(error).__name__)
        return None

    async def _apart(self, method: str, parameters: Value) -> Value:
        connection = await _Connection.open(self.path)
        try:
            return await connection.call(method, parameters)
        finally:
            connection.close()

    async def _send(self, parameters: Value, is_repeatable: bool) -> Outcome:
        is_sent = False
        while True:
            calls = self._calls
            try:
                connection = await _Connection.open(self.path)
            except OSError:
                if not is_sent:
                    raise
            else:
                is_sent = True
                try:
                    return Outcome._of(None, await connection.call("SendEvent", parameters))
                except RouterError as error:
                    if error.name not in _OUTCOMES:
                        raise
                    return Outcome._of(error.name, error.parameters)
                except (OSError, EOFError):
                    if not is_repeatable:
                        raise OutcomeUnknown from None
                finally:
                    connection.close()
            await self._settle(calls)

    async def _settle(self, lost: _Connection | None) -> None:
        """Returns when there is another connection, which has lasted for a while."""
        while True:
            if lost and lost is self._calls:
                self._lose(lost)
            self._serve()
            await self._connected.wait()
            lost = self._calls
            await asyncio.sleep(_SETTLING)
            if lost and lost is self._calls and not lost.is_over:
                return

    def _serve(self) -> None:
        if not self._serving:
            self._serving = self._spawn(self._reconnect())

    async def _reconnect(self) -> None:
        delay = _FIRST_DELAY
        while True:
            began, error = self._loop.time(), None
            try:
                await self._connect()
            except (OSError, EOFError) as failure:
                error = failure
            if not self._reconnects:
                for member in list(self._members):
                    member._end(ConnectionError(f"The connection to the router is lost. {error or ''}"))
                self._serving = None
                return
            self._report("reconnecting")
            # A connection that lasts no longer than the wait for it is no end of the trouble.
            if self._loop.time() - began > delay:
                delay = _FIRST_DELAY
            # So that not all clients of a router come at once.
            await asyncio.sleep(delay * random.uniform(0.5, 1))
            delay = min(delay * 2, _LAST_DELAY)

    async def _connect(self) -> None:
        """Opens everything, and what is added, in its order; returns when the connection is lost."""
        calls = self._calls = await _Connection.open(self.path)
        try:
            while not calls.is_over:
                if member := next((member for member in self._members if member._calls is not calls), None):
                    await member._begin(calls)
                    continue
                if not self._connected.is_set():
                    if (active := self._active) and active._handle:
                        activation = {"sceneHandle": active._handle, "isActive": True}
                        calls.write("UpdateScene", activation, oneway=True)
                    self._connected.set()
                    self._report("connected")
                self._wake.clear()
                await self._wake.wait()
        finally:
            self._connected.clear()
            calls.close()
            for member in self._members:
                member._drop()

    def _lose(self, calls: _Connection) -> None:
        calls.is_lost = True
        if calls is self._calls:
            self._connected.clear()
            self._wake.set()

    def _report(self, state: Literal["connected", "reconnecting"]) -> None:
        async def report() -> None:
            while self._reported != self._state:
                self._reported = self._state
                await self._refusal(cast(Callable[[Any], object], self._on_state), self._reported)
            self._is_reporting = False

        self._state = state
        if self._on_state and not self._is_reporting:
            self._is_reporting = True
            self._spawn(report())

    async def _close(self) -> None:
        self._is_closed = True
        for member in list(self._members):
            member._end()
        for task in self._tasks:
            task.cancel()
        if self._thread:
            await asyncio.gather(*asyncio.all_tasks() - {asyncio.current_task()}, return_exceptions=True)
            self._loop.stop()
