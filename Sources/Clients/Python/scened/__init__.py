"""Windows that get links: a client of scened, which decides which open window a link or an activity goes to.

    import scened

    def show(event: scened.Event) -> None:
        print("show", event.url)

    with scened.Router() as router:
        window = router.open_scene("org.example.Gallery", show, preferring=["album/4711"], allowing=["*"])
        window.closed.result()

A window that has documents open names their URLs with `showing=`; a link to one of them then comes to this window.
A handler that returns has taken the event. A handler that raises declines it, so that the router finds another window.
Methods whose results take time return an `Answer`: `answer.result()` waits in a thread, `await answer` in a coroutine.

A `Router` that is made in a coroutine works on the loop of the coroutine, and calls handlers on this loop. Handlers may
then be coroutine functions. Any other `Router` has a thread of its own, and any thread may use it. It calls each
handler on a new thread. If a function is passed as `call`, both kinds of `Router` call handlers through this function.

If the connection to the router is lost, everything is opened again as soon as the router runs. Windows are opened
before applications, in the order in which they were first opened, with their current identifiers, URLs, titles and
activities. If the router does not run yet, everything is opened when it runs.
"""

from ._wire import Answer, default_socket_path
from .declarations import Claims, SceneDeclaration
from .errors import Decline, OutcomeUnknown, RouterError
from .events import Activity, Continuation, Event, Outcome, RouteDecision, Sender, Settlement
from .router import Router
from .windows import Application, Handler, Monitor, OpenRequest, Scene

__all__ = [
    "Activity", "Answer", "Application", "Claims", "Continuation", "Decline", "Event", "Handler", "Monitor",
    "OpenRequest", "Outcome", "OutcomeUnknown", "RouteDecision", "Router", "RouterError", "Scene", "SceneDeclaration",
    "Sender", "Settlement", "default_socket_path",
]  # fmt: skip
