"""Windows, applications and monitors: everything that stays open over a connection to the router."""

import asyncio
import contextlib
import logging
import threading
import time
from collections.abc import Callable, Coroutine, Iterable
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any, Self

from ._files import with_other_names
from ._wire import Answer, Connection, Value, limited, message, without_none
from .errors import RouterError
from .events import Activity, Continuation, Event

if TYPE_CHECKING:
    from .router import Router

__all__ = ["Application", "Handler", "Monitor", "OpenRequest", "Scene"]

Handler = Callable[[Event], object]

_log = logging.getLogger("scened")


class Shown:
    """The ids of the events that one window or one application got in the last minute.

    After a restart of the router, the library sends these ids to the new router. The new router then delivers none of
    these events again; see "Restart" in the routing contract.
    """

    # A router accepts at most `_LIMIT` ids in one call. `ids` leaves out events older than `_LIFETIME` seconds, because
    # the router's interface asks for the events of the last minute (`takenEventIds`).
    _LIMIT, _LIFETIME = 256, 60.0

    def __init__(self) -> None:
        # The keys are ids of events. Each value is the id of the delivery or open request that brought the event, and
        # the time at which it came. The newest event is last.
        self._events: dict[str, tuple[str, float]] = {}

    def __contains__(self, id: str | None) -> bool:
        return id in self._events

    def note(self, id: str | None, offer: str) -> None:
        if id is None:
            return
        self._events.pop(id, None)
        self._events[id] = (offer, time.monotonic())
        if len(self._events) > self._LIMIT:
            del self._events[next(iter(self._events))]

    def forget(self, offer: str) -> None:
        """Forgets the event of a delivery or open request that was declined or withdrawn.

        `offer` is the id of the delivery or open request. If the event were remembered, the library would report it to
        the next router as taken, and no other window would get it.
        """
        for id in [id for id, event in self._events.items() if event[0] == offer]:
            del self._events[id]

    def ids(self) -> list[str]:
        oldest = time.monotonic() - self._LIFETIME
        return [id for id, event in self._events.items() if event[1] >= oldest]


class Lasting:
    """A window, an application or a monitor, which stays open over a connection of its own.

    If this connection is lost, a `Router` that reconnects opens the object again over a new connection.
    """

    closed: Answer[None]
    """Gets its result when the object is closed.

    Raises the router's error if the router refuses to open the object. Raises `ConnectionError` if the connection is
    lost and the `Router` does not reconnect.
    """

    def __init__(self, router: "Router") -> None:
        self.closed = Answer()
        self._opened: Answer[Any] = Answer()
        self._router = router
        # The connection that the `Router` object used for calls when this object was last opened.
        self._calls: Connection | None = None
        self._replies: Connection | None = None
        self._offers: dict[str, asyncio.Task[None]] = {}
        # The ids of the offers whose handlers are running. An offer is a delivery or an open request. These handlers
        # go on after the connection was lost.
        self._begun: set[str] = set()
        # `_is_answered`: whether the router has answered the call for opening this object. `_waiting`: the coroutines
        # that wait for this answer.
        self._is_answered = False
        self._waiting: list[asyncio.Future[None]] = []
        # `_turn` lets only one handler run at a time. `_settling` lets `close` wait while the answer to a delivery is
        # being sent.
        self._turn, self._settling = asyncio.Lock(), asyncio.Lock()
        self._reports_shown = True

    def __repr__(self) -> str:
        return f"<scened.{type(self).__name__} {self._description()}>"

    @property
    def opened(self) -> "Answer[Self]":
        """The answer that gets this object as its result as soon as the object is open for the first time."""
        return self._opened

    def close(self) -> None:
        """Closes the object.

        If a handler has not returned yet, the router offers the handler's event to other windows. This is also the
        case if the handler itself calls `close`.
        """

        async def close() -> None:
            async with self._settling:
                calls, last = self._calls, self._last_call()
                self._end()
            # Errors are ignored, because the router may be lost. `_end` has closed the object's connection, and the
            # router may already have closed the object for this reason.
            with contextlib.suppress(RouterError, OSError, EOFError):
                if calls and last:
                    await calls.call(*last)

        self._router._check_process()
        if not self.closed.done():
            self._router._post(lambda: self._router._part(close()))

    def _description(self) -> str:
        if self.closed.done():
            return "closed"
        return "open" if self._opened.done() else "opening"

    def _call(self) -> tuple[str, Value]:
        """Returns the name and the parameters of the method that opens the object."""
        raise NotImplementedError

    def _shown(self) -> list[str]:
        """Returns the ids of events that were already shown, so that a new router does not show them again."""
        return []

    def _last_call(self) -> tuple[str, Value] | None:
        """Returns the name and the parameters of the method that closes the object; None if no call is needed."""
        return None

    async def _bring_up_to_date(self) -> None:
        """Waits until the router has answered all changes made so far, or until the connection is lost."""

    def _note(self, first: Value) -> None:
        """Handles the first reply to the call that opens the object."""

    async def _take(self, reply: Value) -> None:
        """Handles a reply to the call that opens the object: the first or a later reply, but no reply with `closed`."""

    async def _begin(self, calls: Connection) -> None:
        self._calls = calls
        replies = await Connection.open(self._router.path)
        self._replies = replies
        try:
            method, parameters = self._call()
            shown = self._shown() if self._reports_shown else []
            replies.write(method, parameters | without_none(takenEventIds=shown or None), more=True)
            first = await replies.read()
            self._note(first)
            self._reports_shown = True
        except (RouterError, ValueError) as error:
            if isinstance(error, RouterError) and error.parameters.get("parameter") == "takenEventIds":
                # Version 2 of the router does not know `takenEventIds`, so the next try leaves this parameter out.
                self._reports_shown = False
                raise ConnectionError(error) from None
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
        self._is_answered = True
        self._wake_waiting()
        self._router._spawn(self._follow(replies, first, calls))

    async def _wait_for_answer(self) -> None:
        """Waits until the router answers the call that opens this object, or until the connection is dropped."""
        answered = self._router._loop.create_future()
        self._waiting.append(answered)
        await answered

    def _wake_waiting(self) -> None:
        for answered in self._waiting:
            if not answered.done():
                answered.set_result(None)
        self._waiting.clear()

    async def _follow(self, replies: Connection, reply: Value, calls: Connection) -> None:
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
        """Starts a task that first waits for the work for earlier offers, and then does the work for this offer.

        `_withdraw` cancels the task.
        """

        async def in_turn() -> None:
            try:
                async with self._turn:
                    self._begun.add(id)
                    await work()
            finally:
                self._begun.discard(id)
                self._offers.pop(id, None)

        self._offers[id] = self._router._spawn(in_turn())

    def _withdraw(self, id: str) -> None:
        if offer := self._offers.pop(id, None):
            offer.cancel()

    def _drop(self) -> None:
        """Drops the connections, and cancels the offers whose handlers have not started."""
        for id in self._offers.keys() - self._begun:
            self._withdraw(id)
        if self._replies:
            self._replies.close()
        self._replies = self._calls = None
        self._is_answered = False
        self._wake_waiting()

    def _end(self, error: Exception | None = None) -> None:
        if self.closed.done():
            return
        self._router._members.remove(self)
        self._drop()
        for id in list(self._offers):
            self._withdraw(id)
        if error:
            _log.warning("%s is closed: %s", type(self).__name__, error)
            self.closed.set_exception(error)
        else:
            self.closed.set_result(None)
        if not self._opened.done():
            self._opened.set_exception(error or ConnectionError("It was closed before it was open."))


def registration_of(id: str, preferring: Iterable[str], allowing: Iterable[str], showing: Iterable[str]) -> Value:
    """Returns a registration; `showing` is left out if it is empty, because older routers do not know it.

    The sets also get the other names of their files and directories.
    """
    preferred, allowed, shown = with_other_names(preferring, allowing, showing)
    return without_none(registrationId=id, preferring=preferred, allowing=allowed, showing=shown or None)


@dataclass(frozen=True)
class Change:
    """A call that changes a window.

    The parameter `sceneHandle` is added when the call is made, because each reopening changes the handle.
    """

    method: str
    parameters: Value
    answer: Answer[int]


class Scene(Lasting):
    """An open window; `Router.open_scene` opens one.

    The methods may be called from any thread. Changes are sent to the router one at a time. If an earlier change of the
    same property still waits, the new change replaces it, and both calls get the same answer. The answer is the
    generation of the registry after the change; for `set_activity` it is 0. The changes that a handler makes are in
    effect before the handler's event counts as taken.
    """

    id: str | None = None
    """The id by which all clients know the scene; the scene gets another id each time it is opened again."""
    application: str
    """The application of the window."""

    on_continued: Callable[[Continuation], object] | None = None
    """Called when another program has taken the window's current activity, to continue it elsewhere."""

    def __init__(
        self,
        router: "Router",
        application: str,
        handler: Handler,
        declaration: str | None,
        request: "OpenRequest | str | None",
    ) -> None:
        super().__init__(router)
        self.application = application
        self._handler = handler
        # `_request` is the open request that this scene answers. It is kept until the handler gets the request's event.
        # If the router started the program for the request, `_request` is only the request's id, and is kept until the
        # scene is open.
        self._declaration, self._request = declaration, request
        self._events = Shown()
        self._handle = ""
        # The changes that the router has accepted, and the changes that the router has not answered yet. The scene is
        # reopened with the accepted changes.
        self._accepted: dict[str, Change] = {}
        self._pending: dict[str, Change] = {}
        self._is_waking = False
        self._lock, self._changing = threading.Lock(), asyncio.Lock()

    def set(
        self,
        preferring: Iterable[str] = (),
        allowing: Iterable[str] = (),
        id: str = "scene",
        *,
        showing: Iterable[str] = (),
    ) -> Answer[int]:
        """Sets which events the window gets. This replaces what was set with the same id before.

        A window with several parts uses a different id for each part.

        preferring, allowing: the identifiers of the events that the window prefers or allows. An identifier matches an
            event whose URL or content identifier contains it; `*` matches every event.
        showing: the absolute URLs of the documents that the window shows. An event for one of them comes to this
            window, whichever application claims it. Whole URLs are compared, normalised and without their fragments.

        Files and directories also count under their paths without symbolic links, and a preferred or allowed directory
        includes the directory of git that its file `.git` names. This holds for sets of at most 512 entries.
        """
        registration = registration_of(id, preferring, allowing, showing)
        return self._change("registration:" + id, "SetRegistration", registration=registration)

    def remove(self, id: str) -> Answer[int]:
        """Removes what `set` has set with this id."""
        return self._change("registration:" + id, "RemoveRegistration", registrationId=id)

    def set_title(self, title: str) -> Answer[int]:
        """Changes the title that people see; the title is cut after 1 KiB."""
        return self._change("title", "UpdateScene", title=limited(title))

    def set_activity(self, activity: Activity | None) -> Answer[int]:
        """Replaces the window's current activity; None ends the current activity.

        Another program can take an activity that is eligible for Handoff.
        """
        return self._change("activity", "SetActivity", activity=activity and activity._wire())

    def activate(self) -> Answer[int]:
        """Reports that the user now works in this window.

        Among windows that match an event equally well, this window then comes first.
        """
        self._router._active = self
        return self._change("active", "UpdateScene", isActive=True)

    def _description(self) -> str:
        return " ".join(filter(None, [self.id, "of", self.application, super()._description()]))

    def _change(self, key: str, method: str, **parameters: Any) -> Answer[int]:
        # `message` checks the call now. Otherwise only the task that sends the call would notice that it is invalid.
        message(method, parameters)
        self._router._check_process()
        with self._lock:
            former = self._pending.get(key)
            answer = former.answer if former else Answer[int]()
            if self.closed.done():
                answer.set_exception(ConnectionError("The window is closed."))
                return answer
            self._pending[key] = Change(method, parameters, answer)
            wakes, self._is_waking = not self._is_waking, True
        if wakes:
            self._router._post(lambda: self._router._spawn(self._report()))
        return answer

    async def _report(self) -> None:
        """Sends the waiting changes to the router.

        If the connection is lost, the remaining changes wait for the next connection.
        """
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
        context = without_none(
            applicationId=self.application,
            declarationId=self._declaration,
            title=next((parameters["title"] for parameters in accepted if "title" in parameters), None),
            registrations=[
                parameters["registration"] for parameters in accepted if "registration" in parameters
            ],
        )
        request = self._request.id if isinstance(self._request, OpenRequest) else self._request
        return "OpenScene", without_none(context=context, openRequestId=request)

    def _shown(self) -> list[str]:
        return self._events.ids()

    async def _begin(self, calls: Connection) -> None:
        self._handle = ""
        request = self._request
        if isinstance(request, OpenRequest) and request._calls is not calls:
            # The router that made the request is gone, so this library itself delivers the event.
            self._request = None
            self._events.note(request._offer.get("eventId"), request.id)
            self._offer(request.id, partial(self._deliver, request._offer | {"deliveryId": request.id}))
        await super()._begin(calls)
        with self._lock:
            # `OpenScene` cannot carry the activity and the active state, so `_report` sends them separately.
            if activity := self._accepted.get("activity"):
                again = Change(activity.method, activity.parameters, Answer())
                self._pending.setdefault("activity", again)
            last = self._router._active
            if last is self:
                self._pending.setdefault("active", Change("UpdateScene", {"isActive": True}, Answer()))
            is_overtaken = last and last is not self and "active" in self._pending
        await self._report()
        if last and is_overtaken:
            # The user has left this window before it was open. The window that came after it may already be open.
            last._change("active", "UpdateScene", isActive=True)

    async def _bring_up_to_date(self) -> None:
        if self._pending:
            await self._report()

    def _last_call(self) -> tuple[str, Value] | None:
        return ("CloseScene", {"sceneHandle": self._handle}) if self._handle else None

    def _note(self, first: Value) -> None:
        self.id, self._handle = first["opened"]["sceneId"], first["opened"]["sceneHandle"]
        if isinstance(self._request, str):
            self._request = None

    async def _take(self, reply: Value) -> None:
        if delivery := reply.get("delivery"):
            if delivery.get("eventId") in self._events:
                # The window already has the event, so the delivery is acknowledged without a call of the handler.
                if self._calls:
                    settlement = {"sceneHandle": self._handle, "deliveryId": delivery["deliveryId"]}
                    self._calls.write("AcknowledgeDelivery", settlement, oneway=True)
            else:
                self._offer(delivery["deliveryId"], partial(self._deliver, delivery))
        elif withdrawn := reply.get("withdrawn"):
            # A router that stops withdraws its deliveries. If the library reconnects, the window keeps an event whose
            # handler has started. The library reports this event to the next router as taken.
            if not (self._router._reconnects and withdrawn["reason"] == "shutdown"):
                self._forget(withdrawn.get("deliveryId", ""))
                self._withdraw(withdrawn.get("deliveryId", ""))
        elif (taken := reply.get("continued")) and self.on_continued:
            continuation = Continuation(taken["activityType"], taken.get("by"))
            self._router._spawn(self._router._refusal(self.on_continued, continuation))

    def _forget(self, delivery: str) -> None:
        self._events.forget(delivery)
        self._router._shown_by(self.application).forget(delivery)

    async def _deliver(self, delivery: Value) -> None:
        calls, id = self._calls, delivery["deliveryId"]
        settlement: Value = {"sceneHandle": self._handle, "deliveryId": id}
        request = self._request
        if isinstance(request, OpenRequest) and request._offer["decisionId"] == delivery["decisionId"]:
            self._request = None
        self._events.note(delivery.get("eventId"), id)
        self._router._shown_by(self.application).note(delivery.get("eventId"), id)
        refusal = await self._router._refusal(self._handler, Event._of(delivery))
        method = "AcknowledgeDelivery" if refusal is None else "DeclineDelivery"
        async with self._settling:
            await self._report()
            # Errors are ignored, because the delivery or the connection may have ended while the handler ran.
            with contextlib.suppress(RouterError, OSError, EOFError):
                if calls and "registrationIds" in delivery:
                    await calls.call(method, settlement | without_none(reason=refusal))
                    if refusal is not None:
                        self._forget(id)

    def _end(self, error: Exception | None = None) -> None:
        # `NoSuchOpenRequest` means that the open request has ended, or came from an earlier router. After `_drop`, the
        # window is opened again without the request.
        if isinstance(error, RouterError) and error.name == "NoSuchOpenRequest" and self._request:
            self._request = None
            return self._drop()
        super()._end(error)
        with self._lock:
            pending = list(self._pending.values())
            self._pending.clear()
        for change in pending:
            change.answer.set_exception(error or ConnectionError("The window is closed."))


class Application(Lasting):
    """A declared application; `Router.declare` declares one."""

    id: str
    """The id of the application, and of its desktop entry."""

    def __init__(self, router: "Router", id: str, call: Value, handler: "Callable[[OpenRequest], object]") -> None:
        super().__init__(router)
        self.id = id
        self._parameters = call
        self._handler = handler
        self._handle = ""

    def _description(self) -> str:
        return f"{self.id} {super()._description()}"

    def _call(self) -> tuple[str, Value]:
        return "DeclareApplication", self._parameters

    def _shown(self) -> list[str]:
        return self._router._shown_by(self.id).ids()

    def _note(self, first: Value) -> None:
        self._handle = first["declared"]["applicationHandle"]

    async def _take(self, reply: Value) -> None:
        if request := reply.get("openRequest"):
            self._offer(request["openRequestId"], partial(self._ask, request))
        elif (withdrawn := reply.get("withdrawn")) and not (
            self._router._reconnects and withdrawn["reason"] == "shutdown"
        ):
            self._router._shown_by(self.id).forget(withdrawn.get("openRequestId", ""))
            self._withdraw(withdrawn.get("openRequestId", ""))

    async def _ask(self, request: Value) -> None:
        calls, handle, id = self._calls, self._handle, request["openRequestId"]
        self._router._shown_by(self.id).note(request.get("eventId"), id)
        asked = OpenRequest(id, request["declarationId"], Event._of(request), self, request, calls)
        refusal = await self._router._refusal(self._handler, asked)
        if calls and calls is self._calls and refusal is not None:
            refused = {"applicationHandle": handle, "openRequestId": id, "reason": refusal}
            calls.write("DeclineOpenRequest", refused, oneway=True)
            self._router._shown_by(self.id).forget(id)


@dataclass(frozen=True)
class OpenRequest:
    """A request to an application for a new window.

    The application's handler declines the request by raising an exception.
    """

    id: str
    declaration: str
    """The kind of window."""
    event: Event
    """The event for which the window is opened. The window's own handler gets this event, too."""
    application: Application
    # The request as the router sent it, and the connection for calls at the time of the request.
    _offer: Value = field(repr=False)
    _calls: Connection | None = field(repr=False)

    def open_scene(
        self,
        handler: Handler,
        *,
        title: str | None = None,
        preferring: Iterable[str] = (),
        allowing: Iterable[str] = (),
        showing: Iterable[str] = (),
    ) -> Scene:
        """Opens the requested window; `Router.open_scene` describes the parameters."""
        registration = registration_of("scene", preferring, allowing, showing)
        return self.application._router._open(
            self.application.id, handler, self.declaration, self, title, registration
        )


class Monitor(Lasting):
    """A subscription to the router's decisions and registry; `Router.monitor` starts one."""

    def __init__(self, router: "Router", call: Value, handler: Callable[[Value], object]) -> None:
        super().__init__(router)
        self._parameters, self._handler = call, handler

    def _call(self) -> tuple[str, Value]:
        return "Monitor", self._parameters

    async def _take(self, reply: Value) -> None:
        # The next reply is read only after the handler has returned. Until then replies wait at the router. The router
        # drops replies if too many of them wait.
        await self._router._refusal(self._handler, reply)
