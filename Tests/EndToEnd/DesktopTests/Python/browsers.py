"""Opens links from the window that asks in private windows and in second profiles of Debian's Firefox and Chromium.

    session.py PROGRAMS browsers.py
"""

import email.message
import http.server
import json
import os
import re
import subprocess
import threading

from accessible import find, key, name_of, until

HOME = os.environ["HOME"]
FIREFOX, CHROMIUM = f"{HOME}/.mozilla/firefox", f"{HOME}/.config/chromium"
# Without a sandbox, because the user may be root. Without what a browser asks at its first start.
OPTIONS = "--no-sandbox --no-first-run --disable-gpu --password-store=basic"
PREFERENCES = """
user_pref("browser.aboutwelcome.enabled", false);
user_pref("browser.shell.checkDefaultBrowser", false);
user_pref("datareporting.policy.dataSubmissionEnabled", false);
user_pref("termsofuse.bypassNotification", true);
user_pref("dom.security.https_first", false);
user_pref("dom.security.https_first_pbm", false);
"""
# The profiles, and the language by which the server knows each.
LANGUAGES = {"Home": "sw", "Work": "mi"}
# What each page was asked for with, by its path.
requests: dict[str, email.message.Message] = {}


class Page(http.server.BaseHTTPRequestHandler):
    """Answers each request with a page whose title is the path, and with a cookie."""

    def do_GET(self) -> None:
        requests[self.path] = self.headers
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.send_header("Set-Cookie", "visited=1; Max-Age=3600")
        self.end_headers()
        self.wfile.write(f"<title>{self.path}</title>".encode())

    def log_message(self, *_words: object) -> None:
        pass


def install_browsers() -> None:
    for name, options in (("firefox-esr", ""), ("chromium", OPTIONS)):
        os.remove(f"{HOME}/.local/bin/{name}")
        with open(f"/usr/share/applications/{name}.desktop") as file:
            entry = re.sub("^Exec=(\\S+)", rf"Exec=\1 {options}", file.read(), flags=re.MULTILINE)
        with open(f"{os.environ['XDG_DATA_DIRS']}/applications/{name}.desktop", "w") as file:
            file.write(entry)
    with open(f"{FIREFOX}/profiles.ini", "w") as file:
        for number, (name, language) in enumerate(LANGUAGES.items()):
            os.mkdir(f"{FIREFOX}/{name}")
            with open(f"{FIREFOX}/{name}/user.js", "w") as preferences:
                preferences.write(f'{PREFERENCES}user_pref("intl.accept_languages", "{language}");\n')
            file.write(f"[Profile{number}]\nName={name}\nIsRelative=1\nPath={name}\nDefault={1 - number}\n\n")
    directories = {"Default": "Home", "Profile 1": "Work"}
    for directory, name in directories.items():
        os.makedirs(f"{CHROMIUM}/{directory}")
        with open(f"{CHROMIUM}/{directory}/Preferences", "w") as preferences:
            language = LANGUAGES[name]
            json.dump({"intl": {"accept_languages": language, "selected_languages": language}}, preferences)
    with open(f"{CHROMIUM}/Local State", "w") as file:
        profiles = {directory: {"name": name} for directory, name in directories.items()}
        json.dump({"profile": {"info_cache": profiles}}, file)


def choose(row: str, path: str, title: str) -> email.message.Message:
    """Asks where to open a page, chooses a row, and waits for the browser's window with the page."""
    with subprocess.Popen(["scenectl", "open", "--ask", f"http://127.0.0.1:{port}{path}"]) as question:
        name = re.compile(rf"^\d\. {re.escape(row)}$")
        key(name_of(find("list item", name, find("frame", "Open a Link")))[0], window="Open a Link")
        assert question.wait(60) == 0
    until(lambda: path in requests, lambda: f"no browser asks for {path}")
    until(lambda: title in titles(), lambda: f"there is no window '{title}', but {titles()}")
    return requests[path]


def titles() -> list[str]:
    command = "xdotool search --onlyvisible --name . | xargs --max-args=1 xdotool getwindowname"
    return subprocess.run(["sh", "-c", command], capture_output=True, text=True).stdout.splitlines()


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Page)
port = server.server_port
threading.Thread(target=server.serve_forever, daemon=True).start()
install_browsers()
choose("New Private Window — Firefox ESR", "/private", "/private — Mozilla Firefox Private Browsing")
request = choose("Firefox ESR (Work)", "/profile", "/profile — Mozilla Firefox")
assert LANGUAGES["Work"] in request["Accept-Language"], request
print("ok firefoxOpensPrivateWindowsAndProfiles", flush=True)
for path in ("/first", "/second"):
    request = choose("Chromium Web Browser", path, f"{path} - Chromium")
assert request["Cookie"] == "visited=1", request
request = choose("New Private Window — Chromium Web Browser", "/incognito", "/incognito - Chromium")
# The title does not tell that a window is private.
assert request["Cookie"] is None, request
request = choose("Chromium Web Browser (Work)", "/third", "/third - Chromium")
assert LANGUAGES["Work"] in request["Accept-Language"], request
print("ok chromiumOpensPrivateWindowsAndProfiles", flush=True)
