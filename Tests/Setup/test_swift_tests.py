"""What Scripts/run-swift-tests prints when tests fail, and that it ends as they do."""

import pathlib
import subprocess
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).parents[2] / "Scripts/run-swift-tests"

FAILING = """
echo '✘ Test "counts" recorded an issue at Counting.swift:3:5: Expectation failed: 1 == 2'
echo '✘ Test "counts" failed after 0.1 seconds with 1 issue.'
echo '✔ Test "adds" passed after 0.2 seconds.'
echo '✘ Suite "numbers" failed after 0.3 seconds with 1 issue.'
echo '✘ Test run with 2 tests in 1 suite failed after 0.4 seconds with 1 issue.'
exit 3
"""


class SwiftTestRunTests(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="echotext-swift-tests-")
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        (self.root / ".build").mkdir()

    def run_tests(self, script):
        return subprocess.run(
            [SCRIPT, "bash", "-c", script], cwd=self.root, capture_output=True, text=True, check=False
        )

    def test_what_failed_stands_at_the_end_and_the_run_has_failed(self):
        run = self.run_tests(FAILING)
        self.assertEqual(run.returncode, 3)
        printed = run.stdout.split("What failed")
        self.assertIn("adds", printed[0])
        self.assertEqual([line.split('"')[1] for line in printed[1].splitlines()[1:]], ["counts", "counts"])
        self.assertIn("Counting.swift:3:5", printed[1])

    def test_a_run_without_failures_says_nothing_more(self):
        run = self.run_tests("echo '✔ Test \"adds\" passed after 0.2 seconds.'")
        self.assertEqual((run.returncode, run.stdout), (0, "✔ Test \"adds\" passed after 0.2 seconds.\n"))

    def test_a_run_that_was_killed_has_failed(self):
        self.assertNotEqual(self.run_tests("kill -9 $$").returncode, 0)


if __name__ == "__main__":
    unittest.main()
