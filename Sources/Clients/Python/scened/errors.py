"""Errors of the router and of event handlers."""

import json
from typing import Any

__all__ = ["Decline", "OutcomeUnknown", "RouterError"]

INTERFACE = "io.scened.Router."


class RouterError(Exception):
    """An error with which the router has answered a call."""

    name: str
    """The name of the error, such as `LimitExceeded`; errors of other interfaces have their full names."""
    parameters: dict[str, Any]
    """The parameters of the error, as the interface describes them."""

    def __init__(self, name: str, parameters: dict[str, Any]) -> None:
        super().__init__(name, parameters)
        self.name = name.removeprefix(INTERFACE)
        self.parameters = parameters

    def __str__(self) -> str:
        return f"{self.name} {json.dumps(self.parameters)}" if self.parameters else self.name

    def __repr__(self) -> str:
        return f"RouterError({self.name!r}, {self.parameters!r})"


class OutcomeUnknown(Exception):
    """The connection was lost after the event was sent, so that its outcome is unknown."""

    def __str__(self) -> str:
        return "The connection to the router was lost after the event was sent; its outcome is unknown."


class Decline(Exception):
    """Raised by a handler to decline an event or an open request.

    The event's sender gets the text of the exception as the reason.
    """
