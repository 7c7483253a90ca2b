"""Events, the activities that they carry, and their outcomes."""

from dataclasses import dataclass, field
from typing import Any, TypedDict

from ._wire import Value, without_none

__all__ = ["Activity", "Continuation", "Event", "Outcome", "RouteDecision", "Sender", "Settlement"]

OUTCOMES = {"NotRouted", "Declined", "TimedOut", "LaunchFailed", "ServiceStopping"}
"""The errors of `SendEvent` that tell how an event ended; any other error means that the router did not accept it."""


@dataclass(frozen=True)
class Activity:
    """A user's activity, which a window can continue."""

    activity_type: str
    target_content_identifier: str | None = None
    webpage_url: str | None = None
    title: str | None = None
    user_info: dict[str, Any] | None = None
    is_eligible_for_handoff: bool = False

    def __str__(self) -> str:
        return " ".join(filter(None, [self.activity_type, self.target_content_identifier or self.webpage_url]))

    def _wire(self) -> Value:
        return without_none(
            activityType=self.activity_type,
            targetContentIdentifier=self.target_content_identifier,
            webpageURL=self.webpage_url,
            title=self.title,
            userInfo=self.user_info,
            isEligibleForHandoff=self.is_eligible_for_handoff or None,
        )


@dataclass(frozen=True)
class Sender:
    """The process that sent an event. The router learns all facts about the process from the kernel."""

    process_id: int
    name: str | None = None
    """The name of the program."""
    application: str | None = None
    """The application to which the systemd unit or scope of the process belongs."""

    @classmethod
    def _of(cls, sender: Value) -> "Sender":
        return cls(sender["processId"], sender.get("name"), sender.get("applicationId"))


@dataclass(frozen=True)
class Event:
    """A URL or an activity that the router delivers to a window."""

    url: str | None
    activity: Activity | None
    content_type: str | None
    event_id: str | None
    """The id that the sender gave the event; it stays the same if the event is sent again."""
    activation_token: str | None
    """A token that allows the window to be raised."""
    registration_ids: list[str]
    """The ids of the window's registrations that match the event; see `Scene.set`."""
    line: int | None = None
    """The line of the document at which the user wants to be, counted from 1."""
    column: int | None = None
    """The column in the line, counted from 1."""
    sender: Sender | None = None
    """The program that sent the event, if the router knows it."""
    resolved_url: str | None = None
    """The URL of the file under its path without symbolic links, if that is another than `url`."""

    def __str__(self) -> str:
        return self.url if self.url is not None else str(self.activity)

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
            event.get("line"),
            event.get("column"),
            Sender._of(offer["sender"]) if offer.get("sender") else None,
            event.get("resolvedUrl"),
        )


@dataclass(frozen=True)
class Continuation:
    """A notice that the current activity of a window was taken and continues elsewhere."""

    activity_type: str
    by: str | None
    """The name that the other program has given itself, such as the name of a machine; None without a name."""

    def __str__(self) -> str:
        return f"{self.activity_type} taken by {self.by}" if self.by else f"{self.activity_type} taken"


class Settlement(TypedDict, total=False):
    """How one attempt to deliver an event ended; the router's interface describes the keys."""

    decisionId: str
    deliveryId: str
    openRequestId: str
    sceneId: str
    result: str
    reason: str


class RouteDecision(TypedDict, total=False):
    """The router's decision about an event; the router's interface describes the keys."""

    decisionId: str
    generation: int
    target: str
    rule: str
    matchedPattern: str
    matchedString: str
    matchedField: str
    sceneId: str
    applicationId: str
    applicationBecause: str
    applicationSource: str
    declarationId: str
    registrationIds: list[str]


@dataclass(frozen=True)
class Outcome:
    """The outcome of an event that was sent."""

    error: str | None
    """None if the event was taken; else `NotRouted`, `Declined`, `TimedOut`, `LaunchFailed` or `ServiceStopping`."""
    decision: RouteDecision | None = None
    settlement: Settlement | None = None
    attempts: list[Settlement] = field(default_factory=list)

    @property
    def is_taken(self) -> bool:
        """Whether a window, or an application without windows, has taken the event."""
        return self.error is None

    def __str__(self) -> str:
        decision, settlement = self.decision or {}, self.settlement or {}
        if self.error:
            return f"{self.error}: {settlement['reason']}" if settlement.get("reason") else self.error
        scene = settlement.get("sceneId") or decision.get("sceneId")
        rule = decision.get("rule")
        return "taken" + (f" by scene {scene}" if scene else "") + (f", rule {rule}" if rule else "")

    @classmethod
    def _of(cls, error: str | None, reply: Value) -> "Outcome":
        return cls(error, reply.get("decision"), reply.get("settlement"), reply.get("attempts") or [])
