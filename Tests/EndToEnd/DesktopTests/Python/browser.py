"""Drives a browser as its user would, by its debugging protocol.

usage: browser.py chromium|firefox PROFILE COMMAND ARGUMENT...

Commands are the methods below whose names have no underscore at the beginning.
"""

import base64
import json
import os
import socket
import sys
import time

CHROMIUM_ID = "okebpkniigpjamcljgjllfbjgbggegkl"
FIREFOX_ID = "windows@scened.io"

# Fills in and submits the form on the page of options.
SAVE = """(() => {
  const form = document.querySelector('form')
  for (const [name, value] of Object.entries(OPTIONS)) {
    const field = form.elements[name]
    if (typeof value === 'boolean') field.checked = value; else field.value = value
  }
  form.requestSubmit()
})()"""
SAID = "document.querySelector('output').value"
STATUS = "document.querySelector('#status').textContent"


def until(ask):
    """Returns the first answer that is true, or gives up after two minutes."""
    end = time.monotonic() + 120
    while time.monotonic() < end:
        try:
            answer = ask()
            if answer:
                return answer
        except (OSError, KeyError, LookupError):
            pass
        time.sleep(0.02)
    raise SystemExit("the browser does not do it")


class Browser:
    """The commands that are the same for Chromium and Firefox."""

    def options(self, values, part=""):
        """Saves options on the extension's options page, in the profile that has a page with `part` in its address."""
        def save(run):
            run(SAVE.replace("OPTIONS", values))
            return until(lambda: run(SAID))

        return self._on_options(save, part)

    def status(self, words="", part=""):
        """Returns the status that the options page shows, once it contains the text `words`."""
        def ask(run):
            text = run(STATUS)
            return text != "…" and words in text and text

        return self._on_options(lambda run: until(lambda: ask(run)), part)

    def _on_options(self, action, part):
        self._page(part)
        try:
            until(lambda: self.run("/options.html", "document.readyState === 'complete' && !!document.forms[0]"))
            return action(lambda script: self.run("/options.html", script))
        finally:
            self.close("/options.html")


class Chromium(Browser):
    """Chromium, driven over DevTools, whose messages are in frames of WebSocket."""

    def __init__(self, profile):
        port, path = until(lambda: open(f"{profile}/DevToolsActivePort").read().split())
        self._socket = until(lambda: socket.create_connection(("127.0.0.1", int(port)), timeout=60))
        self._input = self._socket.makefile("rb")
        key = base64.b64encode(os.urandom(16)).decode()
        lines = [f"GET {path} HTTP/1.1", f"Host: 127.0.0.1:{port}", "Upgrade: websocket", "Connection: Upgrade"]
        lines += [f"Sec-WebSocket-Key: {key}", "Sec-WebSocket-Version: 13", "", ""]
        self._socket.sendall("\r\n".join(lines).encode())
        while self._input.readline().strip():
            pass
        self._last = 0

    def _call(self, method, session=None, **parameters):
        self._last += 1
        call = {"id": self._last, "method": method, "params": parameters}
        if session:
            call["sessionId"] = session
        data = json.dumps(call).encode()
        # WebSocket demands a mask. A mask of zeros leaves the bytes as they are.
        self._socket.sendall(bytes([0x81, 0xFF]) + len(data).to_bytes(8, "big") + bytes(4) + data)
        while True:
            reply = json.loads(self._frame())
            if reply.get("id") == self._last:
                if "error" in reply:
                    raise LookupError(reply["error"]["message"])
                return reply["result"]

    def _frame(self):
        data = b""
        while True:
            first, length = self._input.read(2)
            if length > 125:
                length = int.from_bytes(self._input.read(2 if length == 126 else 8), "big")
            data += self._input.read(length)
            if first & 0x80:
                return data

    def _target(self, part, kind="page"):
        targets = self._call("Target.getTargets")["targetInfos"]
        found = (target for target in targets if target["type"] == kind and part in target["url"])
        return next((target["targetId"] for target in found), None)

    def _evaluate(self, target, script):
        session = self._call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        try:
            result = self._call(
                "Runtime.evaluate", session, expression=script, awaitPromise=True, returnByValue=True, userGesture=True
            )
        finally:
            self._call("Target.detachFromTarget", sessionId=session)
        if "exceptionDetails" in result:
            raise LookupError(json.dumps(result["exceptionDetails"]))
        return result["result"].get("value")

    def _in_worker(self, script):
        return self._evaluate(until(lambda: self._target(CHROMIUM_ID, "service_worker")), script)

    def window(self, url):
        self._call("Target.createTarget", url=url, newWindow=True)

    def tab(self, url):
        self._call("Target.createTarget", url=url)

    def close(self, part):
        self._call("Target.closeTarget", targetId=self._target(part))

    def run(self, part, script):
        """Runs a script in a page."""
        return self._evaluate(until(lambda: self._target(part)), script)

    def move(self, part):
        """Moves a tab to a window of its own."""
        find = f"tabs.find((tab) => tab.url.includes('{part}')).id"
        move = f"chrome.windows.create({{ tabId: {find} }})"
        self._in_worker(f"chrome.tabs.query({{}}).then((tabs) => {move}).then(() => 1)")

    def tabs(self, count, url):
        """Opens tabs that nobody looks at."""
        self._in_worker(f"for (let i = 0; i < {count}; i++) chrome.tabs.create({{url: '{url}' + i, active: false}})")

    def endworker(self):
        self._call("Target.closeTarget", targetId=self._target(CHROMIUM_ID, "service_worker"))

    def _page(self, part):
        if not part:
            self._call("Target.createTarget", url=f"chrome-extension://{CHROMIUM_ID}/options.html")
            return
        # The protocol would open the options page in the profile that was used last. A script in the extension of the
        # wanted profile opens it instead.
        targets = self._call("Target.getTargets")["targetInfos"]
        profile = next(target["browserContextId"] for target in targets if part in target["url"])
        mine = (target for target in targets if target["browserContextId"] == profile and CHROMIUM_ID in target["url"])
        self._evaluate(next(target["targetId"] for target in mine), "chrome.runtime.openOptionsPage()")

    def quit(self):
        self._call("Browser.close")


class Firefox(Browser):
    """Firefox, driven over Marionette."""

    def __init__(self, profile):
        port = until(lambda: open(f"{profile}/MarionetteActivePort").read())
        self._socket = until(lambda: socket.create_connection(("127.0.0.1", int(port)), timeout=60))
        self._input = self._socket.makefile("rb")
        self._reply()
        self._last = 0
        self._call("WebDriver:NewSession", capabilities={"alwaysMatch": {"acceptInsecureCerts": True}})
        self._first = self._call("WebDriver:GetWindowHandle")["value"]
        self._call("Marionette:SetContext", value="chrome")
        # Pages that are opened before the session is restored may be lost.
        self._script("await win.SessionStore.promiseAllWindowsRestored")
        until(lambda: self._script("return win?.gBrowserInit.delayedStartupFinished"))

    def _reply(self):
        length = b""
        while (byte := self._input.read(1)) != b":":
            if not byte:
                raise OSError("closed")
            length += byte
        return json.loads(self._input.read(int(length)))

    def _call(self, command, **parameters):
        self._last += 1
        data = json.dumps([0, self._last, command, parameters]).encode()
        self._socket.sendall(b"%d:%s" % (len(data), data))
        _, _, error, result = self._reply()
        if error:
            raise LookupError(error["message"])
        return result

    def _script(self, script, *arguments):
        """Runs the body of an async function in the browser itself, and returns its value."""
        body = f"""
          const done = arguments[arguments.length - 1]
          const run = async (...arguments) => {{ {FIREFOX} {script} }}
          run(...arguments).then(done, (error) => done({{ failed: String(error) }}))
        """
        parameters = {"script": body, "args": list(arguments), "newSandbox": True}
        result = self._call("WebDriver:ExecuteAsyncScript", **parameters)["value"]
        if isinstance(result, dict) and "failed" in result:
            raise LookupError(result["failed"])
        return result

    def window(self, url):
        self._script("win.openTrustedLinkIn(arguments[0], 'window')", url)

    def private(self, url):
        self._script("win.openTrustedLinkIn(arguments[0], 'window', { private: true })", url)

    def tab(self, url):
        self._script("win.gBrowser.selectedTab = win.gBrowser.addTrustedTab(arguments[0])", url)

    def close(self, part):
        self._script("const [tab, gBrowser] = find(arguments[0]); gBrowser.removeTab(tab)", part)

    def run(self, part, script):
        until(lambda: self._select(part))
        try:
            return self._call("WebDriver:ExecuteScript", script=f"return {script}", args=[])["value"]
        finally:
            # Selects the first page again. If the selected page is closed, later commands get no answer.
            self._call("WebDriver:SwitchToWindow", handle=self._first, focus=False)
            self._call("Marionette:SetContext", value="chrome")

    def _select(self, part):
        """Lets later scripts run in a page."""
        self._call("Marionette:SetContext", value="content")
        for handle in self._call("WebDriver:GetWindowHandles"):
            self._call("WebDriver:SwitchToWindow", handle=handle, focus=False)
            if part in self._call("WebDriver:GetCurrentURL")["value"]:
                return True
        return False

    def move(self, part):
        self._script("const [tab, gBrowser] = find(arguments[0]); gBrowser.replaceTabWithWindow(tab)", part)

    def tabs(self, count, url):
        add = "win.gBrowser.addTrustedTab(arguments[1] + i, { createLazyBrowser: true })"
        self._script(f"for (let i = 0; i < arguments[0]; i++) {add}", int(count), url)

    def count(self):
        """The number of tabs."""
        return self._script("return allTabs.length")

    def select(self, part):
        self._script("const [tab, gBrowser] = find(arguments[0]); gBrowser.selectedTab = tab", part)

    def endworker(self):
        extension = f"WebExtensionPolicy.getByID('{FIREFOX_ID}').extension"
        # Without the option, the open port to the native host would keep the background page alive.
        self._script(f"await {extension}.terminateBackground({{ disableResetIdleForTest: true }})")

    def _page(self, _):
        self.tab(self._script(f"return WebExtensionPolicy.getByID('{FIREFOX_ID}').extension.baseURL + 'options.html'"))

    def quit(self):
        self._call("Marionette:Quit", flags=["eAttemptQuit"])


FIREFOX = """
const win = Services.wm.getMostRecentWindow('navigator:browser')
const allTabs = [...Services.wm.getEnumerator('navigator:browser')].flatMap((win) => [...win.gBrowser.tabs])
const find = (part) => {
  const tab = allTabs.find((tab) => tab.linkedBrowser.currentURI.spec.includes(part))
  if (!tab) throw new Error('no tab ' + part)
  return [tab, tab.ownerDocument.defaultView.gBrowser]
}
"""


def main():
    kind, profile, command, *arguments = sys.argv[1:]
    browser = {"chromium": Chromium, "firefox": Firefox}[kind](profile)
    result = getattr(browser, command)(*arguments)
    if result is not None:
        print(result)


main()
