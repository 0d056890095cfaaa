"""How Scripts/run-side-by-side shows and ends two commands that run at once."""

import pathlib
import subprocess
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).parents[2] / "Scripts/run-side-by-side"


class SideBySideTests(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="echotext-side-by-side-")
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        (self.root / ".build").mkdir()

    def run_both(self, first, other):
        return subprocess.run([SCRIPT, first, other], cwd=self.root, capture_output=True, text=True, check=False)

    def test_both_run_at_once_and_the_others_output_comes_last(self):
        # Each waits for the other by a pipe of its own.
        subprocess.run(["mkfifo", "there", "back"], cwd=self.root, check=True)
        run = self.run_both("echo hello >there; cat back", "cat there; echo answer >back")
        self.assertEqual((run.returncode, run.stdout), (0, "answer\nhello\n"))

    def test_it_fails_when_either_fails_and_shows_what_both_printed(self):
        for first, other in [("echo one; exit 2", "echo two"), ("echo one", "echo two; exit 2")]:
            with self.subTest(first=first):
                run = self.run_both(first, other)
                self.assertEqual((run.returncode, run.stdout), (2, "one\ntwo\n"))


if __name__ == "__main__":
    unittest.main()
