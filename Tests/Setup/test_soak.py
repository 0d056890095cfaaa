"""Benchmarks/soak.py distinguishes growth from variation."""

import contextlib
import io
import json
import pathlib
import sys
import tempfile
import unittest
from unittest import mock

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "Benchmarks"))
sys.dont_write_bytecode = True

import ours  # noqa: E402
import soak  # noqa: E402

LEVEL = {"memory": 100e6, "descriptors": 50, "threads": 20, "processes": 4, "disk": 200e6}


def samples(**growth):
    """Forty samples, each of which uses this much more than the previous one."""
    grown = [{name: held + at * growth.get(name, 0) for name, held in LEVEL.items()} for at in range(40)]
    return [{"seconds": 60 * at, "rounds": at, **held} for at, held in enumerate(grown)]


def growing(found):
    return [name for name, (_, _, flat) in soak.judged(found).items() if not flat]


class SoakTests(unittest.TestCase):
    def test_nfr8_what_stays_is_flat(self):
        self.assertEqual(growing(samples()), [])

    def test_nfr8_each_resource_that_grows_is_named(self):
        for name, step in {"memory": 1e6, "descriptors": 1, "threads": 1, "processes": 0.2, "disk": 1e6}.items():
            with self.subTest(name):
                self.assertEqual(growing(samples(**{name: step})), [name])
                self.assertIn(f"| {name} |", soak.table(samples(**{name: step})))

    def test_what_fills_in_the_first_quarter_is_no_growth(self):
        found = samples()
        for sample in found[:10]:
            sample["memory"] = 10e6
        self.assertEqual(growing(found), [])

    def test_one_sample_is_enough_to_answer(self):
        self.assertEqual(growing(samples()[:1]), [])


class TextTests(unittest.TestCase):
    def test_the_text_is_written_where_nothing_was_built_before(self):
        folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        with mock.patch.object(ours, "SCRATCH", folder / "build/bench"):
            text = ours.text_file(100)
        self.assertEqual(len(text.read_text(encoding="utf-8").split()), 100)


class Clock:
    """A user whose rounds last ten seconds each, on a clock of their own."""

    def __init__(self):
        self.now = 0.0
        self.rounds = 0
        self.ends_after = None
        self.server = mock.Mock()
        self.homes = []

    def monotonic(self):
        return self.now

    def round(self):
        if self.rounds == self.ends_after:
            raise KeyboardInterrupt
        self.now += 10
        self.rounds += 1

    @contextlib.contextmanager
    def serve(self, home, keeps, patience):
        self.homes.append((home, keeps))
        yield self.server


class ResumingTests(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.samples = self.folder / "samples.jsonl"
        self.clock = Clock()
        self.enterContext(mock.patch.multiple(soak, SOAK=self.folder, SAMPLES=self.samples, Server=self.clock.serve))
        self.enterContext(mock.patch.object(soak, "Person", lambda server: self.clock))
        self.enterContext(mock.patch.object(soak, "resources", lambda root, home: LEVEL))
        self.enterContext(mock.patch.object(soak.time, "monotonic", self.clock.monotonic))
        self.enterContext(contextlib.redirect_stdout(io.StringIO()))

    def run_for(self, seconds, *more):
        with mock.patch.object(sys, "argv", ["soak.py", "--seconds", str(seconds), *more]):
            soak.main()

    def seconds(self):
        return [json.loads(line)["seconds"] for line in self.samples.read_text().splitlines()]

    def end_early(self):
        """Interrupted in its 25th round, after the samples at 0, 60, 120, 180 and 240 seconds."""
        self.clock.ends_after = 25
        with self.assertRaises(KeyboardInterrupt):
            self.run_for(600)
        self.clock.ends_after = None

    def test_nfr8_what_was_ended_goes_on_with_the_same_library_and_does_what_is_left(self):
        self.end_early()
        self.assertEqual(self.seconds(), [0, 60, 120, 180, 240])
        self.clock.rounds = 0
        self.run_for(600)
        self.assertEqual(self.clock.homes, [(self.folder / "home", False), (self.folder / "home", True)])
        self.assertEqual(self.seconds()[5:], [240, 300, 360, 420, 480, 540])
        # Rounds after the last sample must be repeated.
        self.assertEqual(self.clock.rounds, 24 + 36)

    def test_a_sample_that_a_kill_has_cut_short_is_taken_again(self):
        self.end_early()
        with self.samples.open("a") as file:
            file.write('{"seconds": 300, "rou')
        self.run_for(600)
        self.assertEqual(self.seconds()[4:7], [240, 240, 300])

    def test_what_is_done_is_not_done_again_unless_it_begins_afresh(self):
        self.run_for(120)
        self.run_for(60)
        self.assertEqual(self.clock.rounds, 12)
        self.run_for(60, "--afresh")
        self.assertEqual(self.seconds(), [0])


if __name__ == "__main__":
    unittest.main()
