"""Scripts/run-tests handles tests that fail, hang, leave processes behind, print too much or are interrupted."""

import fcntl
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import tempfile
import textwrap
import time
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
SCRIPT = ROOT / "Scripts/run-tests"
# The limit of every run here, in seconds.
LIMIT = 120

# The runner with its own parts, in a folder of its own.
DRIVER = """
import importlib.machinery, importlib.util, pathlib, sys
loader = importlib.machinery.SourceFileLoader("run_tests", {script!r})
runner = importlib.util.module_from_spec(importlib.util.spec_from_loader("run_tests", loader))
loader.exec_module(runner)
runner.ROOT = pathlib.Path({folder!r})
runner.STATE = runner.ROOT / "state"
{parts}
"""

# Tests that are lines of a shell script: `NAME COMMAND`. It records what failed and what had begun as pytest does.
LISTED = """
class Listed(runner.PytestTests):
    def __init__(self, name, tests, limit=1, **more):
        runner.Tests.__init__(self, name, ["bash", "run", name], limit, **more)
        (runner.ROOT / name).write_text("".join(f"{test} {command}\\n" for test, command in tests.items()))

    def arguments(self, words):
        return self.command

    def again(self, failures):
        return [([*self.command, *(failure.id for failure in failures)], failures)]
"""

RUN = r"""
name=$1; shift
status=0; passed=0
while read -r test command; do
  [[ $# -eq 0 || " $* " == *" $test "* ]] || continue
  printf '{"id": "%s", "began": true}\n' "$test" >>"$ECHOTEXT_TEST_RECORDS"
  if bash -c "$command"; then
    passed=$((passed + 1)); printf '{"id": "%s", "ended": true}\n' "$test" >>"$ECHOTEXT_TEST_RECORDS"
  else
    status=1; printf '{"id": "%s", "why": "it failed"}\n' "$test" >>"$ECHOTEXT_TEST_RECORDS"
  fi
done <"$name"
echo "$passed passed"
exit $status
"""


class RunnerTests(unittest.TestCase):
    """Runs the runner with parts of the test's own."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="echotext-run-tests-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        (self.folder / "run").write_text(RUN)

    def driver(self, parts):
        path = self.folder / "driver.py"
        path.write_text(DRIVER.format(script=str(SCRIPT), folder=str(self.folder), parts=LISTED + textwrap.dedent(parts)))
        return ["/usr/bin/python3", path]

    def run_parts(self, parts):
        """The exit status, the complete output, and the last line."""
        ended = subprocess.run(
            self.driver(parts), capture_output=True, text=True, errors="replace", timeout=LIMIT, check=False,
            env={**os.environ, "ECHOTEXT_LONG_TESTS": "0", "PYTHONDONTWRITEBYTECODE": "1"},
        )
        return ended.returncode, ended.stdout + ended.stderr, (ended.stdout.splitlines() or [""])[-1]

    def assert_ended(self, marker):
        """Whether no process has these words in its command."""
        listed = subprocess.run(["ps", "-eo", "args"], capture_output=True, text=True, check=True).stdout
        self.assertEqual([line for line in listed.splitlines() if line.startswith(marker)], [])


class SuiteTests(unittest.TestCase):
    # Words that a test stands at until something has come.
    WAITS = re.compile(r"Latch\(\)|\bfor (?:try )?await\b|untilCancelled|\.wait\(\)|waitUntil\(|await \w+\.next\(\)")
    SUITE = re.compile(r"@Suite\b(.*?)\b(?:struct|class|actor|enum)\s+(\w+)", re.S)

    def test_a_swift_suite_that_waits_ends_in_its_time(self):
        endless = []
        for path in sorted((ROOT / "Tests").rglob("*.swift")):
            text = path.read_text()
            suites = list(self.SUITE.finditer(text))
            for suite, following in zip(suites, [*suites[1:], None]):
                content = text[suite.end():following.start() if following else None]
                if self.WAITS.search(content) and not re.search("endsInTime|timeLimit", suite[1]):
                    endless.append(suite[2])
        self.assertEqual(endless, [])


class RunTests(RunnerTests):
    def test_a_run_without_failures_ends_with_its_count(self):
        status, printed, last = self.run_parts("""
            sys.exit(runner.Run([runner.Part("lint", ["echo", "fine"], 1), Listed("few", {"one": "true", "two": "true"})]).run())
        """)
        self.assertEqual((status, last), (0, "2 passed, 0 failed, 0 skipped"), printed)
        self.assertRegex(printed, r"lint +0:0\d +green")

    def test_a_red_part_is_named_and_the_next_one_runs(self):
        status, printed, last = self.run_parts("""
            parts = [runner.Part("lint", ["bash", "-c", "echo 'a.swift:3: error: too long'; exit 2"], 1), Listed("few", {"one": "true"})]
            sys.exit(runner.Run(parts).run())
        """)
        self.assertEqual((status, last), (1, "1 passed, 1 failed, 0 skipped"), printed)
        self.assertIn("FAILED lint: lint: ended with 2: a.swift:3: error: too long", printed)

    def test_a_part_that_needs_a_red_one_is_not_run_and_is_red(self):
        status, printed, _ = self.run_parts("""
            parts = [runner.Part("build", ["false"], 1), Listed("few", {"one": "touch ran"}, needs=("build",))]
            sys.exit(runner.Run(parts).run())
        """)
        self.assertEqual(status, 1)
        self.assertIn("FAILED few: few: not run, since build failed", printed)
        self.assertFalse((self.folder / "ran").exists())

    def test_what_passes_by_its_second_chance_is_green_and_told(self):
        status, printed, last = self.run_parts("""
            sys.exit(runner.Run([Listed("few", {"one": "true", "two": "mkdir once 2>/dev/null && exit 1; true"})]).run())
        """)
        self.assertEqual((status, last), (0, "2 passed, 0 failed, 0 skipped"), printed)
        self.assertIn("few: two: it failed (1 more)", printed)

    def test_tests_of_the_program_are_of_the_release_build_unless_words_or_a_change_choose_only_some_tests(self):
        _, printed, _ = self.run_parts("""
            class Shown:
                def __init__(self, chosen, words=""):
                    names = [part.name for part in chosen]
                    for part in chosen:
                        if part.name in ("swift", "listening", "browser"):
                            used = part.environment().get("ECHOTEXT_PROGRAM", "no program")
                            print(part.name, "release" in names[:names.index(part.name)], pathlib.Path(used).name)
                def run(self):
                    return 0
            runner.Run = Shown
            runner.changed_files, runner.package_targets, runner.reached_suites = list, dict, lambda *_: []
            runner.reached_browser_tests = lambda _: ["test_speak.py"]
            parts = ["fixtures", "release", "listening", "--only", "short"], ["fixtures", "scripts", "browser"]
            for options in [], ["--only", "listening"], ["--only", "short"], ["--changed"], *parts:
                sys.argv = ["run-tests", *options]
                runner.main()
        """)
        released = [f"{part} True echotext" for part in ("swift", "listening", "browser")]
        chosen = [f"{part} False no program" for part in ("swift", "listening", "browser")]
        expected = [*released, released[1], *chosen, chosen[2], released[1], chosen[2]]
        self.assertEqual(printed.splitlines(), expected)

    def test_a_program_that_is_named_is_the_one_that_is_tried(self):
        _, printed, _ = self.run_parts("""
            import os
            os.environ["ECHOTEXT_PROGRAM"] = "/other/echotext"
            [browser] = [part for part in runner.parts(False) if part.name == "browser"]
            print("ECHOTEXT_PROGRAM" in browser.environment())
        """)
        self.assertEqual(printed.strip(), "False")

    def test_the_result_is_in_a_file_for_other_programs(self):
        self.run_parts("""
            tests = {"one": "true", "two": "mkdir once 2>/dev/null && exit 1; true", "three": "false"}
            sys.exit(runner.Run([Listed("few", tests)]).run())
        """)
        result = json.loads((self.folder / "state/result.json").read_text())
        self.assertEqual(result["passed"], 2)
        self.assertEqual(result["failed"], ["few: three: it failed"])
        self.assertEqual(result["chances"], ["few: two: it failed"])

    def test_what_tests_write_is_in_memory_and_removed_where_there_is_enough(self):
        for room, shown in ((0, r"^in .*/memory/echotest-\w+$"), (10**18, "^in no folder$")):
            (self.folder / "memory").mkdir(exist_ok=True)
            status, printed, _ = self.run_parts(f"""
                runner.MEMORY, runner.ROOM = runner.ROOT / "memory", {room}
                runner.os.environ.pop("PYTEST_DEBUG_TEMPROOT", None)
                test = 'echo "in ${{PYTEST_DEBUG_TEMPROOT:-no folder}}"; [ ! -d "$PYTEST_DEBUG_TEMPROOT" ] || touch "$PYTEST_DEBUG_TEMPROOT/file"'
                sys.exit(runner.Run([Listed("few", {{"one": test}})]).run())
            """)
            self.assertEqual(status, 0, printed)
            self.assertRegex(printed, re.compile(shown, re.M))
            self.assertEqual(list((self.folder / "memory").iterdir()), [])

    def test_the_folder_of_a_killed_run_is_removed_by_the_next_and_that_of_another_is_not(self):
        memory = self.folder / "memory"
        for name in ("echotest-killed", "echotest-running", "echotest-new", "echotext-of-the-program", "kept"):
            (memory / name).mkdir(parents=True)
            if name != "echotest-new":
                os.utime(memory / name, (0, 0))
        (memory / "echotest-elsewhere").symlink_to(memory / "kept")
        lock = os.open(memory / "echotest-running", os.O_RDONLY)
        self.addCleanup(os.close, lock)
        fcntl.flock(lock, fcntl.LOCK_EX)
        status, printed, _ = self.run_parts("""
            runner.MEMORY, runner.ROOM = runner.ROOT / "memory", 0
            sys.exit(runner.Run([Listed("few", {"one": "true"})]).run())
        """)
        self.assertEqual(status, 0, printed)
        kept = ["echotest-elsewhere", "echotest-new", "echotest-running", "echotext-of-the-program", "kept"]
        self.assertEqual(sorted(path.name for path in memory.iterdir()), kept)

    def test_the_folder_in_memory_is_removed_also_when_the_runner_itself_fails(self):
        (self.folder / "memory").mkdir()
        status, printed, _ = self.run_parts("""
            runner.MEMORY, runner.ROOM = runner.ROOT / "memory", 0
            def fail(*_):
                raise OSError("no room for the output")
            runner.Run.show = fail
            runner.Run([Listed("few", {"one": "true"})]).run()
        """)
        self.assertEqual(status, 1, printed)
        self.assertIn("no room for the output", printed)
        self.assertEqual(list((self.folder / "memory").iterdir()), [])

    def test_a_part_that_fills_the_memory_is_ended(self):
        (self.folder / "memory").mkdir()
        status, printed, _ = self.run_parts("""
            runner.MEMORY = runner.ROOT / "memory"
            rooms = iter([runner.ROOM, 0])
            runner.room_in_memory = lambda: next(rooms)
            sys.exit(runner.Run([Listed("few", {"one": "sleep 7601"})]).run())
        """)
        self.assertEqual(status, 1, printed)
        self.assertIn("FAILED few: few: ended, since it left too little memory; still ran: one", printed)
        self.assertEqual(list((self.folder / "memory").iterdir()), [])
        self.assert_ended("sleep 7601")

    def test_a_container_s_limit_of_memory_counts_without_what_it_only_caches(self):
        group = self.folder / "groups"
        group.mkdir()
        for name, text in (("max", "5000"), ("current", "3000"), ("stat", "anon 900\ninactive_file 100\n")):
            (group / f"memory.{name}").write_text(text)
        for limit, shown in (("5000", "2100"), ("max\n", "inf")):
            (group / "memory.max").write_text(limit)
            status, printed, _ = self.run_parts("""
                runner.GROUPS = runner.ROOT / "groups"
                print(runner.group_room(runner.GROUPS), runner.group_room(runner.GROUPS / "none"))
                print(runner.room_in_memory() <= runner.group_room(runner.GROUPS))
            """)
            self.assertEqual((status, printed), (0, f"{shown} inf\nTrue\n"))

    def test_swift_tests_in_memory_lock_the_build_where_other_builds_do(self):
        (self.folder / "memory").mkdir()
        status, printed, _ = self.run_parts("""
            runner.MEMORY, runner.ROOM = runner.ROOT / "memory", 0
            sys.exit(runner.Run([runner.SwiftTests("swift", ["bash", "-c", 'cd "$TMPDIR" && readlink *'], 1)]).run())
        """)
        self.assertEqual(status, 0, printed)
        lock = str(self.folder / ".build").replace("/", "_") + ".lock"
        self.assertIn(f"\n{pathlib.Path(tempfile.gettempdir(), lock)}\n", printed)

    def test_what_fails_twice_is_red(self):
        status, printed, last = self.run_parts("""
            sys.exit(runner.Run([Listed("few", {"one": "true", "two": "echo x >>tries; false"})]).run())
        """)
        self.assertEqual((status, last), (1, "1 passed, 1 failed, 0 skipped"), printed)
        self.assertEqual((self.folder / "tries").read_text(), "x\nx\n")
        self.assertIn("FAILED few: two: it failed", printed)

    def test_tests_of_secrecy_pass_three_times_or_are_red(self):
        tests = {"test_threats.py::leak": "echo x >>tries; [[ $(wc -l <tries) != @ ]]"}
        for failing, status in (("1", 0), ("1,3", 1)):
            condition = " && ".join(f"$(wc -l <tries) != {turn}" for turn in failing.split(","))
            command = tests["test_threats.py::leak"].replace("$(wc -l <tries) != @", condition)
            with self.subTest(failing=failing):
                (self.folder / "tries").unlink(missing_ok=True)
                ended, printed, _ = self.run_parts(f"""
                    sys.exit(runner.Run([Listed("few", {{"test_threats.py::leak": {command!r}}})]).run())
                """)
                self.assertEqual(ended, status, printed)
                self.assertEqual((self.folder / "tries").read_text().count("x"), 4 if status == 0 else 3)

    def test_more_than_three_second_chances_are_red(self):
        tests = {f"test{number}": f"mkdir once{number} 2>/dev/null && exit 1; true" for number in range(4)}
        status, printed, last = self.run_parts(f"""
            sys.exit(runner.Run([Listed("few", {tests!r})]).run())
        """)
        self.assertEqual((status, last), (1, "4 passed, 1 failed, 0 skipped"), printed)
        self.assertIn("FAILED all: second chances: 4 were needed, 3 are allowed", printed)


class RunEndTests(RunnerTests):
    """A run that hangs, stays behind, floods the output or is interrupted is ended."""

    def test_one_that_hangs_is_ended_and_named_with_its_processes_and_the_rest_goes_on(self):
        status, printed, last = self.run_parts("""
            parts = [Listed("slow", {"one": "true", "hangs": "setsid sleep 7101 & sleep 7102"}, limit=5 / 60), Listed("few", {"other": "true"})]
            sys.exit(runner.Run(parts).run())
        """)
        self.assertEqual(status, 1, printed)
        self.assertIn("test: hangs", printed)
        self.assertRegex(printed, r"process \d+ \(S, 0:0\d\): sleep 7101")
        self.assertRegex(printed, r"FAILED slow: slow: ended after 0:05, its limit; still ran: hangs")
        self.assertRegex(printed, r"few +0:0\d +green")
        self.assert_ended("sleep 710")

    def test_one_that_says_nothing_is_ended_long_before_the_limit(self):
        status, printed, _ = self.run_parts("""
            part = Listed("slow", {"hangs": "sleep 7201"}, limit=60)
            part.silence = 2 / 60
            sys.exit(runner.Run([part]).run())
        """)
        self.assertEqual(status, 1, printed)
        self.assertIn("FAILED slow: slow: ended, since it had printed nothing for 0:02", printed)
        self.assert_ended("sleep 7201")

    def test_what_is_left_behind_is_ended_and_red(self):
        status, printed, _ = self.run_parts("""
            runner.LEAVING = 3
            sys.exit(runner.Run([Listed("few", {"one": "setsid sleep 7301 >/dev/null 2>&1 & disown"})]).run())
        """)
        self.assertEqual(status, 1, printed)
        self.assertRegex(printed, r"few left behind: process \d+ .*: sleep 7301")
        self.assertIn("FAILED few: few: left 1 processes behind: sleep 7301", printed)
        self.assert_ended("sleep 7301")

    def test_a_sandbox_whose_maker_was_killed_is_ended_and_told_but_not_red(self):
        waiting = "import os; os.read(os.eventfd(0), 8)"
        for name, code in (("/usr/bin/bwrap", 0), ("/usr/bin/other", 1)):
            with self.subTest(name):
                status, printed, _ = self.run_parts(f"""
                    runner.LEAVING = 3
                    left = "setsid bash -c 'exec -a {name} /usr/bin/python3 -c \\"{waiting}\\"' >/dev/null 2>&1 & disown"
                    sys.exit(runner.Run([Listed("few", {{"one": left}})]).run())
                """)
                self.assertEqual(status, code, printed)
                self.assertRegex(printed, rf"few left behind: process \d+ .*: {name}")
                self.assert_ended(waiting)

    def test_set_up_may_start_what_outlives_it(self):
        status, printed, _ = self.run_parts("""
            part = runner.Part("set-up", ["bash", "-c", "sleep 3 & disown"], 1, leaves=True)
            sys.exit(runner.Run([part, runner.Part("lint", ["true"], 1, leaves=True)]).run())
        """)
        self.assertEqual(status, 0, printed)

    def test_a_flood_is_shown_in_part_and_ended(self):
        status, printed, _ = self.run_parts("""
            runner.SHOWN, runner.LARGEST = 100_000, 5_000_000
            sys.exit(runner.Run([runner.Part("lint", ["yes", "flood"], 1)]).run())
        """)
        self.assertEqual(status, 1)
        self.assertLess(len(printed), 200_000)
        self.assertIn("the rest is in", printed)
        self.assertIn("FAILED lint: lint: ended, since it printed more than 5 MB", printed)

    def test_ctrl_c_ends_all_and_says_what_is_known(self):
        command = self.driver("""
            sys.exit(runner.Run([Listed("few", {"one": "true", "two": "echo now; sleep 7401"}), Listed("more", {"three": "true"})]).run())
        """)
        process = subprocess.Popen(
            ["env", "--default-signal", *command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, start_new_session=True
        )
        try:
            printed = ""
            while "now" not in printed:
                line = process.stdout.readline()
                self.assertTrue(line, printed)
                printed += line
            os.kill(process.pid, signal.SIGINT)
            rest, _ = process.communicate(timeout=LIMIT)
        finally:
            process.kill()
            process.wait()
        self.assertEqual(process.returncode, 130, rest)
        self.assertIn("FAILED all: the run: interrupted", rest)
        self.assertNotIn("== more", rest)
        self.assert_ended("sleep 7401")

    def test_the_time_of_the_whole_run_is_a_limit_too(self):
        status, printed, _ = self.run_parts("""
            parts = [Listed("slow", {"hangs": "sleep 7501"}, limit=60), Listed("few", {"one": "true"})]
            sys.exit(runner.Run(parts, whole=2).run())
        """)
        self.assertEqual(status, 1)
        self.assertIn("FAILED few: few: not run: the time of the whole run was over", printed)


class ChangeTests(RunnerTests):
    """The tests that a change can affect."""

    def test_a_change_reaches_the_tests_that_name_its_target_or_its_own_where_all_do(self):
        status, printed, _ = self.run_parts("""
            targets = {"Core": [], "Books": ["Core"], "BooksTests": ["Books", "Core"], "CoreTests": ["Core"], "Fixture": []}
            targets |= {f"Other{number}Tests": ["Core"] for number in range(6)}
            for names in (["Sources/Books/Zip.swift"], ["Sources/Core/A.swift"], ["Tests/Other3Tests/A.swift"], ["README.md"], ["Sources/Fixture/A.swift"]):
                print(runner.reached_suites(names, targets))
        """)
        self.assertEqual(status, 0, printed)
        self.assertEqual(printed.splitlines(), ["['BooksTests']", "['CoreTests']", "['Other3Tests']", "[]", "[]"])

    def test_a_module_reaches_the_tests_of_the_pages_that_load_it(self):
        www, browser = self.folder / "Sources/WebApp/Resources/www", self.folder / "Tests/Browser"
        (www / "pages/one").mkdir(parents=True)
        browser.mkdir(parents=True)
        (www / "core.js").write_text("")
        for page in ("one", "two", "three", "four"):
            (www / f"pages/{page}.js").write_text(f'import {{ a }} from "../core.js";\nimport {{ b }} from "./{page}/own.js";\nimport "./registry.js";\n')
            (browser / f"test_{page}.py").write_text(f'visitor.open("/{page}")\n')
        (www / "pages/registry.js").write_text("".join(f'const a = () => import("./{page}.js");\n' for page in ("one", "two", "three", "four")))
        (www / "pages/one/own.js").write_text("")
        (browser / "test_speak.py").write_text("")
        status, printed, _ = self.run_parts("""
            for name in ("pages/one/own.js", "core.js"):
                print(runner.reached_browser_tests([f"Sources/WebApp/Resources/www/{name}"]))
            print(runner.reached_browser_tests(["Tests/Browser/test_two.py", "Tests/Browser/test_gone.py", "Sources/WebApp/Routes.swift"]))
        """)
        self.assertEqual(status, 0, printed)
        self.assertEqual(printed.splitlines(), ["['test_one.py']", "['test_speak.py']", "['test_two.py']"])


class RunnerKindTests(RunnerTests):
    """Each kind of runner: what its tests' failures and hangs become."""

    def test_nodes_tests_that_fail_or_hang_are_named_with_their_file(self):
        scripts = self.folder / "Tests/WebAppScripts"
        scripts.mkdir(parents=True)
        (self.folder / "Scripts").mkdir()
        shutil.copy(ROOT / "Scripts/test-records.mjs", self.folder / "Scripts")
        (scripts / "one.test.js").write_text(
            "const test = require('node:test');\n"
            "test('adds', () => {});\ntest('breaks', () => { throw new Error('it broke'); });\ntest.skip('later', () => {});\n"
            "test('hangs', () => new Promise((done) => setTimeout(done, 60_000)));\n"
        )
        (scripts / "two.test.js").write_text("require('node:test')('is there', () => {});\n")
        status, printed, last = self.run_parts("""
            sys.exit(runner.Run([runner.NodeTests("scripts", ["node", "--test", "--test-timeout=2000"], 1)]).run())
        """)
        self.assertEqual(status, 1, printed)
        self.assertIn("FAILED scripts: Tests/WebAppScripts/one.test.js: breaks: it broke", printed)
        self.assertRegex(printed, r"FAILED scripts: Tests/WebAppScripts/one.test.js: hangs: .*timed out")
        self.assertRegex(last, r"^2 passed, \d failed, 1 skipped$")

    def test_nodes_tests_are_all_counted_however_many_a_file_reports_at_its_end(self):
        scripts = self.folder / "Tests/WebAppScripts"
        scripts.mkdir(parents=True)
        (self.folder / "Scripts").mkdir()
        shutil.copy(ROOT / "Scripts/test-records.mjs", self.folder / "Scripts")
        (scripts / "many.test.js").write_text(
            "const test = require('node:test');\nfor (let number = 0; number < 3_000; number += 1) test(`is ${number}`, () => {});\n"
        )
        status, printed, last = self.run_parts("""
            [part] = [part for part in runner.parts(False) if part.name == "scripts"]
            sys.exit(runner.Run([part]).run())
        """)
        self.assertEqual((status, last), (0, "3000 passed, 0 failed, 0 skipped"), printed[-2_000:])

    @unittest.skipUnless((ROOT / ".deps/browser-tests").exists(), "the browser tests are not set up")
    def test_pytests_that_fail_or_hang_are_named_and_the_others_run(self):
        tests = self.folder / "Few"
        tests.mkdir()
        shutil.copy(ROOT / "Tests/Browser/records.py", tests)
        (tests / "conftest.py").write_text("from records import *\n")
        (tests / "pytest.ini").write_text("[pytest]\naddopts = -p no:cacheprovider -p no:schemathesis -q\ntimeout = 3\ntimeout_method = thread\n")
        (tests / "test_few.py").write_text(textwrap.dedent("""
            import pytest, threading
            def test_adds(): pass
            def test_breaks(): assert 1 == 2
            def test_hangs(): threading.Event().wait()
            @pytest.mark.skip("not now")
            def test_later(): pass
        """))
        python = str(ROOT / ".deps/browser-tests/bin/python")
        status, printed, last = self.run_parts(f"""
            many = ["--numprocesses", "2"]
            sys.exit(runner.Run([runner.PytestTests("few", "Few", {python!r}, 1, many=many)]).run())
        """)
        self.assertEqual((status, last), (1, "1 passed, 2 failed, 1 skipped"), printed)
        self.assertIn("FAILED few: Few/test_few.py::test_breaks: assert 1 == 2", printed)
        self.assertRegex(printed, r"FAILED few: Few/test_few.py::test_hangs: .*crashed while running")
        self.assertIn("few: 1 × not now", printed)

    @unittest.skipUnless(os.environ.get("ECHOTEXT_LONG_TESTS") == "1", "builds a package of its own: make test-long")
    def test_swift_tests_that_hang_are_named_and_the_others_run(self):
        tests = self.folder / "Tests/FewTests"
        tests.mkdir(parents=True)
        (self.folder / "Package.swift").write_text(
            "// swift-tools-version: 6.1\nimport PackageDescription\n"
            'let package = Package(name: "Few", targets: [.testTarget(name: "FewTests")])\n'
        )
        (tests / "FewTests.swift").write_text(
            "import Testing\n@Suite struct FewTests {\n"
            "    @Test func adds() {}\n    @Test func breaks() { #expect(1 == 2) }\n"
            "    @Test func hangs() async { while true { await Task.yield() } }\n}\n"
        )
        subprocess.run(["swift", "build", "--build-tests"], cwd=self.folder, capture_output=True, check=True)
        status, printed, last = self.run_parts("""
            swift = ["swift", "test", "--skip-build", "--disable-xctest"]
            sys.exit(runner.Run([runner.SwiftTests("swift", swift, 10 / 60)]).run())
        """)
        self.assertEqual((status, last), (1, "1 passed, 2 failed, 0 skipped"), printed)
        self.assertIn("test: hangs()", printed)
        self.assertIn("“hangs()” never ended", printed)
        self.assertIn("FewTests/FewTests.swift:4: Expectation failed: 1 == 2", printed)

    def test_unittests_that_fail_are_named_and_run_again_alone(self):
        tests = self.folder / "Tests/Setup"
        tests.mkdir(parents=True)
        shutil.copy(ROOT / "Tests/Setup/side_by_side.py", tests)
        (tests / "test_few.py").write_text(textwrap.dedent("""
            import pathlib, unittest
            class Few(unittest.TestCase):
                def test_adds(self): pass
                def test_breaks(self): self.assertEqual(1, 2)
                def test_later(self): self.skipTest("not now")
                def test_once(self):
                    mark = pathlib.Path("once")
                    if not mark.exists():
                        mark.touch()
                        raise ValueError("the first time")
            class Others(unittest.TestCase):
                def test_adds(self): pass
                def test_later(self): self.skipTest("not now")
        """))
        (tests / "test_lost.py").write_text("import a_module_that_is_not_there\n")
        status, printed, last = self.run_parts("""
            sys.exit(runner.Run([runner.UnitTests("setup", ["/usr/bin/python3", "-m", "unittest"], 1)]).run())
        """)
        self.assertEqual((status, last), (1, "3 passed, 2 failed, 2 skipped"), printed)
        self.assertIn("FAILED setup: test_few.Few.test_breaks: AssertionError: 1 != 2", printed)
        self.assertRegex(printed, "FAILED setup: .*test_lost: ModuleNotFoundError")
        self.assertIn("setup: test_few.Few.test_once: ValueError: the first time (1 more)", printed)

    def test_swift_tests_are_read_from_their_events(self):
        # In the format of Swift Testing 6.3: one passed, one failed, one is disabled, one never ended.
        stream = []
        for name, ending in (("adds()", "passed"), ("breaks()", "failed"), ("later()", "off"), ("hangs()", None)):
            test = f"Few.FewTests/{name}/F.swift:3:5"
            stream.append({"kind": "test", "payload": {"kind": "function", "id": test, "name": name, "displayName": f"it {name}"}})
            stream.append({"kind": "event", "payload": {"kind": "testStarted", "testID": test, "messages": []}})
            if ending == "failed":
                issue = {"isFailure": True, "sourceLocation": {"fileID": "Few/F.swift", "line": 4}}
                messages = [{"symbol": "fail", "text": "Expectation failed: 1 == 2"}]
                stream.append({"kind": "event", "payload": {"kind": "issueRecorded", "issue": issue, "testID": test, "messages": messages}})
            if ending == "off":
                messages = [{"symbol": "skip", "text": 'Test "later" skipped: "no microphone"'}]
                stream.append({"kind": "event", "payload": {"kind": "testSkipped", "testID": test, "messages": messages}})
            elif ending:
                stream.append({"kind": "event", "payload": {"kind": "testEnded", "testID": test, "messages": []}})
        status, printed, _ = self.run_parts(f"""
            import json
            part = runner.SwiftTests("swift", ["swift", "test"], 1)
            runner.STATE.mkdir()
            part.records.write_text("".join(json.dumps(line) + "\\n" for line in {stream!r}) + '{{"cut')
            failures, skipped, passed = part.outcome("")
            print([failure.id for failure in failures], [failure.why for failure in failures], skipped, passed, part.unfinished())
            print([command[-1] for command, _ in part.again(failures)])
        """)
        self.assertEqual(status, 0, printed)
        self.assertIn("Few.FewTests/breaks()/F.swift:3:5", printed)
        self.assertIn("“it breaks()”: Few/F.swift:4: Expectation failed: 1 == 2", printed)
        self.assertIn("“it hangs()” never ended", printed)
        self.assertIn("('Few.FewTests/later()/F.swift:3:5', 'no microphone')] 1 ['it hangs()']", printed)
        pattern = re.search(r"'(\^Few[^']*)'", printed.splitlines()[-1])[1].encode().decode("unicode_escape")
        self.assertTrue(re.search(pattern, "Few.FewTests/breaks()/F.swift:3:5"))
        self.assertFalse(re.search(pattern, "Few.FewTests/breaks(it:)/F.swift:3:5"))


if __name__ == "__main__":
    unittest.main()
