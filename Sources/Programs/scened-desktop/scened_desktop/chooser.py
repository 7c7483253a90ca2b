"""The window that asks a person where a link goes."""

import contextlib
import re
import socket
from collections.abc import Callable, Sequence
from dataclasses import KW_ONLY, dataclass
from functools import partial
from typing import Any

import scened
import scened.gtk
from gi.repository import Adw, Gdk, GLib, Gtk, Pango  # type: ignore

from . import scenectl, wrapped
from .parts import RULES, box, icon, named, token, website, words_of
from .words import _, shown

_ENTER = {Gdk.KEY_Return, Gdk.KEY_KP_Enter, Gdk.KEY_ISO_Enter}
_TEXTS = (Gtk.Text, Gtk.TextView)


@dataclass(eq=False)
class Question:
    """A link that waits for a person."""

    url: str
    answer: Callable[[int], object]
    """Called once, with an exit status of `scenectl open`, or with 0 when the question was closed."""
    _: KW_ONLY
    event: str | None = None
    """The id of the event for which scened asks."""
    activation_token: str | None = None
    status: int | None = None
    """The exit status, if the link was opened and the question stays."""


class Chooser(Adw.ApplicationWindow):
    """Shows one question after the other; a question that is added waits for those before it."""

    def __init__(self, application: Adw.Application) -> None:
        super().__init__(application=application, title=_("Open a Link"), default_width=460, default_height=660)
        # With this height for any width, GTK 4.18 does not complain at each frame that texts wrap at some widths only.
        self.set_size_request(360, 400)
        # The first is the one that is shown.
        self._questions: list[Question] = []
        self._ended = 0
        self._always: list[dict[str, str]] = []
        self._rows: list[_Row] = []

        self._title = Adw.WindowTitle(title=_("Open a Link"))
        self._address = _label(lines=3)
        self._edit = Gtk.ToggleButton(
            icon_name="document-edit-symbolic", tooltip_text=_("Edit the address"), valign=Gtk.Align.START
        )
        named(self._edit, _("Edit the address"))
        # A `Gtk.Entry` cuts an address after 65,535 bytes, and an address of this length takes seconds to be wrapped.
        self._entry = Gtk.TextView(
            accepts_tab=False, top_margin=8, bottom_margin=8, left_margin=8, right_margin=8, css_classes=["card"]
        )
        named(self._entry, _("Address"))
        self._edit.connect("toggled", self._begin_edit)
        self._entry.get_buffer().connect("changed", lambda _text: self._show_address())
        self._editor = Gtk.ScrolledWindow(
            child=self._entry, visible=False, hscrollbar_policy=Gtk.PolicyType.EXTERNAL,
            vscrollbar_policy=Gtk.PolicyType.NEVER,
        )  # fmt: skip
        self._sender = _label(lines=2, css_classes=["dim-label"])
        self._inner = _label(lines=2, css_classes=["dim-label"])
        unwrap = Gtk.Button(label=_("Open This Instead"), valign=Gtk.Align.START)
        unwrap.connect("clicked", self._unwrap)
        self._wrapped = box(self._inner, unwrap)
        # The labels of the list itself make the window as wide as the name of a host.
        texts = Gtk.SignalListItemFactory()
        texts.connect(
            "setup", lambda _texts, item: item.set_child(Gtk.Label(xalign=0, ellipsize=Pango.EllipsizeMode.MIDDLE))
        )
        texts.connect("bind", lambda _texts, item: item.get_child().set_label(item.get_item().get_string()))
        self._times = Gtk.DropDown(hexpand=True, factory=texts)
        self._times.connect("notify::selected", lambda *_changed: self._name_times())
        self._filter = Gtk.SearchEntry(placeholder_text=_("Type to filter"))
        named(self._filter, _("Filter"))
        self._filter.connect("changed", self._apply_filter)
        self._more = _label(lines=3, visible=False, css_classes=["dim-label"])
        self._placeholder = Gtk.Label(wrap=True, margin_top=24, margin_bottom=24, css_classes=["dim-label"])
        self._list = Gtk.ListBox(css_classes=["boxed-list"], selection_mode=Gtk.SelectionMode.BROWSE)
        named(self._list, _("Where to open it"))
        self._list.set_placeholder(self._placeholder)
        self._list.connect("row-activated", lambda _list, _row: self._open())
        self._filter.set_key_capture_widget(self._list)
        self._message = _label(lines=4, visible=False, accessible_role=Gtk.AccessibleRole.ALERT)
        # Two rows fit a narrow window and large text.
        self._buttons = Gtk.Grid(column_homogeneous=True, row_spacing=6, column_spacing=6)
        stay = _button(_("Open and Stay"), _("Ctrl+Enter"), partial(self._open, stays=True))
        self._buttons.attach(_button(_("Open"), _("Enter"), self._open, ["suggested-action"]), 0, 0, 1, 1)
        self._buttons.attach(stay, 1, 0, 1, 1)
        self._buttons.attach(_button(_("Copy"), _("Ctrl+C"), self._copy), 0, 1, 1, 1)
        self._buttons.attach(_button(_("Close"), _("Esc"), self.close), 1, 1, 1, 1)
        top = box(
            box(self._address, self._edit), self._editor, self._sender, self._wrapped, self._times, self._filter,
            self._more, self._list, vertical=True,
        )  # fmt: skip
        bottom = box(self._message, self._buttons, vertical=True)
        for part in (top, bottom):
            for side in ("top", "bottom", "start", "end"):
                part.set_property(f"margin-{side}", 12)
        scrolled = Gtk.ScrolledWindow(child=top, vexpand=True, hscrollbar_policy=Gtk.PolicyType.NEVER)
        bar = Adw.HeaderBar(title_widget=self._title)
        content = Gtk.Box(orientation=Gtk.Orientation.VERTICAL)
        for part in (bar, scrolled, bottom):
            content.append(part)
        self.set_content(content)

        keys = Gtk.EventControllerKey(propagation_phase=Gtk.PropagationPhase.CAPTURE)
        keys.connect("key-pressed", self._press)
        self.add_controller(keys)
        self.connect("close-request", lambda _window: self._end_all(_("The question was closed.")))

    def add(self, question: Question) -> None:
        """Adds a question, and raises the window."""
        self._questions.append(question)
        if len(self._questions) == 1:
            self._show()
        self._count()
        scened.gtk.present(self, question.activation_token)

    # What is shown.

    def _count(self) -> None:
        count = self._ended + len(self._questions)
        number = _("{number} of {count}").format(number=self._ended + 1, count=count)
        self._title.set_subtitle(number if count > 1 else "")

    def _show(self) -> None:
        question = self._questions[0]
        # Otherwise a text gets the focus of the row that goes, and then the digits.
        self.set_focus(None)
        self._edit.set_active(False)
        self._entry.get_buffer().set_text("")
        self._show_address()
        address = wrapped.inner(question.url)
        self._wrapped.set_visible(address is not None)
        self._inner.set_label(shown(address or "", 300))
        self._filter.set_text("")
        self._message.set_visible(False)
        self._fill([], _("Looking for programs…"))
        event = ["--event", question.event] if question.event else []
        words = ["handler", "candidates", *event, "--json", "--", question.url]
        scenectl.run(words, partial(self._receive, question, question.url))

    def _receive(self, question: Question, url: str, objects: list[dict[str, Any]], error: str | None) -> None:
        if self._questions[:1] != [question] or question.url != url:
            return
        self._fill(objects, "" if error else _("No program that is installed opens this link."))
        if error:
            self._say(error.removeprefix(f"{url}: "))

    def _fill(self, objects: list[dict[str, Any]], otherwise: str) -> None:
        about, candidates = (objects[0], objects[1:]) if objects else ({}, [])
        sender = about.get("sender", {})
        name = shown(sender.get("name") or sender.get("application") or "", 60)
        self._sender.set_label(_("Sent by {name}.").format(name=name))
        self._sender.set_visible(bool(name))
        self._always = about.get("always", [])
        always = [
            _("Always for links of {name}").format(name=name)
            if "from" in key
            else _("Always for {links}").format(links=website(key["handled"]))
            for key in self._always
        ]
        self._times.set_model(Gtk.StringList.new([_("Only this time"), *always]))
        self._name_times()
        self._times.set_visible(bool(always))
        most, count = sum(row["kind"] == "window" for row in candidates), about.get("windows", 0)
        more = _("{most} of {count} windows that want it are listed; typing finds only these.")
        self._more.set_label(more.format(most=most, count=count))
        self._more.set_visible(count > most)
        self._placeholder.set_label(otherwise)
        for row in self._rows:
            self._list.remove(row)
        self._rows = [_Row(candidate) for candidate in candidates]
        for row in self._rows:
            self._list.append(row)
        if candidates:
            self._placeholder.set_label(_("Nothing matches."))
        self._apply_filter()

    def _apply_filter(self, *_filter: Gtk.SearchEntry) -> None:
        for row in self._rows:
            row.set_visible(self._filter.get_text().casefold() in row.text)
        rows = self._shown_rows()
        for number, row in enumerate(rows, 1):
            row.set_number(number)
        if rows:
            self._list.select_row(rows[0])
        if isinstance(self.get_focus(), _TEXTS):
            return
        if rows:
            rows[0].grab_focus()
        elif self._rows:
            # Without a row in the list, the list has no keys to give to the filter.
            self._filter.get_delegate().grab_focus_without_selecting()

    def _shown_rows(self) -> list["_Row"]:
        return [row for row in self._rows if row.get_visible()]

    def _name_times(self) -> None:
        # The list itself has the role, but the button in it has the focus.
        chosen = self._times.get_selected_item()
        for widget in self._times, self._times.get_first_child():
            # Otherwise the text in the button counts, and not the name.
            widget.reset_relation(Gtk.AccessibleRelation.LABELLED_BY)
            named(widget, _("Remember: {choice}").format(choice=chosen.get_string() if chosen else ""))

    def _show_address(self) -> None:
        self._address.set_label(shown(self._url(), 300))

    def _url(self) -> str:
        return self._entry.get_buffer().props.text or self._questions[0].url

    def _say(self, sentence: str, is_error: bool = True) -> None:
        self._message.set_label(shown(" ".join(sentence.split())))
        self._message.set_css_classes(["error"] if is_error else [])
        self._message.set_visible(True)

    # What the person does.

    def _press(self, _keys: Gtk.EventControllerKey, key: int, _code: int, state: Gdk.ModifierType) -> bool:
        focus = self.get_focus()
        if focus and focus.get_ancestor(Gtk.Popover):
            return False
        is_text = isinstance(focus, _TEXTS)
        character = chr(Gdk.keyval_to_unicode(key))
        if state & Gdk.ModifierType.CONTROL_MASK:
            if key in _ENTER:
                self._open(stays=True)
            elif character in "cC" and not _has_selection(focus):
                self._copy()
            else:
                return False
        elif state & Gdk.ModifierType.ALT_MASK:
            return False
        elif key == Gdk.KEY_Escape:
            self.close()
        elif key in _ENTER and not isinstance(focus, Gtk.Button):
            self._open()
        elif key in (Gdk.KEY_Up, Gdk.KEY_Down) and isinstance(focus, Gtk.Text) and self._shown_rows():
            self._list.get_selected_row().grab_focus()
        elif key in (Gdk.KEY_Tab, Gdk.KEY_ISO_Left_Tab) and focus and focus.is_ancestor(self._list):
            # Otherwise Tab goes from row to row, and chooses each.
            if key == Gdk.KEY_Tab:
                return self._buttons.child_focus(Gtk.DirectionType.TAB_FORWARD)
            return self._filter.child_focus(Gtk.DirectionType.TAB_BACKWARD)
        elif character == " " and self._filter.get_text() and focus and focus.is_ancestor(self._list):
            # Otherwise a space in what is typed opens the row that is chosen.
            self._filter.set_text(self._filter.get_text() + " ")
            self._filter.set_position(-1)
        elif character in "123456789" and not is_text:
            rows = self._shown_rows()
            if int(character) <= len(rows):
                self._list.select_row(rows[int(character) - 1])
                self._open()
        else:
            return False
        return True

    def _begin_edit(self, toggle: Gtk.ToggleButton) -> None:
        self._entry.get_buffer().set_text(self._url())
        self._editor.set_visible(toggle.get_active())
        if toggle.get_active():
            self._entry.grab_focus()

    def _unwrap(self, _button: Gtk.Button) -> None:
        question = self._questions[0]
        question.url = wrapped.inner(question.url) or question.url
        self._show()

    def _copy(self) -> None:
        clipboard = self.get_clipboard()
        clipboard.set(self._url())
        # Without a program that keeps copies, the copy is lost with the process that made it.
        application = self.get_application()
        application.hold()

        def note(*_changed: Any) -> None:
            clipboard.disconnect(noting)
            application.release()

        noting = clipboard.connect("notify::local", note)
        self._end_all(_("The address was copied."))
        self.destroy()

    def _open(self, stays: bool = False) -> None:
        row = self._list.get_selected_row()
        if row not in self._shown_rows():
            return
        candidate, question = row.candidate, self._questions[0]
        times = self._times.get_selected() if self._always else 0
        always = self._always[times - 1] if times else None
        if always and candidate["kind"] == "action":
            return self._say(_("An action is not for always; choose '{once}'.").format(once=_("Only this time")))
        # A window that stays shows the error of scenectl.
        if not stays and not _reaches_router():
            return self._say(_("scened does not run, so the link was not opened; Enter tries again."))
        application = self.get_application()

        def end(_objects: list[dict[str, Any]], error: str | None) -> None:
            status = process.get_exit_status() if process and process.get_if_exited() else 1
            if always and not error:
                _remember(application, candidate, always)
            if not stays:
                return question.answer(status)
            question.status = status
            if self._questions[:1] != [question]:
                return
            if error:
                self._say(error.removeprefix(f"{url}: "))
            else:
                self._say(_("Opened in {name}.").format(name=row.get_title()), is_error=False)

        url = self._url()
        words = ["open", *_target(candidate), "--", url]
        process = scenectl.run(words, end, self._environment(question))
        if stays:
            question.status = 0
        else:
            self._go_on()

    def _environment(self, question: Question) -> dict[str, str]:
        # The token of the click is used up for this window, which may make one for the target while it has the focus.
        event = {"SCENED_EVENT": question.event} if question.event else {}
        return event | token(self)

    def _go_on(self) -> None:
        del self._questions[0]
        self._ended += 1
        if self._questions:
            self._show()
            self._count()
        else:
            self.destroy()

    def _end_all(self, reason: str) -> None:
        questions, self._questions = self._questions, []
        for question in questions:
            if question.status is not None:
                question.answer(question.status)
        _decline([q for q in questions if q.status is None], reason, self.get_application().get_application_id())


class _Row(Adw.ActionRow):
    """A window, an application, a profile or an action that can get the link."""

    def __init__(self, candidate: dict[str, Any]) -> None:
        title = shown(candidate.get("title") or candidate["name"], 200)
        because = [RULES[candidate["because"]]] if "because" in candidate else []
        details = ", ".join([shown(candidate["name"], 200), *because]) if candidate["kind"] == "window" else ""
        super().__init__(use_markup=False, title=title, subtitle=details, activatable=True, title_lines=2)
        # Otherwise a screen reader reads the title beside the name.
        self.reset_relation(Gtk.AccessibleRelation.LABELLED_BY)
        self.candidate = candidate
        self.text = f"{title} {details}".casefold()
        self._number = Gtk.Label(css_classes=["dim-label"])
        self.add_prefix(icon(candidate.get("icon")))
        self.add_suffix(self._number)

    def set_number(self, number: int) -> None:
        """Shows the key that chooses this row; only the first nine have one."""
        self._number.set_label(str(number) if number < 10 else "")
        named(self, ". ".join(filter(None, [self._number.get_label(), self.get_title(), self.get_subtitle()])))


def _reaches_router() -> bool:
    with socket.socket(socket.AF_UNIX) as end, contextlib.suppress(OSError):
        end.setblocking(False)
        # An '@' is for the abstract namespace.
        end.connect(re.sub("^@", "\0", scened.default_socket_path()))
        return True
    return False


def _target(candidate: dict[str, Any]) -> list[str]:
    if candidate["kind"] == "window":
        return ["--scene", candidate["scene"]]
    kind = candidate["kind"]
    how = [] if kind == "application" else [f"--{kind}", candidate[kind]]
    return ["--application", candidate["application"], *how]


def _remember(application: Adw.Application, candidate: dict[str, Any], always: dict[str, str]) -> None:
    def end(_objects: list[dict[str, Any]], error: str | None) -> None:
        if error:
            # The window that asked may be gone.
            dialog = Adw.MessageDialog(application=application, heading=_("Not Saved"), body=shown(error))
            dialog.add_response("close", _("Close"))
            dialog.present()

    sender = always.get("from")
    handled = ["http", "https"] if sender and always["handled"] == "https" else [always["handled"]]
    # Of a sender that is not installed, scened knows the id all the same.
    words = [*handled, *words_of(candidate), *(["--from", sender, "--any"] if sender else [])]
    scenectl.run(["handler", "set", *words, "--json"], end)


def _decline(questions: list[Question], reason: str, application: str) -> None:
    """Sends each link to this program itself, which declines it, so that scened tells why nobody got it."""
    waiting = set(questions)
    if not waiting:
        return

    def refuse(_request: scened.OpenRequest) -> None:
        raise scened.Decline(reason)

    # The claim keeps all other links away.
    declared = scened.gtk.router().declare(
        application, [scened.SceneDeclaration("question")], refuse, claims=scened.Claims(["x-scened-question"])
    )

    def end(question: Question) -> None:
        question.answer(0)
        waiting.remove(question)
        if not waiting:
            declared.close()

    for question in questions:
        sent = scened.gtk.router().send(question.url, application=application, origin=question.event)
        sent.add_done_callback(lambda _sent, question=question: GLib.idle_add(end, question))


def _has_selection(focus: Gtk.Widget | None) -> bool:
    if isinstance(focus, Gtk.TextView):
        return focus.get_buffer().get_has_selection()
    return isinstance(focus, Gtk.Text) and bool(focus.get_selection_bounds())


def _label(**properties: Any) -> Gtk.Label:
    """Returns a label that an address fits, without hyphens that are not in the address."""
    attributes = Pango.AttrList()
    attributes.insert(Pango.attr_insert_hyphens_new(False))
    return Gtk.Label(
        xalign=0, hexpand=True, wrap=True, wrap_mode=Pango.WrapMode.WORD_CHAR, ellipsize=Pango.EllipsizeMode.END,
        attributes=attributes, **properties,
    )  # fmt: skip


def _button(label: str, key: str, press: Callable[[], object], css_classes: Sequence[str] = ()) -> Gtk.Button:
    """Returns a button with the key that does the same."""
    content = box(
        Gtk.Label(label=label, wrap=True, justify=Gtk.Justification.CENTER),
        Gtk.Label(label=key, css_classes=["caption"]),
        vertical=True,
    )
    button = Gtk.Button(child=content, css_classes=list(css_classes))
    named(button, label)
    button.connect("clicked", lambda _button: press())
    return button
