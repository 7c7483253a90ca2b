"""Declarations of an application: the kinds of windows that it can open, and the events that it claims."""

from dataclasses import dataclass, field
from typing import Literal

from ._wire import Value, limited, without_none

__all__ = ["Claims", "SceneDeclaration"]


@dataclass(frozen=True)
class SceneDeclaration:
    """A kind of window that an application can open.

    A `windowGroup` whose `matching` is None is opened for events that no other kind matches.
    """

    id: str
    title: str | None = None
    kind: Literal["windowGroup", "documentGroup"] = "windowGroup"
    matching: list[str] | None = None
    supported_types: list[str] = field(default_factory=list)
    is_singleton: bool = False

    def _wire(self) -> Value:
        return without_none(
            declarationId=self.id,
            title=self.title and limited(self.title),
            kind=self.kind,
            matching=self.matching,
            supportedTypes=self.supported_types or None,
            isSingleton=self.is_singleton or None,
        )


@dataclass(frozen=True)
class Claims:
    """The events that an application claims.

    If applications claim an event, only these applications can get the event. An application with claims gets only
    events that it claims. Three kinds of targets need no claim: a window that shows the document of the event, an
    application that the user has chosen for the host or for the sender, and a target that the sender names.
    """

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
