"""A keyboard for a Wayland compositor that runs without a screen. It presses the space bar at each SIGUSR1, and the
Enter key at each SIGUSR2. With mutter, SIGHUP presses the Shift key, and the next one releases it.

    keyboard.py wayland    for compositors with virtual-keyboard-unstable-v1
    keyboard.py mutter     for mutter

It prints "ready" when the compositor has the keyboard, and "Shift" after each SIGHUP.
"""

import array
import os
import signal
import socket
import struct
import sys
import tempfile

# Key codes of Linux (input-event-codes.h).
SPACE, ENTER, LEFT_SHIFT = 57, 28, 42
# The keymap has all keys, because compositors look up the keys of their own shortcuts in the keymap.
KEYMAP = b"""xkb_keymap {
  xkb_keycodes { include "evdev" };
  xkb_types { include "complete" };
  xkb_compat { include "complete" };
  xkb_symbols { include "pc+us" };
};\0"""


class VirtualKeyboard:
    """Speaks the wire protocol of Wayland, so that no library is needed."""

    DISPLAY = 1

    def __init__(self):
        self.server = socket.socket(socket.AF_UNIX)
        self.server.connect(os.path.join(os.environ["XDG_RUNTIME_DIR"], os.environ["WAYLAND_DISPLAY"]))
        self.last = self.DISPLAY
        self.milliseconds = 0
        self.registry = self.new()
        self.request(self.DISPLAY, 1, self.registry)
        names = self.wait()
        seat = self.bind("wl_seat", names)
        keyboards = self.bind("zwp_virtual_keyboard_manager_v1", names)
        self.keyboard = self.new()
        self.request(keyboards, 0, seat, self.keyboard)
        with tempfile.TemporaryFile() as keymap:
            keymap.write(KEYMAP)
            keymap.flush()
            self.request(self.keyboard, 0, 1, len(KEYMAP), descriptors=[keymap.fileno()])
            self.wait()

    def press(self, key):
        for is_pressed in 1, 0:
            self.milliseconds += 10
            self.request(self.keyboard, 1, self.milliseconds, key, is_pressed)

    def new(self):
        """Returns a number for a new object. Wayland requires numbers without gaps."""
        self.last += 1
        return self.last

    def bind(self, interface, names):
        number = self.new()
        self.request(self.registry, 0, names[interface], interface, 1, number)
        return number

    def request(self, target, code, *arguments, descriptors=()):
        content = b""
        for argument in arguments:
            if isinstance(argument, str):
                text = argument.encode() + b"\0"
                content += struct.pack("=I", len(text)) + text + bytes(-len(text) % 4)
            else:
                content += struct.pack("=I", argument)
        message = struct.pack("=IHH", target, code, 8 + len(content)) + content
        ancillary = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", descriptors))] if descriptors else []
        self.server.sendmsg([message], ancillary)

    def wait(self):
        """Waits until the compositor has handled all requests, and returns the globals announced meanwhile, by name."""
        callback = self.new()
        self.request(self.DISPLAY, 0, callback)
        names = {}
        while True:
            target, code, length = struct.unpack("=IHH", self.server.recv(8, socket.MSG_WAITALL))
            content = self.server.recv(length - 8, socket.MSG_WAITALL)
            if target == callback:
                return names
            if target == self.DISPLAY and code == 0:
                raise SystemExit(f"The compositor refuses the keyboard: {content}")
            if target == self.registry and code == 0:
                name, text_length = struct.unpack_from("=II", content)
                names[content[8 : 8 + text_length - 1].decode()] = name


class RemoteKeyboard:
    """A keyboard in a session of mutter's interface for remote desktops. The session ends with this process."""

    NAME = "org.gnome.Mutter.RemoteDesktop"

    def __init__(self):
        from gi.repository import Gio

        self.bus = Gio.bus_get_sync(Gio.BusType.SESSION)
        (self.session,) = self.call("/org/gnome/Mutter/RemoteDesktop", self.NAME, "CreateSession")
        self.call(self.session, self.NAME + ".Session", "Start")
        # mutter adds the keyboard only at the first key press.
        self.press(LEFT_SHIFT)

    def press(self, key):
        for is_pressed in True, False:
            self.change(key, is_pressed)

    def change(self, key, is_pressed):
        from gi.repository import GLib

        arguments = GLib.Variant("(ub)", (key, is_pressed))
        self.call(self.session, self.NAME + ".Session", "NotifyKeyboardKeycode", arguments)

    def call(self, path, interface, method, arguments=None):
        return self.bus.call_sync(self.NAME, path, interface, method, arguments, None, 0, -1)


KEYS = {signal.SIGUSR1: SPACE, signal.SIGUSR2: ENTER}
# The signals are blocked before any other thread starts. A thread that was started earlier would get them instead of
# `sigwait`.
signal.pthread_sigmask(signal.SIG_BLOCK, {*KEYS, signal.SIGHUP})
keyboard = {"wayland": VirtualKeyboard, "mutter": RemoteKeyboard}[sys.argv[1]]()
print("ready", flush=True)
is_held = False
while True:
    wanted = signal.sigwait({*KEYS, signal.SIGHUP})
    if wanted == signal.SIGHUP:
        is_held = not is_held
        keyboard.change(LEFT_SHIFT, is_held)
        print("Shift", flush=True)
    else:
        keyboard.press(KEYS[wanted])
