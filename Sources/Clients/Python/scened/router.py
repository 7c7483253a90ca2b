"""The router as a program sees it: calls, events, and everything that the program has opened."""

import asyncio
import contextlib
import inspect
import logging
import os
import random
import threading
import uuid
from collections.abc import Callable, Coroutine, Iterable
from types import TracebackType
from typing import Any, Literal, Self, TypeVar, cast

from ._files import resolved_url
from ._wire import (
    Answer,
    Connection,
    NoRouter,
    Owned,
    T,
    Value,
    default_socket_path,
    limited,
    message,
    repaired,
    without_none,
)
from .declarations import Claims, SceneDeclaration
from .errors import Decline, OutcomeUnknown, RouterError
from .events import OUTCOMES, Activity, Outcome
from .windows import Application, Change, Handler, Lasting, Monitor, OpenRequest, Scene, Shown, registration_of

__all__ = ["Router"]

_log = logging.getLogger("scened")
# Seconds between two attempts to connect: the first delay and the longest one. After a restart the router waits two
# seconds for its former clients, so the longest delay is shorter.
_FIRST_DELAY, _LAST_DELAY = 0.05, 1.0
# Seconds to wait before an event is sent again.
_PAUSE = 0.05

_Member = TypeVar("_Member", bound=Lasting)


def _named(event: Value) -> Value:
    """Returns an event with the other name of its file, if the event's sender has not given one."""
    return without_none(resolvedUrl=resolved_url(event.get("url"))) | event


class Router(Owned):
    """The router, and everything that is open over connections to it.

    A process that the program forks has no part in this object: the windows end with the program, and calls in the
    child raise `RuntimeError`. The child can make an object of its own.
    """

    path: str
    """The path of the router's socket."""
    is_started_for_event: bool
    """Whether the router has started this program to open a window for an event."""

    def __init__(
        self,
        path: str | None = None,
        *,
        reconnects: bool = True,
        on_state: Callable[[Literal["connected", "reconnecting"]], object] | None = None,
        call: Callable[[Callable[[], None]], object] | None = None,
    ) -> None:
        """Makes the object; it connects when something is opened or sent.

        path: the path of the router's socket; by default the result of `default_socket_path`.
        reconnects: if true, everything open is opened again after the connection is lost; if false, it is closed.
        on_state: called with each new state of the connection. If a call takes long, states that come and go in the
            meantime are left out.
        call: the function that calls handlers, such as `GLib.idle_add` to call them in the main loop of GLib. By
            default handlers are called on the loop of the coroutine that makes this object. Without such a coroutine,
            each handler is called on a new thread.
        """
        super().__init__()
        self.path = path or default_socket_path()
        self.is_started_for_event = "SCENED_OPEN_REQUEST" in os.environ
        # The variables are removed, so that child processes do not inherit them.
        self._request = os.environ.pop("SCENED_OPEN_REQUEST", None)
        self._declaration = os.environ.pop("SCENED_DECLARATION", None)
        self._reconnects = reconnects
        self._on_state, self._state, self._reported = on_state, "", ""
        self._is_reporting = False
        self._members: list[Lasting] = []
        # Id of an application → the events that the application got in deliveries or open requests.
        self._shown: dict[str, Shown] = {}
        self._active: Scene | None = None
        self._calls: Connection | None = None
        self._tasks: set[asyncio.Task[Any]] = set()
        # The tasks that are still closing a window, an application or a monitor.
        self._partings: set[asyncio.Task[None]] = set()
        self._serving: asyncio.Task[None] | None = None
        # `_is_trying`: whether this object tries to connect, or is connected. `_ended_attempts`: how many attempts have
        # failed, or have ended with the loss of the connection.
        self._is_trying, self._ended_attempts = False, 0
        self._connected, self._wake, self._hurried = asyncio.Event(), asyncio.Event(), asyncio.Event()
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

    def __repr__(self) -> str:
        if self._is_closed:
            return f"<scened.Router {self.path!r} closed>"
        state = self._state or "not connected"
        return f"<scened.Router {self.path!r} {state}, {len(self._members)} open>"

    def open_scene(
        self,
        application: str,
        handler: Handler,
        *,
        declaration: str | None = None,
        title: str | None = None,
        preferring: Iterable[str] = (),
        allowing: Iterable[str] = (),
        showing: Iterable[str] = (),
    ) -> Scene:
        """Opens a window of an application.

        If the router has started the program for an event, and the program declares nothing, the first window gets this
        event.

        application: the id of the application's desktop entry.
        handler: called with one event after the other. If the handler takes too long, the event times out and the next
            event follows. A coroutine is then cancelled; any other handler goes on, and its result is ignored.
        declaration: the id of the declared kind of window.
        title: for people; cut after 1 KiB.
        preferring, allowing, showing: the identifiers and URLs of `Scene.set`.
        """
        request, self._request = self._request, None
        if request and declaration is None:
            declaration = self._declaration
        registration = registration_of("scene", preferring, allowing, showing)
        return self._open(application, handler, declaration, request, title, registration)

    def _open(
        self,
        application: str,
        handler: Handler,
        declaration: str | None,
        request: OpenRequest | str | None,
        title: str | None,
        registration: Value,
    ) -> Scene:
        scene = Scene(self, application, handler, declaration, request)
        scene._accepted["registration:scene"] = Change("", {"registration": registration}, Answer())
        if title is not None:
            scene._accepted["title"] = Change("", {"title": limited(title)}, Answer())
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
        """Declares the kinds of windows that an application can open, in the order in which the router tries them.

        The handler is called with each request for a window; it calls `OpenRequest.open_scene`, or raises.
        """
        self._request = None
        call = without_none(
            applicationId=application,
            scenes=[scene._wire() for scene in scenes],
            claims=claims and claims._wire(),
            isSingleScene=is_single_scene or None,
        )
        return self._add(Application(self, application, call, handler))

    def monitor(
        self, handler: Callable[[Value], object], *, show_decisions: bool = True, show_registry: bool = True
    ) -> Monitor:
        """Calls the handler with each reply of the interface's `Monitor`; the first reply is a snapshot."""
        return self._add(Monitor(self, {"showDecisions": show_decisions, "showRegistry": show_registry}, handler))

    def send(
        self,
        event: str | Activity,
        *,
        content_type: str | None = None,
        line: int | None = None,
        column: int | None = None,
        application: str | None = None,
        scene: str | None = None,
        origin: str | None = None,
        allow_new_scene: bool = True,
        event_id: str | None = None,
        activation_token: str | None = None,
        timeout: float | None = None,
    ) -> Answer[Outcome]:
        """Sends a URL or an activity; the answer comes when a window has taken it, or when none takes it.

        White space in a URL is repaired as browsers do it. Of a file's URL the router also gets the path without
        symbolic links.

        The event is sent after the router has answered all earlier calls through this object that open a window, an
        application or a monitor, or that change or close a window. If the connection keeps failing, the event is sent
        without these answers.

        If the connection is lost or the router stops, the event is sent again over the next connection. No window is
        shown the event twice. An object that does not reconnect never sends an event again. If it loses the connection,
        the answer raises `OutcomeUnknown`.

        The answer raises `RouterError` if the router does not accept the event, and `OSError` if the router cannot be
        reached.

        line, column: the place in the document, counted from 1; a column needs a line.
        application, scene: limit the event to this application or scene.
        origin: the scene that the event comes from; the router does not send the event back to it.
        event_id: an id that the sender chooses. The router routes only one event with this id, even if the sender sends
            it several times. By default an object that reconnects makes up an id.
        activation_token: allows the window to be raised.
        timeout: the seconds that each window has to take the event.
        """
        content: Value = {"url": repaired(event)} if isinstance(event, str) else {"activity": event._wire()}
        parameters = without_none(
            event=_named(content | without_none(contentType=content_type, line=line, column=column)),
            applicationId=application,
            sceneId=scene,
            originSceneId=origin,
            allowNewScene=None if allow_new_scene else False,
            eventId=event_id or (uuid.uuid4().hex if self._reconnects else None),
            activationToken=activation_token,
            timeoutUSec=timeout and max(1, round(timeout * 1_000_000)),
        )
        return self._start(self._send(parameters))

    def call(self, method: str, **parameters: Any) -> Answer[Value]:
        """Calls a method of the interface by its name, such as `ListScenes`, and returns its one reply.

        The call is made after the router has answered all earlier calls through this object that open a window, an
        application or a monitor, or that change or close a window. If the connection keeps failing, the call is made
        without these answers.
        """
        if isinstance(event := parameters.get("event"), dict):
            parameters["event"] = _named(event)
        return self._start(self._apart(method, parameters))

    def close(self) -> None:
        """Closes everything open and cancels all answers that have not come yet; in a forked child, does nothing."""
        if self._is_inherited:
            return
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

    # Private methods. Most of them run on the loop.

    def _add(self, member: _Member) -> _Member:
        # Raises an error to the caller if the call is invalid. Later, on the loop, only `opened` and `closed` would get
        # the error.
        message(*member._call())

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
        self._check_process()
        if self._is_closed:
            raise ConnectionError("The Router object is closed.")
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
        except (ConnectionError, RuntimeError):
            work.close()
            raise
        return answer

    async def _refusal(self, handler: Callable[[Any], object], argument: object) -> str | None:
        """Calls a handler; returns the reason for which it has declined, or None."""

        def call() -> None:
            if answer.set_running_or_notify_cancel():
                try:
                    answer.set_result(handler(argument))
                except Exception as error:
                    answer.set_exception(error)
                except BaseException as error:
                    # The loop would end if it got an exception such as `SystemExit`. It gets a `RuntimeError` instead.
                    answer.set_exception(RuntimeError(repr(error)))

        try:
            if self._invoke:
                answer = Answer[object]()
                # `wrap_future` comes before the call of the handler, so that the loop is told as soon as the handler
                # returns. If the program calls `close` just after the return, the loop learns of the return first, and
                # of the `close` second.
                returned = asyncio.wrap_future(answer)
                self._invoke(call)
                result = await returned
            else:
                result = handler(argument)
            if inspect.isawaitable(result):
                await result
        except Decline as refusal:
            return limited(str(refusal))
        except Exception as error:
            _log.exception("A handler has failed.")
            return limited(str(error) or type(error).__name__)
        return None

    async def _apart(self, method: str, parameters: Value) -> Value:
        connection = await self._reach()
        try:
            return await connection.call(method, parameters)
        finally:
            connection.close()

    async def _send(self, parameters: Value) -> Outcome:
        is_sent = False
        while True:
            calls = self._calls
            try:
                connection = await self._reach()
            except OSError:
                if not is_sent:
                    raise
            else:
                is_sent = True
                try:
                    return Outcome._of(None, await connection.call("SendEvent", parameters))
                except RouterError as error:
                    if error.name not in OUTCOMES:
                        raise
                    if not self._reconnects or error.name != "ServiceStopping":
                        return Outcome._of(error.name, error.parameters)
                except (OSError, EOFError) as error:
                    if not self._reconnects or isinstance(error, NoRouter):
                        raise OutcomeUnknown from None
                finally:
                    connection.close()
            await self._wait_for_router(calls)

    async def _reach(self) -> Connection:
        """Returns a new connection for a call.

        First waits until the router has answered all earlier calls through this object that open a window, an
        application or a monitor, or that change or close a window. Stops waiting after three failed attempts to open
        everything. Raises `OSError` if the router cannot be reached.
        """
        earlier = list(self._members)
        if self._partings:
            await asyncio.wait(self._partings)
        # Waits for at most three attempts of `_connect` to open everything. Two would be too few after a restart of the
        # router, because the first attempt may have lost its connection already, and the second may end before the
        # router runs again. The third attempt begins after `Connection.open` has reached the router.
        for _ in range(3):
            await self._catch_up(earlier)
            connection = await Connection.open(self.path)
            if not self._unanswered(earlier):
                break
            connection.close()
            self._hurry()
        else:
            connection = await Connection.open(self.path)
        return connection

    async def _catch_up(self, earlier: list[Lasting]) -> None:
        """Waits until the router has answered all calls that open or change these windows, applications and monitors.

        Stops waiting if the connection fails.
        """
        ended_attempts = self._ended_attempts
        while unanswered := self._unanswered(earlier):
            if not self._is_trying or self._ended_attempts != ended_attempts:
                return
            if self._calls and self._calls.is_over:
                self._lose(self._calls)
            # Waits only for the last member. The members are opened in order, so the last one gets its answer last.
            await unanswered[-1]._wait_for_answer()
        for member in earlier:
            await member._bring_up_to_date()

    def _unanswered(self, members: list[Lasting]) -> list[Lasting]:
        is_connected = self._calls and not self._calls.is_over
        return [member for member in members if not member.closed.done() and not (is_connected and member._is_answered)]

    def _hurry(self) -> None:
        """Makes the next attempt to connect at once."""
        if self._serving and not self._is_trying:
            self._is_trying = True
            self._hurried.set()

    def _part(self, closing: Coroutine[Any, Any, None]) -> None:
        parting = self._spawn(closing)
        self._partings.add(parting)
        parting.add_done_callback(self._partings.discard)

    async def _wait_for_router(self, lost: Connection | None) -> None:
        """Waits for a moment, and then until everything is open.

        If the connection `lost` is over, waits until everything is open over the next connection.
        """
        await asyncio.sleep(_PAUSE)
        if lost and lost is self._calls and lost.is_over:
            self._lose(lost)
        self._serve()
        await self._connected.wait()

    def _shown_by(self, application: str) -> Shown:
        return self._shown.setdefault(application, Shown())

    def _serve(self) -> None:
        if not self._serving:
            self._is_trying = True
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
            # The delay is reset only if the last connection has lasted longer than the delay.
            if self._loop.time() - began > delay:
                delay = _FIRST_DELAY
            # The delay is random, so that the clients of a router do not all connect at the same moment.
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._hurried.wait(), delay * random.uniform(0.5, 1))
            self._hurried.clear()
            self._is_trying = True
            delay = min(delay * 2, _LAST_DELAY)

    async def _connect(self) -> None:
        """Connects to the router, and opens every window, application and monitor of this object.

        Until the connection is lost, also opens each one that the program adds.
        """
        # Windows are opened before applications. Otherwise the router could request a new window for an event although
        # one of the program's windows already has the event.
        self._members.sort(key=lambda member: isinstance(member, Application))
        try:
            calls = self._calls = await Connection.open(self.path)
            while not calls.is_over:
                if member := next((member for member in self._members if member._calls is not calls), None):
                    await member._begin(calls)
                    continue
                if not self._connected.is_set():
                    self._connected.set()
                    self._report("connected")
                self._wake.clear()
                await self._wake.wait()
        finally:
            self._is_trying = False
            self._ended_attempts += 1
            self._connected.clear()
            if self._calls:
                self._calls.close()
                self._calls = None
            for member in self._members:
                member._drop()

    def _lose(self, calls: Connection) -> None:
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
