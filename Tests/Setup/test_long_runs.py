"""Scripts/test-long continues where it was interrupted and writes its figures; Scripts/test-loaded counts what load breaks."""

import json
import os
import pathlib
import signal
import subprocess
import tempfile
import textwrap
import time
import unittest

from test_run_tests import LIMIT, LISTED, ROOT, RUN

DRIVER = """
import importlib.machinery, importlib.util, pathlib, sys
sys.dont_write_bytecode = True
loader = importlib.machinery.SourceFileLoader("script", {script!r})
script = importlib.util.module_from_spec(importlib.util.spec_from_loader("script", loader))
loader.exec_module(script)
"""

OF_LONG_RUNS = """
runner = script.runner
runner.ROOT = pathlib.Path({folder!r})
runner.STATE = runner.ROOT / ".build/tests"
"""

# A hook of git's names the repository to whatever it starts; here each has its own.
ENVIRONMENT = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}

DOCUMENT = """# Testing

Before.

<!-- figures of the long run -->
None yet.
<!-- end of the figures -->

After.
"""


class ScriptTests(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="echotext-long-runs-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def driver(self, name, code):
        path = self.folder / ".build" / "driver.py"
        path.parent.mkdir(exist_ok=True)
        path.write_text(DRIVER.format(script=str(ROOT / "Scripts" / name)) + textwrap.dedent(code))
        return {
            "args": ["/usr/bin/python3", path], "cwd": self.folder, "text": True,
            "env": {**ENVIRONMENT, "ECHOTEXT_LONG_TESTS": "0", "PYTHONDONTWRITEBYTECODE": "1"},
        }

    def wait_for(self, condition, running):
        end = time.monotonic() + LIMIT
        while not condition():
            if running.poll() is not None or time.monotonic() > end:
                running.kill()
                self.fail(f"it did not happen: {running.communicate()[0]}")
            time.sleep(0.05)


class LongRunTests(ScriptTests):
    def setUp(self):
        super().setUp()
        (self.folder / "Documentation").mkdir()
        self.document = self.folder / "Documentation/Testing.md"
        self.document.write_text(DOCUMENT)
        (self.folder / ".gitignore").write_text(".build/\nrun\nfirst\nsecond\nran\n")
        (self.folder / "source").write_text("one\n")
        (self.folder / "run").write_text(RUN)
        self.git("init", "--quiet")
        self.git("add", "--all")
        self.git("commit", "--quiet", "--message", "Begin")

    def git(self, *arguments):
        who = ["-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false"]
        subprocess.run(["git", *who, *arguments], cwd=self.folder, env=ENVIRONMENT, check=True, capture_output=True)

    def long_run(self, parts, options=""):
        code = OF_LONG_RUNS.format(folder=str(self.folder)) + LISTED + f"\nsys.exit(script.LongRun({parts}{options}).run())\n"
        return self.driver("test-long", code)

    def run_long(self, parts, options=""):
        done = subprocess.run(**self.long_run(parts, options), capture_output=True, timeout=LIMIT, check=False)
        return done.returncode, done.stdout + done.stderr

    def ran(self):
        """The tests that ran since the last call."""
        path = self.folder / "ran"
        said = path.read_text().split() if path.exists() else []
        path.unlink(missing_ok=True)
        return said

    FIRST = 'Listed("first", {"one": "echo one >>ran"})'
    SECOND = 'Listed("second", {"two": "echo two >>ran"})'
    BOTH = f'[runner.Part("build", ["bash", "-c", "echo built >>ran"], 1), {FIRST}, {SECOND}]'

    def test_a_complete_run_writes_its_figures_between_the_markers(self):
        status, printed = self.run_long(self.BOTH)
        self.assertEqual((status, self.ran()), (0, ["built", "one", "two"]), printed)
        written = self.document.read_text()
        self.assertRegex(written, r"\| first \| 0:00:\d\d \| 1 \| 0 \| 0 \|\n\| second \|")
        self.assertNotIn("None yet.", written)
        self.assertNotIn("build", written)
        self.assertTrue(written.startswith("# Testing\n\nBefore.\n\n<!-- figures"), written)
        self.assertTrue(written.endswith("<!-- end of the figures -->\n\nAfter.\n"), written)

    def test_a_run_that_is_complete_repeats_nothing_unless_it_is_asked_to(self):
        self.run_long(self.BOTH)
        first = self.document.read_text()
        self.ran()
        self.assertEqual(self.run_long(self.BOTH)[0], 0)
        self.assertEqual(self.ran(), [])
        # The document has changed meanwhile, which the figures say.
        self.assertEqual(self.document.read_text(), first)
        self.assertEqual(self.run_long(self.BOTH, ", afresh=True")[0], 0)
        self.assertEqual(self.ran(), ["built", "one", "two"])

    def test_an_interrupted_run_continues_with_the_part_that_it_was_in(self):
        # The processes that a killed run leaves behind end with the file or the folder.
        loop = "while [ -d .build ] && ! [ -e .build/freely ]; do sleep 0.1; done"
        waiting = f'Listed("second", {{"two": "echo two >>ran; {loop}"}})'
        parts = f"[{self.FIRST}, {waiting}]"
        for how in (signal.SIGINT, signal.SIGKILL):
            with self.subTest(how.name):
                (self.folder / "source").write_text(how.name)
                running = subprocess.Popen(**self.long_run(parts), stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
                self.wait_for(lambda: (self.folder / "ran").exists() and "two" in (self.folder / "ran").read_text(), running)
                running.send_signal(how)
                printed, _ = running.communicate(timeout=LIMIT)
                self.assertEqual(running.returncode, 130 if how == signal.SIGINT else -signal.SIGKILL, printed)
                self.assertEqual(self.ran(), ["one", "two"])
                self.assertIn("None yet.", self.document.read_text())
        (self.folder / ".build/freely").touch()
        status, printed = self.run_long(parts)
        self.assertEqual((status, self.ran()), (0, ["two"]), printed)
        self.assertIn("== first: finished by an earlier call", printed)
        self.assertIn("2 passed, 0 failed, 0 skipped", printed)
        self.assertIn("| first |", self.document.read_text())

    def test_another_source_begins_again(self):
        self.run_long(f"[{self.FIRST}]")
        self.ran()
        for change in ("changed", "added"):
            with self.subTest(change):
                (self.folder / ("source" if change == "changed" else "new")).write_text("two\n")
                self.run_long(f"[{self.FIRST}]")
                self.assertEqual(self.ran(), ["one"])
        self.git("add", "--all")
        self.git("commit", "--quiet", "--message", "The same, committed")
        self.run_long(f"[{self.FIRST}]")
        self.assertEqual(self.ran(), [])

    def test_a_source_that_changed_in_the_second_in_which_it_was_committed_begins_again(self):
        source, index = self.folder / "source", self.folder / ".git/index"
        # Nobody can choose the time of a change of the file's facts, so git does without it.
        self.git("config", "core.trustctime", "false")
        second = 1_790_000_000
        os.utime(source, (second, second))
        self.git("add", "--all")
        self.run_long(f"[{self.FIRST}]")
        self.assertEqual(self.ran(), ["one"])
        source.write_text("two\n")
        for changed in (source, index):
            os.utime(changed, (second, second))
        self.run_long(f"[{self.FIRST}]")
        self.assertEqual(self.ran(), ["one"])

    def test_a_part_whose_sources_change_under_it_is_not_kept(self):
        parts = '[Listed("first", {"one": "echo one >>ran; echo new >>source"})]'
        status, printed = self.run_long(parts)
        self.assertEqual((status, self.ran()), (0, ["one"]), printed)
        self.assertIn("not kept, since the sources have changed", printed)
        self.assertIn("None yet.", self.document.read_text())

    def test_a_red_part_is_in_the_figures_and_is_repeated_by_the_call_after(self):
        parts = f'[{self.FIRST}, Listed("second", {{"two": "echo two >>ran; [ -e .build/repaired ]"}})]'
        status, printed = self.run_long(parts)
        # It had its second chance too.
        self.assertEqual((status, self.ran()), (1, ["one", "two", "two"]), printed)
        self.assertIn("Red:\n\n- second: two\n", self.document.read_text())
        (self.folder / ".build/repaired").touch()
        status, printed = self.run_long(parts)
        self.assertEqual((status, self.ran()), (0, ["two"]), printed)
        self.assertNotIn("Red:", self.document.read_text())

    def test_second_chances_of_an_earlier_call_still_count(self):
        parts = '[Listed("first", {"one": "mkdir .build/once 2>/dev/null && exit 1; true"})]'
        self.assertEqual(self.run_long(parts)[0], 0)
        status, printed = self.run_long(parts)
        self.assertEqual(status, 0, printed)
        self.assertIn("first: one: it failed (1 more)", printed)
        self.assertIn("The second chances\nwere 1,", self.document.read_text())

    def test_what_needs_a_red_part_is_not_kept(self):
        build = 'runner.Part("build", ["bash", "-c", "[ -e .build/builds ]"], 1)'
        parts = f'[{build}, Listed("first", {{"one": "echo one >>ran"}}, needs=("build",))]'
        status, printed = self.run_long(parts)
        self.assertEqual((status, self.ran()), (1, []), printed)
        (self.folder / ".build/builds").touch()
        status, printed = self.run_long(parts)
        self.assertEqual((status, self.ran()), (0, ["one"]), printed)

    def test_a_torn_line_of_what_is_kept_is_passed_over(self):
        self.run_long(f"[{self.FIRST}]")
        [kept] = (self.folder / ".build/tests/long").glob("*.jsonl")
        with open(kept, "a") as file:
            file.write('{"result": {"name": "sec')
        self.ran()
        for ran in (["two"], []):
            status, printed = self.run_long(f"[{self.FIRST}, {self.SECOND}]")
            self.assertEqual((status, self.ran()), (0, ran), printed)

    def test_swift_tests_are_a_part_for_each_target(self):
        done = subprocess.run(**self.driver("test-long", """
            runner = script.runner
            part = runner.SwiftTests("swift", ["swift", "test"], 30, needs=("build",))
            for one in script.divided(part, ["OneTests", "TwoTests"]):
                print(one.name, one.limit, one.needs, one.records.name, one.arguments("")[-1], one.arguments("a or b")[-1])
                print(one.again([runner.Failure("OneTests.Few/breaks()/F.swift:3:5", "")])[0][0].count("--filter"))
            print(len(script.divided(runner.Part("lint", ["true"], 1), ["OneTests"])))
        """), capture_output=True, timeout=LIMIT, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stdout.splitlines(), [
            "swift OneTests 30.0 ('build',) swift-OneTests.records ^(OneTests)[.] ^(OneTests)[.].*(a|b)",
            "1",
            "swift TwoTests 30.0 ('build',) swift-TwoTests.records ^(TwoTests)[.] ^(TwoTests)[.].*(a|b)",
            "1",
            "1",
        ])

    def test_the_real_document_has_the_markers_once(self):
        text = (ROOT / "Documentation/Testing.md").read_text()
        for marker in ("<!-- figures of the long run -->", "<!-- end of the figures -->"):
            self.assertEqual(text.count(marker), 1)


class LoadedRunTests(ScriptTests):
    def loaded(self, command, count=2, busy="script.BUSY"):
        result = self.folder / "result.json"
        return self.driver("test-loaded", f"""
            runs = script.LoadedRuns(["bash", "-c", {command!r}], pathlib.Path({str(result)!r}), {busy})
            sys.exit(runs.run({count}))
        """)

    def run_loaded(self, command, count=2, **more):
        done = subprocess.run(**self.loaded(command, count, **more), capture_output=True, timeout=LIMIT, check=False)
        return done.returncode, done.stdout + done.stderr

    def writing(self, **found):
        whole = {"seconds": 600, "passed": 7, "failed": [], "chances": [], **found}
        return f"cat >result.json <<'END'\n{json.dumps(whole)}\nEND\nexit {int(bool(whole['failed']))}"

    def test_green_runs_are_counted(self):
        status, printed = self.run_loaded(self.writing())
        self.assertEqual(status, 0, printed)
        self.assertIn("run 2: 10 min, 7 passed, 0 failed, 0 second chances", printed)
        self.assertIn("2 of 2 runs, 0 red, 0 second chances", printed)

    def test_what_was_red_or_needed_a_second_chance_is_counted(self):
        status, printed = self.run_loaded(self.writing(failed=["swift: one: broke"], chances=["browser: two: late"]))
        self.assertEqual(status, 1, printed)
        self.assertIn("== Red\n2 × swift: one: broke", printed)
        self.assertIn("== Second chances\n2 × browser: two: late", printed)
        self.assertIn("2 of 2 runs, 2 red, 2 second chances", printed)

    def test_each_run_has_a_busy_loop_for_each_processor(self):
        count = len(os.sched_getaffinity(0))
        status, printed = self.run_loaded(f"pgrep --parent $PPID --exact yes | wc -l >>loops\n{self.writing()}")
        self.assertEqual(status, 0, printed)
        self.assertEqual((self.folder / "loops").read_text().split(), [str(count)] * 2)

    def test_a_run_without_its_load_is_red(self):
        status, printed = self.run_loaded(f"sleep 1\n{self.writing()}", count=1, busy="['true']")
        self.assertEqual(status, 1, printed)
        self.assertIn("not under load", printed)

    def test_a_run_that_says_nothing_is_red(self):
        status, printed = self.run_loaded("exit 3", count=1)
        self.assertEqual(status, 1, printed)
        self.assertIn("ended with 3 and said no reason", printed)

    def test_nothing_stays_when_it_is_interrupted_or_killed(self):
        for how in (signal.SIGINT, signal.SIGTERM, signal.SIGKILL):
            with self.subTest(how.name):
                ready = self.folder / "ready"
                ready.unlink(missing_ok=True)
                command = "pgrep --parent $PPID >ready; trap 'exit 130' TERM; while :; do sleep 0.1; done"
                running = subprocess.Popen(**self.loaded(command), stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
                count = len(os.sched_getaffinity(0)) + 1
                self.wait_for(lambda: ready.exists() and len(ready.read_text().split()) == count, running)
                running.send_signal(how)
                printed, _ = running.communicate(timeout=LIMIT)
                self.assertEqual(running.returncode, -signal.SIGKILL if how == signal.SIGKILL else 130, printed)
                end = time.monotonic() + LIMIT
                while left := [pid for pid in ready.read_text().split() if is_running(pid)]:
                    self.assertLess(time.monotonic(), end, left)
                    time.sleep(0.05)


def is_running(pid):
    try:
        return pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


if __name__ == "__main__":
    unittest.main()
