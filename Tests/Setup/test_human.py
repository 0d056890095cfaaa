"""Benchmarks/human.py says of each sound whether people are heard as well and as fast as by faster-whisper."""

import pathlib
import sys
import unittest
from unittest import mock

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "Benchmarks"))
sys.dont_write_bytecode = True

import bench  # noqa: E402
import human  # noqa: E402

SOUND = human.Sound(pathlib.Path("sound.wav"), pathlib.Path("sound.txt"))


def heard(wall=10, wrong=2, found=human.ROUNDS, words=2_667):
    return {"wall": wall, "wrong": wrong, "found": found, "words": words}


def listeners(ours, peers):
    """Listeners of which each hears in turn what is given here; the judge has counted it."""
    pair = human.Listeners({}, None, None)
    pair.ours, pair.peers = mock.Mock(side_effect=ours), mock.Mock(side_effect=peers)
    return pair


def rows(measure, *arguments):
    measured = bench.Bench(1, None)
    with mock.patch.object(bench, "say"):
        measure(measured, *arguments)
    return {row.name.partition(": ")[2]: row for row in measured.rows}


class HumanSpeechTests(unittest.TestCase):
    def test_one_sentence_that_is_lost_or_written_twice_is_a_bar_that_does_not_hold(self):
        for found, holds in ((human.ROUNDS, True), (human.ROUNDS - 1, False), (human.ROUNDS + 1, False)):
            both = listeners([heard(found=found)], [heard(found=60), heard()])
            row = rows(human.twenty_minutes, [SOUND], both, None)[
                f"sentences lost of {human.ROUNDS}, or written too often: faster-whisper"
            ]
            self.assertEqual((row.holds, row.peer), (holds, 1))
            self.assertEqual(row.note, f"found {found} of 61, 2,667 words; faster-whisper 60, 2,667 words")

    def test_speed_is_compared_with_and_without_times_of_words(self):
        both = listeners([heard(wall=10)], [heard(wall=12), heard(wall=10)])
        found = rows(human.twenty_minutes, [SOUND], both, None)
        self.assertIs(found["faster-whisper, int8, 2 threads"].holds, True)
        self.assertIs(found["faster-whisper without times of words"].holds, False)

    def test_several_orders_are_heard_once_each_and_joined_in_a_mean(self):
        both = listeners([heard(wrong=1), heard(wrong=2)], [heard(wall=11, wrong=1), heard(wall=11, wrong=1.5)])
        found = rows(human.several, human.TURNS, [SOUND, SOUND], both)
        words = found["words wrong, beside faster-whisper"]
        self.assertEqual((words.ours, words.peer, words.holds), (1.5, 1.25, True))
        self.assertEqual(words.note, "mean of 2 orders: 1.0–2.0, faster-whisper 1.0–1.5")
        time = found["faster-whisper, int8, 2 threads"]
        self.assertEqual((time.ours, time.peer, time.holds), (20, 22, True))

    def test_what_could_not_be_measured_holds_no_bar_and_says_so(self):
        both = listeners([OSError("no program")], [heard(), heard()])
        for row in rows(human.twenty_minutes, [SOUND], both, None).values():
            self.assertEqual((row.holds, row.note), (False, "ours: not measured"))


if __name__ == "__main__":
    unittest.main()
