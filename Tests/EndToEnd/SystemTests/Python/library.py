"""The library `scened` against the daemon: usage: library.py DAEMON [TEST]..."""

import asyncio
import concurrent.futures
import contextlib
import ctypes
import gc
import itertools
import json
import multiprocessing
import os
import queue
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import traceback
import unittest
import warnings

import scened
from scened._files import resolved_url, with_other_names

DAEMON = sys.argv.pop(1)
PATIENCE = 120
# This many repetitions show a race that occurs in one repetition out of three.
REPETITIONS = 25
APPLICATION = "org.example.Test"


def void(_):
    pass


class Daemon:
    """The daemon, which may be killed and started again at the same socket."""

    def __init__(self, test):
        directory = tempfile.TemporaryDirectory()
        test.addCleanup(directory.cleanup)
        test.addCleanup(lambda: self.end(signal.SIGKILL))
        self.path = os.path.join(directory.name, "router")
        self.start()

    def start(self):
        command = [DAEMON, "--system", "--socket", self.path]
        self.process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
        for line in self.process.stderr:
            if "Ready." in line:
                return
        raise AssertionError("The daemon has not started.")

    def end(self, number):
        self.process.send_signal(number)
        self.process.wait()
        self.process.stderr.close()

    def restart(self):
        self.end(signal.SIGKILL)
        self.start()


class RouterTest(unittest.TestCase):
    def setUp(self):
        self.daemon = Daemon(self)
        self.states = queue.Queue()
        self.router = scened.Router(self.daemon.path, on_state=self.states.put)
        self.addCleanup(self.router.close)

    def open(self, handler=print, **what):
        scene = self.router.open_scene(APPLICATION, handler, **what)
        scene.opened.result(PATIENCE)
        return scene

    def send(self, event, **how):
        return self.router.send(event, **how).result(PATIENCE)

    def listed(self):
        """The open scenes, as the router lists them."""
        return [scene["context"] for scene in self.router.call("ListScenes").result(PATIENCE)["scenes"]]

    def wait_for_state(self, state):
        while self.states.get(timeout=PATIENCE) != state:
            pass

    def restart(self):
        """Restarts the daemon, and returns when all windows and applications of `self.router` are open again."""
        self.wait_for_state("connected")
        self.daemon.end(signal.SIGKILL)
        self.wait_for_state("reconnecting")
        self.daemon.start()
        self.wait_for_state("connected")


class SceneTests(RouterTest):
    def test_handler_that_returns_has_taken_the_event(self):
        events = []
        scene = self.open(events.append, preferring=["album/4711"], allowing=["doc/1"])
        outcome = self.send("photos://album/4711", event_id="e", activation_token="t", content_type="a/b")
        self.assertTrue(outcome.is_taken)
        self.assertEqual(outcome.decision["rule"], "preferring")
        self.assertEqual(outcome.decision["sceneId"], scene.id)
        activity = scened.Activity("org.example.view", "doc/1", "https://example.org", "T", {"n": 1}, True)
        self.assertTrue(self.send(activity).is_taken)
        first, second = events
        self.assertEqual(first.sender.process_id, os.getpid())
        expected = scened.Event("photos://album/4711", None, "a/b", "e", "t", ["scene"], sender=first.sender)
        self.assertEqual(first, expected)
        self.assertEqual(second.activity, activity)
        scene.close()
        scene.closed.result(PATIENCE)

    def test_event_has_a_place_in_the_document(self):
        events = []
        self.open(events.append, allowing=["*"])
        self.assertTrue(self.send("file:///a", line=10, column=3).is_taken)
        self.assertTrue(self.send("file:///a").is_taken)
        self.assertEqual([(event.line, event.column) for event in events], [(10, 3), (None, None)])
        with self.assertRaises(scened.RouterError):
            self.send("file:///a", column=3)

    def test_window_that_shows_the_document_comes_first(self):
        window = self.open(void, showing=["file:///tmp/a%28b", "https://example.org"])
        other = self.open(void, preferring=["/tmp/a"], allowing=["*"])
        outcome = self.send("file://localhost/tmp/a(b")
        self.assertEqual((outcome.decision["rule"], outcome.decision["sceneId"]), ("showing", window.id))
        self.assertEqual(outcome.decision["applicationBecause"], "showing")
        self.assertEqual(self.send("HTTPS://example.org:443/").decision["sceneId"], window.id)
        window.set(allowing=["none"], showing=["file:///other"]).result(PATIENCE)
        self.assertEqual(self.send("file:///tmp/a(b").decision["sceneId"], other.id)
        self.restart()
        self.assertEqual(self.send("file:///other#top").decision["rule"], "showing")
        with self.assertLogs("scened"), self.assertRaises(scened.RouterError):
            window.set(showing=["relative"]).result(PATIENCE)

    def test_handler_that_raises_declines_and_another_window_takes_it(self):
        def refuse(event):
            raise scened.Decline("busy" if event.url == "x:all" else "no")

        def fail(_):
            sys.exit("not today")

        self.open(refuse, preferring=["x:"])
        with self.assertLogs("scened"):
            self.open(fail, preferring=["x:"])
            self.assertEqual(self.send("x:all").error, "Declined")
        taken = queue.Queue()
        self.open(taken.put, allowing=["*"])
        with self.assertLogs("scened"):
            outcome = self.send("x:1")
        self.assertTrue(outcome.is_taken)
        self.assertEqual(taken.get(timeout=PATIENCE).url, "x:1")
        self.assertEqual([attempt["result"] for attempt in outcome.attempts], ["declined", "declined", "acknowledged"])
        self.assertEqual([attempt.get("reason") for attempt in outcome.attempts][:2], ["no", "SystemExit('not today')"])

    def test_title_is_cut_at_a_character(self):
        scene = self.open(title="é" * 600)
        self.assertEqual(self.listed()[0]["title"], "é" * 512)
        scene.set_title("x" + "\N{MAN}" * 300 + "\udc80").result(PATIENCE)
        self.assertEqual(self.listed()[0]["title"], "x" + "\N{MAN}" * 255)

    def test_of_many_changes_the_last_counts_and_none_waits_for_long(self):
        scene = self.open()
        answers = [scene.set([f"{number}"]) for number in range(5000)]
        generation = answers[-1].result(PATIENCE)
        self.assertEqual(self.listed()[0]["registrations"][0]["preferring"], ["4999"])
        # Changes that are made while a call is under way are sent together as one change.
        self.assertLess(generation, 5000)
        self.assertEqual(len(scene._pending), 0)

    def test_change_that_is_refused_changes_nothing(self):
        scene = self.open(preferring=["p"])
        with self.assertLogs("scened"), self.assertRaises(scened.RouterError) as raised:
            scene.set(["x" * 5000], id="large").result(PATIENCE)
        self.assertEqual((raised.exception.name, raised.exception.parameters["maximum"]), ("LimitExceeded", 4096))
        with self.assertRaises(ValueError):
            scene.set(["x" * 300_000])
        with self.assertRaises(UnicodeEncodeError):
            scene.set(["\ud800"])
        scene.set(["q"], id="other").result(PATIENCE)
        scene.remove("scene").result(PATIENCE)
        self.assertEqual([r["registrationId"] for r in self.listed()[0]["registrations"]], ["other"])

    def test_changes_of_a_handler_are_in_effect_when_the_event_is_taken(self):
        scene = self.open(lambda event: scene.set([event.url]), allowing=["*"])
        self.assertEqual(self.send("x:1").decision["rule"], "allowing")
        self.assertEqual(self.send("x:1").decision["rule"], "preferring")

    def test_active_window_comes_first(self):
        first, second = self.open(allowing=["*"]), self.open(allowing=["*"])
        self.assertEqual(self.send("x:1").decision["sceneId"], first.id)
        second.activate().result(PATIENCE)
        self.assertEqual(self.send("x:1").decision["sceneId"], second.id)

    def test_current_activity_can_be_taken(self):
        taken = queue.Queue()
        activity = scened.Activity("org.example.view", title="T", user_info={"n": 1}, is_eligible_for_handoff=True)
        scene = self.open()
        scene.on_continued = taken.put
        scene.set_activity(activity).result(PATIENCE)
        self.restart()
        listed = self.router.call("ListActivities").result(PATIENCE)["activities"]
        self.assertEqual([one["activity"]["title"] for one in listed], ["T"])
        reply = self.router.call("TakeActivity", sceneId=scene.id, by="a machine").result(PATIENCE)
        self.assertEqual(reply["activity"]["userInfo"], {"n": 1})
        self.assertEqual(taken.get(timeout=PATIENCE), scened.Continuation("org.example.view", "a machine"))
        scene.set_activity(None).result(PATIENCE)
        self.assertEqual(self.router.call("ListActivities").result(PATIENCE)["activities"], [])

    def test_handler_that_never_returns_holds_up_nothing_else(self):
        begins, goes_on, taken = queue.Queue(), threading.Event(), queue.Queue()
        self.addCleanup(goes_on.set)

        def handle(event):
            begins.put(event.url)
            if event.url == "x:stuck":
                goes_on.wait()
            taken.put(event.url)

        self.open(handle, allowing=["*"])
        stuck = self.router.send("x:stuck", timeout=3)
        self.assertEqual(begins.get(timeout=PATIENCE), "x:stuck")
        self.assertEqual(stuck.result(PATIENCE).error, "TimedOut")
        self.assertTrue(self.send("x:next").is_taken)
        self.assertEqual(taken.get(timeout=PATIENCE), "x:next")
        # An answer to a delivery that was withdrawn changes nothing.
        goes_on.set()
        self.assertEqual(taken.get(timeout=PATIENCE), "x:stuck")
        self.assertTrue(self.send("x:last").is_taken)

    def test_window_that_ends_while_events_are_on_their_way(self):
        begins, goes_on = threading.Event(), threading.Event()
        scene = self.open(lambda _: (begins.set(), goes_on.wait()), allowing=["*"])
        outcomes = [self.router.send(f"x:{number}") for number in range(5)]
        begins.wait(PATIENCE)
        while self.router.call("ListScenes").result(PATIENCE)["scenes"][0]["runtime"]["pendingDeliveries"] < 5:
            pass
        scene.close()
        self.assertEqual({outcome.result(PATIENCE).error for outcome in outcomes}, {"Declined"})
        goes_on.set()
        with self.assertRaises(ConnectionError):
            scene.set_title("late").result(PATIENCE)

    def test_window_that_is_closed_after_its_handler_has_taken_the_event(self):
        for number in range(50):
            works = queue.SimpleQueue()
            with scened.Router(self.daemon.path, call=works.put) as router:
                scene = router.open_scene(APPLICATION, lambda _: void(scene.set_title("taken")), allowing=["*"])
                scene.opened.result(PATIENCE)
                outcome = self.router.send(f"x:{number}")
                works.get(timeout=PATIENCE)()
                scene.close()
                self.assertTrue(outcome.result(PATIENCE).is_taken)
                scene.closed.result(PATIENCE)

    def test_everything_ends_with_the_router_object(self):
        scene = self.open(lambda _: None, allowing=["*"])
        with scened.Router(self.daemon.path) as other:
            second = other.open_scene(APPLICATION, print)
            second.opened.result(PATIENCE)
        second.closed.result(0)
        with self.assertRaises(ConnectionError):
            other.send("x:1")
        other.close()
        self.assertTrue(scene.opened.done() and not scene.closed.done())

    def test_everything_says_what_it_is(self):
        path, taken = self.daemon.path, queue.Queue()
        self.assertEqual(repr(self.router), f"<scened.Router {path!r} not connected, 0 open>")
        scene = self.open(taken.put, allowing=["*"])
        self.wait_for_state("connected")
        self.assertEqual(repr(self.router), f"<scened.Router {path!r} connected, 1 open>")
        self.assertEqual(repr(scene), f"<scened.Scene {scene.id} of {APPLICATION} open>")
        self.assertEqual(repr(scene.opened), f"<scened.Answer {scene!r}>")
        self.assertEqual(repr(scene.closed), "<scened.Answer pending>")
        outcome = self.send("x:1")
        self.assertEqual(str(outcome), f"taken by scene {scene.id}, rule allowing")
        self.assertEqual(str(taken.get(timeout=PATIENCE)), "x:1")
        self.send(scened.Activity("org.example.view", "doc/1"))
        self.assertEqual(str(taken.get(timeout=PATIENCE)), "org.example.view doc/1")
        scene.close()
        scene.closed.result(PATIENCE)
        self.assertEqual(repr(scene), f"<scened.Scene {scene.id} of {APPLICATION} closed>")
        self.assertEqual(str(self.send("x:1")), "NotRouted")
        application = self.router.declare(APPLICATION, [], void)
        application.opened.result(PATIENCE)
        self.assertEqual(repr(application), f"<scened.Application {APPLICATION} open>")
        monitor = self.router.monitor(void)
        monitor.opened.result(PATIENCE)
        self.assertEqual(repr(monitor), "<scened.Monitor open>")
        error = self.router.call("CloseScene", sceneHandle="none").exception(PATIENCE)
        self.assertEqual((repr(error), str(error)), ("RouterError('NoSuchScene', {})", "NoSuchScene"))
        self.router.close()
        self.assertEqual(repr(self.router), f"<scened.Router {path!r} closed>")

    def test_nobody_listens(self):
        with scened.Router(self.daemon.path + "-none", reconnects=False) as router:
            with self.assertRaises(FileNotFoundError):
                router.send("x:1").result(PATIENCE)
            with self.assertLogs("scened"), self.assertRaises(ConnectionError):
                router.open_scene(APPLICATION, print).closed.result(PATIENCE)


    def test_what_comes_before_the_window_is_open_is_kept(self):
        self.daemon.end(signal.SIGKILL)
        first, second, third, gone = (self.router.open_scene(APPLICATION, void, allowing=["*"]) for _ in range(4))
        second.activate()
        last = first.activate()
        third.set(["third:"], ["*"])
        third.set_title("changed")
        third.set_activity(scened.Activity("org.example.view", is_eligible_for_handoff=True))
        gone.close()
        self.daemon.start()
        last.result(PATIENCE)
        self.assertIs(third.opened.result(PATIENCE), third)
        self.assertEqual(self.send("x:1").decision["sceneId"], first.id)
        self.assertEqual(self.send("third:1").decision["sceneId"], third.id)
        self.assertEqual([scene.get("title") for scene in self.listed()], [None, None, "changed"])
        self.assertEqual(len(self.router.call("ListActivities").result(PATIENCE)["activities"]), 1)
        # The window that was opened later does not come before the one that the user went to last.
        first.close()
        self.assertEqual(self.send("x:1").decision["sceneId"], second.id)

    def test_file_is_found_under_both_of_its_names(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        root = os.path.realpath(directory.name)
        os.mkdir(f"{root}/real")
        os.symlink("real", f"{root}/link")
        real, link = f"file://{root}/real", f"file://{root}/link"
        events = []
        shown = self.open(events.append, showing=[f"{link}/1", f"{real}/2"])
        project = self.open(void, allowing=[f"{root}/link/"])
        self.assertEqual(self.send(f"{real}/1").decision["sceneId"], shown.id)
        self.assertEqual(self.send(f"{link}/2").decision["sceneId"], shown.id)
        names = [(event.url, event.resolved_url) for event in events]
        self.assertEqual(names, [(f"{real}/1", None), (f"{link}/2", f"{real}/2")])
        self.assertEqual(self.send(f"{real}/new").decision["sceneId"], project.id)
        project.set(allowing=[f"{root}/real/"]).result(PATIENCE)
        self.restart()
        decision = self.send(f"{link}/new").decision
        self.assertEqual((decision["sceneId"], decision["matchedField"]), (project.id, "resolvedUrl"))
        explained = self.router.call("ExplainEvent", event={"url": f"{link}/new"}).result(PATIENCE)
        self.assertEqual(explained["decision"]["sceneId"], project.id)
        given = {"url": f"{link}/new", "resolvedUrl": "file:///none"}
        with self.assertRaises(scened.RouterError):
            self.router.call("SendEvent", event=given).result(PATIENCE)

    def test_link_is_repaired_as_browsers_do_it(self):
        taken = queue.Queue()
        self.open(taken.put, allowing=["*"])
        links = {
            " mailto:a@b.example?subject=hello there\n": "mailto:a@b.example?subject=hello%20there",
            "\x00\x1fhttps://e.example/A%20Good (2023)/x\ty\r\nz.mp4\x1f ":
                "https://e.example/A%20Good%20(2023)/xyz.mp4",
            "tel:+49 30\x7f1\x01": "tel:+49%2030%7F1",
            "x:a\u00a0b\u2003 \x7f": "x:a\u00a0b\u2003%20%7F",
            "\nx:" + "\n" * (32 << 10) + "y" + " " * (32 << 10): "x:y",
            "x:%zz%20<>": "x:%zz%20<>",
        }
        for link, expected in links.items():
            self.assertTrue(self.send(link).is_taken, link[:99])
            self.assertEqual(taken.get(timeout=PATIENCE).url, expected)
        for link in ("", " ", "no link", "1x:y"):
            with self.assertRaises(scened.RouterError):
                self.send(link)


class ForkTests(RouterTest):
    """A process that a program forks has no part in the windows of the program."""

    def fork(self, work):
        """Runs `work` in a forked process, and returns the id of the process."""
        sys.stderr.flush()
        with warnings.catch_warnings():
            # Python 3.12 and later warn of threads.
            warnings.simplefilter("ignore", DeprecationWarning)
            if child := os.fork():
                return child
        try:
            work()
            os._exit(0)
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(1)

    def run_in_child(self, work):
        self.assertEqual(os.waitstatus_to_exitcode(os.waitpid(self.fork(work), 0)[1]), 0)

    def linger(self):
        """Forks a process that lives until the test ends."""
        child = self.fork(signal.pause)
        self.addCleanup(os.waitpid, child, 0)
        self.addCleanup(os.kill, child, signal.SIGKILL)

    def expect_closed_with_the_router(self):
        self.router.close()
        with scened.Router(self.daemon.path) as other:
            while other.call("ListScenes").result(PATIENCE)["scenes"]:
                pass
            self.assertEqual(other.call("ListApplications").result(PATIENCE)["applications"], [])

    def test_window_application_and_monitor_end_with_the_program(self):
        self.open(void, allowing=["*"])
        scenes = [scened.SceneDeclaration("main", matching=["new:"])]
        self.router.declare(APPLICATION, scenes, void).opened.result(PATIENCE)
        self.router.monitor(void).opened.result(PATIENCE)
        self.linger()
        read, write = os.pipe()
        self.run_in_child(lambda: os.write(write, str(self.fork(signal.pause)).encode()))
        self.addCleanup(os.kill, int(os.read(read, 99)), signal.SIGKILL)
        thread = threading.Thread(target=self.linger)
        thread.start()
        thread.join()
        # An inherited socket would be closed by `exec`, even without `close_fds`.
        sleeper = subprocess.Popen(["sleep", "999"], close_fds=False)
        self.addCleanup(sleeper.wait)
        self.addCleanup(sleeper.kill)
        self.expect_closed_with_the_router()

    def test_workers_of_a_pool_hold_no_window(self):
        self.open(void, allowing=["*"])
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)
            context = multiprocessing.get_context("fork")
            pool = concurrent.futures.ProcessPoolExecutor(2, context)
            self.addCleanup(pool.shutdown)
            self.assertEqual(list(pool.map(abs, [-1, -2])), [1, 2])
            self.assertTrue(self.send("x:1").is_taken)
        self.expect_closed_with_the_router()

    def test_fork_at_any_moment_keeps_no_connection(self):
        scenes, is_over = [], threading.Event()

        def open_and_close():
            while not is_over.is_set():
                scenes.append(self.router.open_scene(APPLICATION, void, allowing=["*"]))
                if len(scenes) % 2:
                    scenes[-1].close()

        thread = threading.Thread(target=open_and_close)
        thread.start()
        for _ in range(REPETITIONS):
            self.linger()
        is_over.set()
        thread.join()
        self.expect_closed_with_the_router()

    def test_calls_on_an_inherited_object_raise_at_once(self):
        scene = self.open(void, allowing=["*"])
        application = self.router.declare(APPLICATION, [], void)
        sent = self.router.send("x:1", scene="unknown")

        def call_everything():
            calls = [
                lambda: self.router.open_scene(APPLICATION, void), lambda: self.router.monitor(void),
                lambda: self.router.declare("other", [], void), lambda: self.router.send("x:1"),
                lambda: self.router.call("ListScenes"), lambda: scene.set(["x"]), lambda: scene.set_title("T"),
                scene.activate, lambda: scene.set_activity(None), lambda: scene.remove("scene"), scene.close,
                application.close, scene.closed.result, scene.closed.exception, lambda: asyncio.run(wait()),
            ]  # fmt: skip
            for call in calls:
                with self.assertRaisesRegex(RuntimeError, "makes a Router object of its own"):
                    call()
            self.assertIs(scene.opened.result(), scene)
            with self.router:
                pass

        async def wait():
            await scene.closed

        self.run_in_child(call_everything)
        with self.assertRaises(scened.RouterError):
            sent.result(PATIENCE)
        scene.set_title("T").result(PATIENCE)
        self.assertEqual(self.listed()[0]["title"], "T")
        self.assertTrue(self.send("x:1").is_taken)

    def test_child_works_with_an_object_of_its_own(self):
        taken = queue.Queue()
        self.open(taken.put, preferring=["parent:"])

        def work():
            events = queue.Queue()
            with scened.Router(self.daemon.path) as router:
                router.open_scene(APPLICATION, events.put, preferring=["child:"])
                self.assertTrue(router.send("child:1").result(PATIENCE).is_taken)
                self.assertEqual(events.get(timeout=PATIENCE).url, "child:1")
                self.assertTrue(router.send("parent:1").result(PATIENCE).is_taken)

        self.run_in_child(work)
        self.assertEqual(taken.get(timeout=PATIENCE).url, "parent:1")

    def test_window_of_a_coroutine_ends_with_the_program(self):
        async def run():
            router = scened.Router(self.daemon.path)
            scene = await router.open_scene(APPLICATION, void, allowing=["*"]).opened
            self.linger()
            self.run_in_child(lambda: self.assertRaises(RuntimeError, scene.set_title, "T"))
            self.assertTrue((await router.send("x:1")).is_taken)
            router.close()
            await scene.closed

        asyncio.run(run())
        self.expect_closed_with_the_router()

    def test_window_ends_with_a_program_that_is_killed(self):
        program = """if True:
            import os, signal, sys, scened
            scened.Router(sys.argv[1]).open_scene("killed", print).opened.result()
            if os.fork():
                os.kill(os.getpid(), signal.SIGKILL)
            print(os.getpid(), flush=True)
            signal.pause()
        """
        command = [sys.executable, "-W", "ignore", "-c", program, self.daemon.path]
        with subprocess.Popen(command, stdout=subprocess.PIPE) as killed:
            child = int(killed.stdout.readline())
            self.addCleanup(os.kill, child, signal.SIGKILL)
            self.assertEqual(killed.wait(), -signal.SIGKILL)
            while self.listed():
                pass
            os.kill(child, 0)


class FileNameTests(unittest.TestCase):
    """One file may have several names, of which the router gets all."""

    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.root = os.path.realpath(directory.name)
        os.makedirs(f"{self.root}/real/project")

    def link(self, name, target):
        os.symlink(target, f"{self.root}/{name}")

    def expect(self, path, resolved):
        """Expects the other name of a path; both are relative to the directory of the test."""
        expected = resolved and f"file://{self.root}/{resolved}"
        self.assertEqual(resolved_url(f"file://{self.root}/{path}"), expected)

    def allowed(self, *entries):
        """Returns the names that are added to entries that a window allows."""
        return [name for name in with_other_names([], entries, [])[1] if name not in entries]

    def git(self, *command, directory=""):
        configuration = ["-c", "user.email=a@example.org", "-c", "user.name=A", "-c", "protocol.file.allow=always"]
        subprocess.run(
            ["git", *configuration, *command], cwd=f"{self.root}/{directory}", check=True, capture_output=True
        )

    def repository(self, name):
        self.git("init", "-q", "-b", "main", name)
        self.git("commit", "-q", "--allow-empty", "-m", "1", directory=name)

    def test_links_are_followed_wherever_they_are(self):
        self.link("link", "real")
        self.link("absolute", f"{self.root}/link/")
        self.link("real/up", "../absolute/./project/..")
        self.link("file", "real/project/a")
        self.link("dangling", "real/none/b")
        for path, resolved in {
            "link/project/a": "real/project/a", "absolute/project": "real/project", "file": "real/project/a",
            "link/up/up/project/": "real/project/", "link/../real/x": "real/x", "link/up/../x": "x",
            "link/new": "real/new", "dangling": "real/none/b", "dangling/c": "real/none/b/c",
            "link/a?q#L1": "real/a?q#L1", "real//project/./a": "real/project/a", "real/project/a": None,
            "real/file/none": None, "link/%61%3bb%20%25": "real/a%3Bb%20%25",
        }.items():  # fmt: skip
            self.expect(path, resolved)

    def test_links_that_lead_nowhere_are_left_as_they_are(self):
        self.link("a", "b")
        self.link("b", "a")
        self.link("self", "self/self")
        for number in range(41):
            self.link(f"l{number}", f"l{number - 1}" if number else "real")
        for path in ("a", "a/x", "self", "l40/x"):
            self.expect(path, None)
        self.expect("l39/x", "real/x")
        self.expect("/".join(["l0/.."] * 41), None)

    def test_only_urls_of_files_of_this_machine_have_other_names(self):
        self.link("link", "real")
        path = f"{self.root}/link"
        for host in ("", "localhost", "LOCALHOST", os.uname().nodename.upper()):
            self.assertEqual(resolved_url(f"FILE://{host}{path}"), f"file://{self.root}/real")
        self.assertEqual(resolved_url(f"file:{path}"), f"file://{self.root}/real")
        for url in (
            path, f"file://elsewhere{path}", f"https://localhost{path}", f"file:link", "file:", f"file://{path}/%",
            f"file://{path}/%2F", f"file://{path}/%00", f"file://{path}/\0", f"file://{path}/%f",
        ):  # fmt: skip
            self.assertIsNone(resolved_url(url), url)
        self.assertIsNone(resolved_url(None))

    def test_names_are_spelled_as_gio_spells_them(self):
        self.expect("real/a%28b%3b", "real/a(b%3B")
        self.expect("real/a(b%3B", None)
        root = f"{self.root}/real"
        self.assertEqual(self.allowed(f"{root}/%28/", f"file:{root}/x"), [f"{root}/(/", f"file://{root}/x"])

    def test_names_that_are_no_utf_8(self):
        os.mkdir(os.fsencode(self.root) + b"/real/\xff \xc3\xa9%")
        self.link("odd", b"real/\xff \xc3\xa9%".decode(errors="surrogateescape"))
        self.expect("odd/%FE", "real/%FF%20%C3%A9%25/%FE")
        os.symlink("project", os.fsencode(self.root) + b"/real/\xff")
        self.expect("real/%ff/", "real/project/")

    def test_directory_that_may_not_be_read_ends_the_way(self):
        self.link("real/link", "project")
        self.link("locked", "real")
        os.chmod(f"{self.root}/real", 0)
        self.addCleanup(os.chmod, f"{self.root}/real", 0o700)
        os.chmod(self.root, 0o755)
        if os.getuid() == 0:
            os.seteuid(65534)
            self.addCleanup(os.seteuid, 0)
        self.expect("locked/link/a", "real/link/a")

    def test_sets_name_files_and_directories_in_their_own_form(self):
        self.link("link", "real")
        self.link("file", "real/project/a")
        root = self.root
        given = [
            f"{root}/link/", "album/4711", "*", f"{root}/link", f"file:{root}/link/", f"{root}/file", f"{root}/real",
        ]  # fmt: skip
        expected = [
            f"{root}/link/", f"{root}/real/", "album/4711", "*", f"{root}/link", f"file:{root}/link/",
            f"file://{root}/real/", f"{root}/file", f"{root}/real",
        ]  # fmt: skip
        preferring, allowing, showing = with_other_names(given, given, [f"file://{root}/file", f"file://{root}/link"])
        self.assertEqual([preferring, allowing], [expected, expected])
        self.assertEqual(
            showing,
            [f"file://{root}/file", f"file://{root}/real/project/a", f"file://{root}/link", f"file://{root}/real"],
        )
        self.assertEqual(given[1], "album/4711", "The sets of the program stay as they are.")
        many = [f"{root}/link/{number}/" for number in range(513)]
        self.assertEqual(self.allowed(*many), [])
        self.assertEqual(len(self.allowed(*many[1:])), 512)

    def test_many_links_to_one_file(self):
        for number in range(500):
            self.link(f"{number}", "real/project")
        links = [f"{self.root}/{number}/" for number in range(500)]
        self.assertEqual(self.allowed(*links), [f"{self.root}/real/project/"])

    def test_working_trees_have_the_directory_of_git(self):
        self.repository("main")
        self.git("worktree", "add", "-q", "../tree", directory="main")
        self.git("clone", "-q", "--bare", "main", "bare.git")
        self.git("worktree", "add", "-q", "../of bare", "main", directory="bare.git")
        self.git("init", "-q", "--separate-git-dir=apart", "separate")
        self.git("submodule", "add", "-q", f"{self.root}/main", "part", directory="main")
        self.git("clone", "-q", "--bare", "main", "real/.bare")
        with open(f"{self.root}/real/.git", "w") as file:
            file.write("gitdir: ./.bare\n")
        self.link("link", "tree")
        for directory, other in {
            "tree/": "main/.git/worktrees/tree/", "tree": "main/.git/worktrees/tree",
            "of%20bare/": "bare.git/worktrees/of-bare/", "separate/": "apart/", "main/part/": "main/.git/modules/part/",
            "real/": "real/.bare/", "main/": None, "tree/none/": None,
        }.items():  # fmt: skip
            for form in ("file://", ""):
                start = f"{form}{self.root}/"
                self.assertEqual(self.allowed(start + directory), [start + other] if other else [])
        resolved = [f"{self.root}/tree/", f"{self.root}/main/.git/worktrees/tree/"]
        self.assertEqual(self.allowed(f"{self.root}/link/"), resolved)
        self.assertEqual(with_other_names([], [], [f"file://{self.root}/tree/"])[2][1:], [])

    def test_hostile_git_files_name_nothing(self):
        self.link("home", os.path.expanduser("~"))
        self.link("link", "real")
        os.mkfifo(f"{self.root}/real/fifo")
        # A home may be a repository itself.
        for head in (self.root, f"{self.root}/real", f"{self.root}/real/project"):
            open(f"{head}/HEAD", "w").close()
        texts = [
            b"gitdir: ..", b"gitdir: ../..", b"gitdir: ../../link/project", b"", b"gitdir: ", b"gitdir: .",
            b"gitdir: /", b"gitdir: ../../home", b"gitdir: .git", b"gitdir: /etc/passwd", b"gitdir: a\0b", b"gitdir: " + b"../" * 1361 + b"real", b"x" * (1 << 20), b"\xff\xfe", b"ref: HEAD",
            b"gitdir: ../fifo",
        ]  # fmt: skip
        for text in texts:
            with open(f"{self.root}/real/project/.git", "wb") as file:
                file.write(text)
            self.assertEqual(self.allowed(f"{self.root}/real/project/"), [], text[:20])
        os.remove(f"{self.root}/real/project/.git")
        os.mkfifo(f"{self.root}/real/project/.git")
        self.assertEqual(self.allowed(f"{self.root}/real/project/"), [])

    def test_project_that_is_moved_has_the_names_that_it_has_then(self):
        self.link("link", "real")
        self.assertEqual(self.allowed(f"{self.root}/link/project/"), [f"{self.root}/real/project/"])
        os.rename(f"{self.root}/real", f"{self.root}/moved")
        self.expect("link/project", "real/project")
        os.remove(f"{self.root}/link")
        self.link("link", "moved")
        self.assertEqual(self.allowed(f"{self.root}/link/project/"), [f"{self.root}/moved/project/"])

    def test_nothing_is_asked_of_a_mount_that_never_answers(self):
        c, mount = ctypes.CDLL(None, use_errno=True), f"{self.root}/real/project"
        self.link("link", "real")
        self.link("far", "link/project/deep")

        def look():
            if c.unshare(0x20000) or c.mount(None, b"/", None, 0x44000, None):  # CLONE_NEWNS, MS_PRIVATE | MS_REC
                os._exit(77)
            try:
                device = os.open("/dev/fuse", os.O_RDWR)
            except OSError:
                os._exit(77)
            options = f"fd={device},rootmode=40000,user_id=0,group_id=0".encode()
            if c.mount(b"silent", mount.encode(), b"fuse.silent", 0, options):
                os._exit(77)
            self.expect("link/project/a/../b", "real/project/a/../b")
            self.expect("far/x", "real/project/deep/x")
            times = []
            for _ in range(20):
                begin = time.perf_counter()
                names = self.allowed(f"{self.root}/link/project/", f"{self.root}/far")
                times.append(time.perf_counter() - begin)
                self.assertEqual(names, [f"{self.root}/real/project/"])
            self.assertLess(min(times), 0.002)

        child = ForkTests.fork(self, look)
        deadline = time.monotonic() + PATIENCE
        while not (ended := os.waitpid(child, os.WNOHANG))[0]:
            if time.monotonic() > deadline:
                os.kill(child, signal.SIGKILL)
        code = os.waitstatus_to_exitcode(ended[1])
        if code == 77:
            self.skipTest("No FUSE can be mounted here.")
        self.assertEqual(code, 0)

    def test_link_without_a_file_costs_nothing(self):
        begin = time.perf_counter()
        for _ in range(1000):
            resolved_url("https://example.org/")
            with_other_names(["album/4711"], ["*"], ["https://example.org/"])
        self.assertLess(time.perf_counter() - begin, 1)


class ApplicationTests(RouterTest):
    def test_application_opens_windows_that_are_asked_for(self):
        taken = queue.Queue()

        def open_window(request):
            if request.event.url == "t:none":
                raise scened.Decline("full")
            request.open_scene(taken.put, title="Detail", preferring=["t:7"])

        scenes = [scened.SceneDeclaration("detail", "Detail", matching=["t:"])]
        claims = scened.Claims(schemes=["t"], hosts=["example.org"])
        application = self.router.declare(APPLICATION, scenes, open_window, claims=claims)
        application.opened.result(PATIENCE)
        self.assertEqual(self.send("t:7").decision["declarationId"], "detail")
        self.assertEqual(taken.get(timeout=PATIENCE).url, "t:7")
        self.assertEqual(self.listed()[0]["declarationId"], "detail")
        outcome = self.send("t:none")
        self.assertEqual((outcome.error, outcome.settlement["reason"]), ("LaunchFailed", "full"))
        with scened.Router(self.daemon.path) as other:
            with self.assertLogs("scened"), self.assertRaises(scened.RouterError) as raised:
                other.declare(APPLICATION, scenes, open_window).opened.result(PATIENCE)
            self.assertEqual(raised.exception.name, "ApplicationAlreadyDeclared")
        application.close()
        application.closed.result(PATIENCE)

    def test_started_program_opens_the_window_for_the_event(self):
        requests = queue.Queue()
        scenes = [scened.SceneDeclaration("main", matching=["t:"])]
        self.router.declare(APPLICATION, scenes, requests.put).opened.result(PATIENCE)
        outcome = self.router.send("t:1")
        request = requests.get(timeout=PATIENCE)
        os.environ |= {"SCENED_OPEN_REQUEST": request.id, "SCENED_DECLARATION": request.declaration}
        os.environ["SCENED_SOCKET"] = self.daemon.path
        self.addCleanup(os.environ.pop, "SCENED_SOCKET")
        with scened.Router() as started:
            self.assertTrue(started.is_started_for_event)
            self.assertNotIn("SCENED_OPEN_REQUEST", os.environ)
            taken = queue.Queue()
            started.open_scene(APPLICATION, taken.put)
            self.assertEqual(taken.get(timeout=PATIENCE).url, "t:1")
            self.assertTrue(outcome.result(PATIENCE).is_taken)
        # A window can be opened for a request that has already ended.
        self.assertIsNotNone(request.open_scene(print).opened.result(PATIENCE).id)

    def test_monitor_shows_what_happens(self):
        replies = queue.Queue()
        monitor = self.router.monitor(replies.put, show_registry=False)
        self.assertEqual(replies.get(timeout=PATIENCE)["snapshot"]["scenes"], [])
        self.open(allowing=["*"])
        self.send("x:1")
        self.assertEqual(replies.get(timeout=PATIENCE)["decision"]["event"], {"url": "x:1"})
        self.assertEqual(replies.get(timeout=PATIENCE)["settlement"]["result"], "acknowledged")
        monitor.close()
        monitor.closed.result(PATIENCE)


class ReconnectingTests(RouterTest):
    def test_everything_is_open_again_as_it_is_now(self):
        snapshots, taken = queue.Queue(), queue.Queue()
        self.router.monitor(lambda reply: "snapshot" in reply and snapshots.put(reply))
        scenes = [scened.SceneDeclaration("main", matching=["new:"])]
        self.router.declare(APPLICATION, scenes, lambda request: request.open_scene(taken.put)).opened.result(PATIENCE)
        windows = [self.open(taken.put, title=f"{number}", allowing=["*"]) for number in range(3)]
        windows[0].set(["a"], id="part").result(PATIENCE)
        windows[1].set_title("changed").result(PATIENCE)
        windows[2].activate().result(PATIENCE)
        before = self.listed()
        ids = [window.id for window in windows]
        self.wait_for_state("connected")
        self.daemon.end(signal.SIGKILL)
        self.wait_for_state("reconnecting")
        # This change is made while there is no router.
        late = windows[1].set(["late"], ["late"])
        self.daemon.start()
        self.wait_for_state("connected")
        late.result(PATIENCE)
        after = self.listed()
        self.assertEqual([scene["title"] for scene in after], ["0", "changed", "2"])
        self.assertEqual(after[1]["registrations"][0]["preferring"], ["late"])
        self.assertEqual([after[0], after[2]], [before[0], before[2]])
        self.assertFalse(set(ids) & {window.id for window in windows})
        # The window that was active last still gets the event, and the application is still declared.
        self.assertEqual(self.send("x:1").decision["sceneId"], windows[2].id)
        self.assertTrue(self.send("new:1", application=APPLICATION, allow_new_scene=True).is_taken)
        self.assertEqual(len([snapshots.get(timeout=PATIENCE) for _ in range(2)]), 2)

    def test_each_event_is_shown_once(self):
        """When the router is lost, one event is in the handler, and the other events wait for the handler.

        Some of these other events are in the library, and the rest are still in the router.
        """
        for end in (signal.SIGKILL, signal.SIGTERM):
            shown, may_end = queue.Queue(), threading.Event()

            def handle(event):
                shown.put(event.url)
                self.assertTrue(may_end.wait(PATIENCE))

            window = self.open(handle, allowing=["*"])
            sent = [self.router.send(f"x:{number}", event_id=None if number else f"{end}") for number in range(20)]
            self.assertEqual(shown.get(timeout=PATIENCE), "x:0")
            while self.router.call("ListScenes").result(PATIENCE)["scenes"][0]["runtime"]["pendingDeliveries"] < 20:
                pass
            if end == signal.SIGTERM:
                self.daemon.process.send_signal(end)
                self.daemon.process.wait()
            else:
                self.daemon.end(end)
            self.daemon.start()
            # The handler of the first event still waits. The event can only be taken because the window reports to the
            # new router that the event was shown.
            self.assertTrue(sent[0].result(PATIENCE).is_taken)
            may_end.set()
            for answer in sent:
                self.assertTrue(answer.result(PATIENCE).is_taken)
            urls = ["x:0"] + [shown.get(timeout=PATIENCE) for _ in sent[1:]]
            self.assertEqual(sorted(urls), sorted(f"x:{number}" for number in range(20)))
            self.assertTrue(shown.empty())
            window.close()
            window.closed.result(PATIENCE)

    def test_request_whose_router_is_lost_opens_one_window(self):
        shown, asked, may_open = queue.Queue(), queue.Queue(), threading.Event()

        def answer(request):
            asked.put(request.event.url)
            self.assertTrue(may_open.wait(PATIENCE))
            request.open_scene(shown.put)

        scenes = [scened.SceneDeclaration("main", matching=["new:"])]
        self.router.declare(APPLICATION, scenes, answer).opened.result(PATIENCE)
        sent = self.router.send("new:1")
        self.assertEqual(asked.get(timeout=PATIENCE), "new:1")
        self.daemon.restart()
        self.assertTrue(sent.result(PATIENCE).is_taken)
        may_open.set()
        self.assertEqual(shown.get(timeout=PATIENCE).url, "new:1")
        while len(self.listed()) != 1:
            pass
        self.assertTrue(asked.empty() and shown.empty())

    def test_router_that_restarts_in_a_loop(self):
        taken = queue.Queue()
        scene = self.open(taken.put, title="T", allowing=["*"])
        self.wait_for_state("connected")
        for number in range(8):
            self.daemon.restart()
            last = scene.set([f"{number}"], ["*"])
        last.result(PATIENCE)
        self.assertEqual(self.listed()[0]["registrations"][0]["preferring"], ["7"])
        self.assertTrue(self.send("x:1").is_taken)

    def test_window_ends_with_the_router_if_it_is_not_to_come_back(self):
        with scened.Router(self.daemon.path, reconnects=False) as router:
            scene = router.open_scene(APPLICATION, print)
            scene.opened.result(PATIENCE)
            with self.assertLogs("scened"), self.assertRaises(ConnectionError):
                self.daemon.end(signal.SIGTERM)
                scene.closed.result(PATIENCE)

    def test_window_comes_when_the_router_does(self):
        self.daemon.end(signal.SIGKILL)
        scene = self.router.open_scene(APPLICATION, print, allowing=["*"])
        self.wait_for_state("reconnecting")
        self.daemon.start()
        scene.opened.result(PATIENCE)


class Proxy:
    """A socket in front of the router that cuts all its connections after given numbers of messages.

    The first cut comes after `numbers[0]` messages, and the second after `numbers[1]` more messages.
    """

    def __init__(self, service, numbers):
        self.service, self.numbers, self.messages = service, list(numbers), 0
        self.lock, self.pairs = threading.Lock(), []
        self.path = service + "-proxy-" + "-".join(map(str, numbers))
        self.listener = socket.create_server(self.path, family=socket.AF_UNIX)
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        with contextlib.suppress(OSError):
            while True:
                client, server = self.listener.accept()[0], socket.socket(socket.AF_UNIX)
                server.connect(self.service)
                self.pairs.append((client, server))
                for source, target in [(client, server), (server, client)]:
                    threading.Thread(target=self.pass_on, args=[source, target], daemon=True).start()

    def pass_on(self, source, target):
        with contextlib.suppress(OSError):
            while data := source.recv(1 << 16):
                for part in data.split(b"\0")[:-1]:
                    target.sendall(part + b"\0")
                    self.count()
                target.sendall(data[data.rfind(b"\0") + 1 :])
        self.cut([(source, target)])

    def count(self):
        with self.lock:
            self.messages += 1
            if self.messages in self.numbers[:1]:
                self.messages = 0
                self.cut(self.pairs)
                self.numbers.pop(0)

    def cut(self, pairs):
        for end in itertools.chain(*pairs):
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)

    def close(self):
        with contextlib.suppress(OSError):
            self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()
        self.cut(self.pairs)
        for end in itertools.chain(*self.pairs):
            end.close()


class LostConnectionTests(RouterTest):
    def test_all_is_open_in_the_end_and_every_call_has_ended(self):
        cuts = itertools.product(range(1, 18), range(1, 11))
        if "SCENED_LONG_CHECKS" not in os.environ:
            # A short run tries one pair in five. Each first number and each second number still occurs in a pair.
            cuts = [(first, second) for first, second in cuts if (first + 2 * second) % 5 == 0]
        with concurrent.futures.ThreadPoolExecutor(8) as pool, self.assertNoLogs("asyncio"):
            for result in pool.map(self.meet_cuts, cuts):
                self.assertIsNone(result)

    def meet_cuts(self, numbers):
        """Opens three windows, a declaration and a monitor through a proxy that cuts their connections.

        Returns None if all five come back and each window gets its link once, and otherwise a description of the
        failure.
        """
        proxy, name, links, replies = Proxy(self.daemon.path, numbers), "a{}b{}".format(*numbers), [], []
        with scened.Router(proxy.path) as router, contextlib.closing(proxy):
            windows = [
                router.open_scene(name, lambda event: links.append(event.url), title=title, preferring=[f"{name}/{title}/"])
                for title in "012"
            ]
            router.declare(name, [scened.SceneDeclaration("none", matching=[])], void)
            router.monitor(lambda reply: replies.append(json.dumps(reply)), show_decisions=False)
            windows[1].set_title("changed").result(PATIENCE)
            router.send(f"x:{name}/1/early", event_id=name, timeout=2).result(PATIENCE)
            number, after, is_well = 0, None, False
            deadline = time.monotonic() + PATIENCE
            while not is_well and time.monotonic() < deadline:
                number += 1
                if after is None and not proxy.numbers:
                    after = number
                windows[2].set_title(f"{name}-{number}").result(PATIENCE)
                open = [scene["context"]["title"] for scene in self.asked("ListScenes", name)["scenes"]]
                declared = self.asked("ListApplications", name)["applications"]
                is_well = open[:2] == ["0", "changed"] and len(open) == 3 and bool(declared)
                shown = {f'"{name}-{n}"' for n in range(after or number + 1, number + 1)}
                is_well = is_well and any(title in reply for reply in replies for title in shown)
            if not is_well:
                return f"{name}: {open} {declared}"
            for n in range(3):
                outcome = self.router.send(f"x:{name}/{n}/late").result(PATIENCE)
                if not outcome.is_taken:
                    return f"{name}: {outcome}"
            late = [link for link in links if link.endswith("late")]
            return None if late == [f"x:{name}/{n}/late" for n in range(3)] else f"{name}: {late}"

    def asked(self, method, name):
        return self.router.call(method, applicationId=name).result(PATIENCE)


class OrderTests(RouterTest):
    """Each call through a `Router` sees the effects of all earlier calls through the same `Router`."""

    def test_event_finds_the_window_opened_just_before(self):
        for number in range(REPETITIONS):
            with scened.Router(self.daemon.path) as router:
                scene = router.open_scene(APPLICATION, void, allowing=[f"x:{number}/"])
                outcome = router.send(f"x:{number}/").result(PATIENCE)
                self.assertTrue(outcome.is_taken)
                self.assertEqual(outcome.decision["sceneId"], scene.id)
        for number in range(REPETITIONS):
            scene = self.router.open_scene(APPLICATION, void, preferring=[f"x:{number}/"])
            self.assertEqual(self.send(f"x:{number}/").decision["sceneId"], scene.id)

    def test_event_finds_the_set_made_just_before(self):
        scene = self.open(void)
        for number in range(REPETITIONS):
            scene.set([f"x:{number}"])
            self.assertTrue(self.send(f"x:{number}").is_taken)

    def test_event_goes_to_the_window_activated_just_before(self):
        scenes = [self.open(void, allowing=["*"]) for _ in range(2)]
        for _ in range(REPETITIONS):
            for scene in scenes:
                scene.activate()
                self.assertEqual(self.send("x:1").decision["sceneId"], scene.id)

    def test_event_passes_over_the_window_closed_just_before(self):
        for _ in range(REPETITIONS):
            scene = self.open(void, allowing=["*"])
            scene.close()
            self.assertEqual(self.send("x:1").error, "NotRouted")

    def test_call_sees_the_changes_made_just_before(self):
        scene = self.open()
        for number in range(REPETITIONS):
            scene.set_title(f"{number}")
            self.assertEqual(self.listed()[0]["title"], f"{number}")

    def test_event_finds_the_application_declared_just_before(self):
        for number in range(REPETITIONS):
            scenes = [scened.SceneDeclaration("main", matching=[f"new:{number}/"])]
            with scened.Router(self.daemon.path) as router:
                router.declare(f"{APPLICATION}{number}", scenes, lambda request: request.open_scene(void))
                self.assertTrue(router.send(f"new:{number}/").result(PATIENCE).is_taken)

    def test_handler_may_send_and_wait(self):
        outcomes = []

        def handle(event):
            scene.set([event.url])
            outcomes.append(self.router.send("other:1").result(PATIENCE))

        scene = self.router.open_scene(APPLICATION, handle, preferring=["x:"])
        self.router.open_scene(APPLICATION, void, preferring=["other:"])
        self.assertTrue(self.send("x:1").is_taken)
        self.assertTrue(outcomes[0].is_taken)

    def test_window_that_is_refused_holds_up_no_event(self):
        self.open(void, allowing=["*"])
        for _ in range(5):
            with self.assertLogs("scened"):
                scene = self.router.open_scene(APPLICATION, void, preferring=["x" * 5000])
                self.assertTrue(self.send("x:1").is_taken)
                self.assertEqual(scene.closed.exception(PATIENCE).name, "LimitExceeded")

    def test_event_does_not_wait_for_a_router_that_is_gone(self):
        self.open(void, allowing=["*"])
        self.wait_for_state("connected")
        self.daemon.end(signal.SIGKILL)
        self.router.open_scene(APPLICATION, void, preferring=["late:"])
        for _ in range(3):
            with self.assertRaises(OSError):
                self.send("late:1")
        self.wait_for_state("reconnecting")
        with self.assertRaises(OSError):
            self.send("late:1")

    def test_event_finds_the_windows_when_the_router_is_there_again(self):
        self.open(void, allowing=["*"])
        for number in range(10):
            self.daemon.restart()
            scene = self.router.open_scene(APPLICATION, void, preferring=[f"x:{number}"])
            self.assertEqual(self.send(f"x:{number}").decision["sceneId"], scene.id)
        for number in range(10):
            self.daemon.end(signal.SIGKILL)
            with self.assertRaises(OSError):
                self.send("x:0")
            self.daemon.start()
            self.assertEqual(self.send("x:0").decision["rule"], "preferring")


class CoroutineTests(unittest.IsolatedAsyncioTestCase):
    async def test_everything_happens_on_the_loop(self):
        daemon, cancelled, threads = Daemon(self), asyncio.Event(), threading.active_count()

        async def handle(event):
            if event.url == "x:slow":
                try:
                    await asyncio.Event().wait()
                finally:
                    cancelled.set()
            if event.url == "x:no":
                raise scened.Decline("no")
            await scene.set([event.url], ["*"])

        with scened.Router(daemon.path) as router:
            scene = router.open_scene(APPLICATION, handle, allowing=["*"])
            await scene.opened
            self.assertEqual((await router.send("x:slow", timeout=3)).error, "TimedOut")
            await cancelled.wait()
            self.assertTrue((await router.send("x:1")).is_taken)
            self.assertEqual((await router.send("x:no")).settlement["reason"], "no")
            listed = await router.call("ListScenes", applicationId=APPLICATION)
            self.assertEqual(listed["scenes"][0]["context"]["registrations"][0]["preferring"], ["x:1"])
            self.assertEqual(threading.active_count(), threads)
            daemon.restart()
            while (await router.send("x:1")).error == "NotRouted":
                pass
        await scene.closed

    async def test_calls_wait_for_earlier_ones(self):
        daemon = Daemon(self)
        for number in range(REPETITIONS):
            with scened.Router(daemon.path) as router:
                scene = router.open_scene(APPLICATION, void, title="T", allowing=["*"])
                outcome = await router.send("x:1")
                self.assertTrue(outcome.is_taken)
                self.assertEqual(outcome.decision["sceneId"], scene.id)
                scene.set([f"x:{number}"])
                scene.set_title(f"{number}")
                outcome, listed = await asyncio.gather(router.send(f"x:{number}"), router.call("ListScenes"))
                self.assertEqual(outcome.decision["rule"], "preferring")
                self.assertEqual(listed["scenes"][0]["context"]["title"], f"{number}")
                scene.close()
                self.assertEqual((await router.send("x:1")).error, "NotRouted")

    async def test_restarts_leave_no_exception_that_nobody_has_seen(self):
        daemon = Daemon(self)
        # asyncio shall not report slow callbacks, because the starts of the daemon block the loop.
        asyncio.get_running_loop().slow_callback_duration = PATIENCE
        with self.assertNoLogs("asyncio"), scened.Router(daemon.path) as router:
            for number in range(3):
                started, goes_on = asyncio.Semaphore(0), asyncio.Event()

                async def handle(_):
                    started.release()
                    await goes_on.wait()

                scenes = [router.open_scene(APPLICATION, handle, preferring=[f"x:{number}/{n}/"]) for n in range(12)]
                for scene in scenes:
                    await scene.opened
                sent = [router.send(f"x:{number}/{n}/") for n in range(12)]
                for _ in scenes:
                    await started.acquire()
                # Stops the daemon before the handlers answer, so that the daemon never reads their answers.
                daemon.process.send_signal(signal.SIGSTOP)
                os.waitpid(daemon.process.pid, os.WUNTRACED)
                goes_on.set()
                for _ in range(20):
                    await asyncio.sleep(0)
                daemon.restart()
                for answer in sent:
                    self.assertTrue((await answer).is_taken)
                for scene in scenes:
                    scene.close()
            gc.collect()


class OtherRouterTests(unittest.TestCase):
    """Programs at the socket that are not this version of the router."""

    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.path = os.path.join(directory.name, "router")
        self.listener = socket.create_server(self.path, family=socket.AF_UNIX)
        self.addCleanup(self.listener.close)

    def serve(self, answer):
        def run():
            while True:
                try:
                    peer = self.listener.accept()[0]
                except OSError:
                    return
                threading.Thread(target=converse, args=[peer], daemon=True).start()

        def converse(peer):
            with contextlib.suppress(OSError), peer, peer.makefile("rb") as file:
                buffer = b""
                while byte := file.read(1):
                    buffer += byte
                    if byte == b"\0":
                        peer.sendall(b"".join(answer(json.loads(buffer[:-1]))))
                        buffer = b""

        threading.Thread(target=run, daemon=True).start()

    def test_newer_router_says_more(self):
        def answer(call):
            if call["method"].endswith("OpenScene"):
                yield b'{"parameters":{"opened":{"sceneId":"s","sceneHandle":"h","generation":1,"new":2}},"continues":true}\0'
                yield b'{"parameters":{"news":{"a":[1]}},"continues":true}\0'
                yield b'{"parameters":{"delivery":{"deliveryId":"d","decisionId":"e","event":{"url":"x:1","new":1},'
                yield b'"registrationIds":[],"timeoutUSec":1,"new":{}}},"continues":true}\0'
            elif call["method"].endswith("AcknowledgeDelivery"):
                acknowledged.put(call)
            else:
                yield b'{"parameters":{"settlement":{"result":"acknowledged"},"decision":{},"more":1}}\0'

        acknowledged = queue.Queue()
        self.serve(answer)
        with scened.Router(self.path) as router:
            router.open_scene(APPLICATION, lambda _: None)
            parameters = acknowledged.get(timeout=PATIENCE)["parameters"]
            self.assertEqual(parameters, {"sceneHandle": "h", "deliveryId": "d"})
            self.assertTrue(router.send("x:1").result(PATIENCE).is_taken)

    def test_older_router_lacks_methods(self):
        def answer(call):
            yield b'{"error":"org.varlink.service.MethodNotFound","parameters":{"method":"M"}}\0'

        self.serve(answer)
        with scened.Router(self.path) as router, self.assertLogs("scened"):
            for answer in [router.open_scene(APPLICATION, print).closed, router.send("x:1"), router.call("New")]:
                with self.assertRaises(scened.RouterError) as raised:
                    answer.result(PATIENCE)
                self.assertEqual(raised.exception.name, "org.varlink.service.MethodNotFound")

    def test_what_is_no_router_is_tried_again_ever_later(self):
        calls = queue.Queue()

        def answer(call):
            calls.put(call)
            yield b"HTTP/1.1 400 Bad Request\r\n\0"

        self.serve(answer)
        with scened.Router(self.path) as router:
            with self.assertRaises(ConnectionError):
                router.call("ListScenes").result(PATIENCE)
            with self.assertRaises(scened.OutcomeUnknown):
                router.send("x:1").result(PATIENCE)
            scene = router.open_scene(APPLICATION, print)
            for _ in range(3):
                while not calls.get(timeout=PATIENCE)["method"].endswith("OpenScene"):
                    pass
            self.assertFalse(scene.opened.done())
            # A window that cannot be opened holds up no other call.
            with self.assertRaises(ConnectionError):
                router.call("ListScenes").result(PATIENCE)
            with self.assertRaises(scened.OutcomeUnknown):
                router.send("x:1").result(PATIENCE)


unittest.main(verbosity=2)
