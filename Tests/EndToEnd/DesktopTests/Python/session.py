"""Runs a Python program in a user's session with scened, scened-desktop, a screen reader's bus and two browsers.

    session.py [--wayland | --systemd] PROGRAMS PROGRAM [ARGUMENT ...]

PROGRAMS is a directory with `scened` and `scenectl`; scened-desktop comes from the sources. The windows are managed by
openbox on an X server, or with --wayland by sway, whose keyboard.py is the process $SCENED_TEST_KEYBOARD. With
--systemd, the session has the bus and the systemd of the user, which know its environment, and no scened. The browsers
write their arguments, a line each time, to ~/opened. The user is asked where links of ask.example.org open. This
program ends with the status of PROGRAM.
"""

import argparse
import contextlib
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time

_HERE = os.path.dirname(os.path.realpath(__file__))
_ROOT = os.path.realpath(f"{_HERE}/../../../..")
_FACE = f"{_ROOT}/Sources/Programs/scened-desktop/scened-desktop"

_BUS = """<busconfig>
  <type>session</type>
  <listen>unix:path={directory}/run/bus</listen>
  <servicedir>{directory}/run/dbus-1/services</servicedir>
  <policy context="default"><allow send_destination="*"/><allow receive_sender="*"/><allow own="*"/></policy>
</busconfig>
"""
# By default, sway does not give the focus to a window that asks for it without a token.
_SWAY = "xwayland disable\nfocus_on_window_activation smart\ndefault_border none\nexec echo ready\n"
_FIREFOX = """[Desktop Entry]
Type=Application
Name=Firefox ESR
Icon=firefox-esr
Exec=firefox-esr %u
MimeType=text/html;x-scheme-handler/http;x-scheme-handler/https;
Actions=new-private-window;

[Desktop Action new-private-window]
Name=New Private Window
Exec=firefox-esr --private-window %u
"""
_CHROMIUM = """[Desktop Entry]
Type=Application
Name=Chromium
Exec=chromium %U
MimeType=text/html;x-scheme-handler/http;x-scheme-handler/https;
"""
# Debian's update-desktop-database writes it, and GIO reads it.
_CACHE = "[MIME Cache]\ntext/html=chromium.desktop;firefox-esr.desktop;\n"
_PROFILES = "[Profile0]\nName=Home\nPath=home\n\n[Profile1]\nName=Work\nPath=work\n"
_BROWSER = '#!/bin/sh\nprintf "%s\\n" "${0##*/} $*" >>"$HOME/opened"\n'
_LISTS = """[Default Applications]
x-scheme-handler/http=firefox-esr.desktop
x-scheme-handler/https=firefox-esr.desktop
"""


class Session:
    """The directories, the environment and the programs of a session."""

    def __init__(self, directory: str, programs: str, has_systemd: bool) -> None:
        self._directory, self._has_systemd = directory, has_systemd
        self._runtime = f"/run/user/{os.getuid()}" if has_systemd else f"{directory}/run"
        self._started: list[subprocess.Popen[bytes]] = []
        home, share = f"{directory}/home", f"{directory}/share"
        os.makedirs(self._runtime, mode=0o700, exist_ok=True)
        self.environment = {
            "PATH": f"{home}/.local/bin:{programs}:{os.path.dirname(_FACE)}:/usr/local/bin:/usr/bin:/bin",
            "HOME": home, "XDG_RUNTIME_DIR": self._runtime, "LANG": "C.UTF-8",
            "XDG_DATA_HOME": f"{home}/.local/share", "XDG_DATA_DIRS": share,
            "XDG_CONFIG_HOME": f"{home}/.config", "XDG_CONFIG_DIRS": "/etc/xdg",
            "XDG_STATE_HOME": f"{home}/.local/state", "XDG_CACHE_HOME": f"{home}/.cache",
            "DBUS_SESSION_BUS_ADDRESS": f"unix:path={self._runtime}/bus",
            "GSETTINGS_BACKEND": "memory", "GSK_RENDERER": "cairo", "GIO_USE_VFS": "local", "GTK_USE_PORTAL": "0",
            "PYTHONPATH": f"{_ROOT}/Sources/Clients/Python", "PYTHONDONTWRITEBYTECODE": "1",
        }  # fmt: skip
        # By $TMPDIR the tests find the programs that are left if they are killed.
        for name in ("TMPDIR", "SCENED_TEST_PICTURES"):
            if value := os.environ.get(name):
                self.environment[name] = value
        os.makedirs(f"{share}/dbus-1")
        os.symlink(f"{self._runtime}/dbus-1/services", f"{share}/dbus-1/services")
        self._write_service("io.scened.Desktop", f"{_FACE} --gapplication-service")
        self._write("bus.conf", _BUS.format(directory=directory))
        # The applications of this machine would stand beside those of the session.
        for name in ("icons", "themes", "mime", "glib-2.0"):
            if os.path.exists(f"/usr/share/{name}"):
                os.symlink(f"/usr/share/{name}", f"{share}/{name}")
        with open(f"{_ROOT}/systemd/user/scened-open.desktop") as entry:
            self._write("share/applications/scened-open.desktop", entry.read().replace("@PREFIX@/bin", programs))
        self._write("share/applications/firefox-esr.desktop", _FIREFOX)
        self._write("share/applications/chromium.desktop", _CHROMIUM)
        self._write("share/applications/mimeinfo.cache", _CACHE)
        self._write("home/.mozilla/firefox/profiles.ini", _PROFILES)
        self._write("home/.config/mimeapps.list", _LISTS)
        for name in ("firefox-esr", "chromium"):
            self._write(f"home/.local/bin/{name}", _BROWSER)
            os.chmod(f"{home}/.local/bin/{name}", 0o755)

    def start(self, is_wayland: bool) -> None:
        """Starts the display, the buses and scened, and returns when they are ready."""
        if is_wayland:
            self._start_sway()
        else:
            server = ["Xvfb", "-displayfd", "1", "-noreset", "-nolisten", "tcp", "-screen", "0", "1024x768x24"]
            number = self._start(server, r"^\d+\n")
            self.environment |= {"DISPLAY": f":{number.strip()}", "GDK_BACKEND": "x11"}
            self._start(["openbox", "--startup", "echo ready"], "ready")
        self._write_service("org.a11y.Bus", _accessibility_bus())
        if self._has_systemd:
            self.run(["dbus-update-activation-environment", "--systemd", "--all"])
        else:
            bus = ["dbus-daemon", f"--config-file={self._directory}/bus.conf", "--nofork", "--print-address"]
            self._start(bus, "unix:")
        if is_wayland:
            self._start_keyboard()
        self.run(["scenectl", "handler", "set", "ask.example.org", "--ask"])
        if not self._has_systemd:
            self._start(["scened"], "Ready\\.")

    def run(self, command: list[str]) -> None:
        subprocess.run(command, env=self.environment, check=True, stdout=subprocess.DEVNULL)

    def run_program(self, command: list[str]) -> int:
        """Runs the program to its end, and ends what it has started."""
        with subprocess.Popen(command, env=self.environment, start_new_session=True) as program:
            try:
                return program.wait()
            finally:
                with contextlib.suppress(ProcessLookupError):
                    os.killpg(program.pid, signal.SIGKILL)

    def end(self) -> None:
        for program in reversed(self._started):
            program.terminate()
            with contextlib.suppress(subprocess.TimeoutExpired):
                program.wait(5)

    def _start_sway(self) -> None:
        self._write("sway.conf", _SWAY)
        self.environment |= {"WLR_BACKENDS": "headless", "WLR_LIBINPUT_NO_DEVICES": "1", "WLR_RENDERER": "pixman"}
        self.environment |= {"SWAYSOCK": f"{self._directory}/run/sway"}
        # sway 1.7 refuses to run as root.
        user = ["unshare", "--user", "--map-user=1000", "--map-group=1000"] if os.geteuid() == 0 else []
        self._start([*user, "sway", "--config", f"{self._directory}/sway.conf"], "ready")
        # A compositor that is started with this variable would be a client of another one.
        self.environment |= {"WAYLAND_DISPLAY": "wayland-1", "GDK_BACKEND": "wayland"}

    def _start_keyboard(self) -> None:
        """Without a keyboard, no window gets the focus, and sway grants no token."""
        self._start(["/usr/bin/python3", f"{_HERE}/keyboard.py", "wayland"], "ready")
        self.environment["SCENED_TEST_KEYBOARD"] = str(self._started[-1].pid)

    def _start(self, command: list[str], line: str) -> str:
        """Starts a program, waits until its output has a text of the form `line`, and returns this text."""
        name = f"{self._directory}/{len(self._started)}-{os.path.basename(command[0])}.log"
        with open(name, "wb") as log:
            program = subprocess.Popen(command, env=self.environment, stdout=log, stderr=log, stdin=subprocess.DEVNULL)
        self._started.append(program)
        end = time.monotonic() + 120
        while True:
            with open(name, errors="replace") as log:
                output = log.read()
            if match := re.search(line, output, re.MULTILINE):
                return match[0]
            if program.poll() is not None or time.monotonic() > end:
                sys.exit(f"session.py: {shlex.join(command)} does not start: {output}")
            time.sleep(0.01)

    def _write_service(self, name: str, command: str) -> None:
        text = f"[D-BUS Service]\nName={name}\nExec={command}\n"
        self._write(f"{self._runtime}/dbus-1/services/{name}.service", text)

    def _write(self, name: str, text: str) -> None:
        """Writes a file of the directory of this session, or one with an absolute path."""
        path = os.path.join(self._directory, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w") as file:
            file.write(text)


def _accessibility_bus() -> str:
    """Returns the command line that Debian's file of the service has."""
    with open("/usr/share/dbus-1/services/org.a11y.Bus.service") as file:
        return next(line for line in file if line.startswith("Exec=")).removeprefix("Exec=").strip()


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--wayland", action="store_true")
    parser.add_argument("--systemd", action="store_true")
    parser.add_argument("programs")
    parser.add_argument("program", nargs=argparse.REMAINDER)
    arguments = parser.parse_args()
    # SIGTERM ends the programs of the session, too.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    directory = tempfile.mkdtemp(prefix="scened.")
    session = Session(directory, os.path.realpath(arguments.programs), arguments.systemd)
    try:
        session.start(arguments.wayland)
        return session.run_program(["/usr/bin/python3", *arguments.program])
    finally:
        session.end()
        shutil.rmtree(directory, ignore_errors=True)


sys.exit(main())
