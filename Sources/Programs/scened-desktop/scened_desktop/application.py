"""The one process of scened-desktop in a session: its windows, and the questions that scenectl asks over the bus."""

import signal
from typing import Any

from gi.repository import Adw, Gio, GLib  # type: ignore

from .chooser import Chooser, Question
from .window import PAGES, Window
from .words import _

ID = "io.scened.Desktop"
# In milliseconds. A second question within it needs no start of Python and GTK.
_STAYS = 60_000

_INTERFACE = Gio.DBusNodeInfo.new_for_xml(f"""
<node>
  <interface name="{ID}">
    <method name="Ask">
      <arg name="url" type="s" direction="in"/>
      <arg name="event" type="s" direction="in"/>
      <arg name="activation_token" type="s" direction="in"/>
      <arg name="status" type="i" direction="out"/>
    </method>
  </interface>
</node>
""").interfaces[0]


class Application(Adw.Application):
    """Asks and shows; ends a minute after its last window."""

    def __init__(self) -> None:
        super().__init__(application_id=ID, flags=Gio.ApplicationFlags.HANDLES_COMMAND_LINE)
        self.set_inactivity_timeout(_STAYS)
        self.add_main_option("page", 0, 0, GLib.OptionArg.STRING, _("The page to show"), "|".join(PAGES))

    def do_startup(self) -> None:
        Adw.Application.do_startup(self)
        quit = Gio.SimpleAction(name="quit")
        # The question that is shown is closed as by its button, and declined.
        quit.connect("activate", lambda *_: [window.close() for window in self.get_windows()])
        self.add_action(quit)
        self.set_accels_for_action("app.quit", ["<Control>q"])

    def do_dbus_register(self, connection: Gio.DBusConnection, path: str) -> bool:
        connection.register_object(path, _INTERFACE, self._called, None, None)
        return Adw.Application.do_dbus_register(self, connection, path)

    def do_command_line(self, line: Gio.ApplicationCommandLine) -> int:
        page = line.get_options_dict().lookup_value("page", GLib.VariantType.new("s"))
        name = page.get_string() if page else None
        if name and name not in PAGES:
            line.printerr_literal(f"scened-desktop: there is no page '{name}'; the pages are {', '.join(PAGES)}.\n")
            return 64
        self.show(name)
        return 0

    def do_activate(self) -> None:
        self.show(None)

    def show(self, page: str | None) -> None:
        """Shows the main window, at one of `PAGES`."""
        window = next((window for window in self.get_windows() if isinstance(window, Window)), None) or Window(self)
        if page:
            window.show_page(page)
        window.present()

    def ask(self, question: Question) -> None:
        """Adds a question to the window that asks, and shows this window."""
        chooser = next((window for window in self.get_windows() if isinstance(window, Chooser)), None) or Chooser(self)
        chooser.add(question)

    def _called(
        self, _connection: Any, _sender: str, _path: str, _interface: str, _method: str, parameters: GLib.Variant,
        invocation: Gio.DBusMethodInvocation,
    ) -> None:  # fmt: skip
        url, event, token = parameters.unpack()
        self.hold()

        def answer(status: int) -> None:
            invocation.return_value(GLib.Variant("(i)", (status,)))
            self.release()

        self.ask(Question(url, answer, event=event or None, activation_token=token or None))


def main(arguments: list[str]) -> int:
    """Runs the program, or hands the arguments to the process that runs already."""
    application = Application()
    for number in (signal.SIGINT, signal.SIGTERM):
        GLib.unix_signal_add(GLib.PRIORITY_DEFAULT, number, application.quit)
    return application.run(arguments)
