"""Benchmarks/human_material.py puts recordings of people together, in the same way each time."""

import array
import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "Benchmarks"))
sys.dont_write_bytecode = True

import human_material as material  # noqa: E402

SECOND = material.RATE


def piece(level, text, seconds=1):
    return material.Piece(array.array("h", [level] * (seconds * SECOND)), text)


def power(samples):
    return sum(sample * sample for sample in samples) / len(samples)


READER = [piece(100 + number, f"sentence {number}") for number in range(8)]
OTHERS = [piece(1_000, "one"), piece(2_000, "other")]


class MaterialTests(unittest.TestCase):
    def test_a_recording_is_cut_in_the_middle_of_its_silences_and_nothing_of_it_is_lost(self):
        loud, short, long = [1_000] * SECOND, [0] * (SECOND // 10), [3, -3] * (SECOND // 2)
        samples = array.array("h", loud + short + loud + long + loud + long)
        half = SECOND // 2
        parts = material.parted(samples)
        self.assertEqual(sum(parts, array.array("h")), samples)
        self.assertEqual([len(part) for part in parts], [2 * SECOND + len(short) + half, 2 * SECOND + half])

    def test_each_sentence_has_its_line_and_another_number_of_lines_is_refused(self):
        samples = array.array("h", [1_000] * SECOND + [0] * SECOND + [1_000] * SECOND)
        self.assertEqual([sentence.text for sentence in material.sentences(samples, "one\nother\n")], ["one", "other"])
        with self.assertRaises(ValueError):
            material.sentences(samples, "one alone\n")

    def test_voices_alternate_and_each_number_has_an_order_of_its_own(self):
        orders = [[one.text for one in material.in_turn(READER, OTHERS, number)] for number in range(4)]
        for order in orders:
            self.assertEqual(sorted(order[::2]), [one.text for one in READER])
            self.assertEqual(sorted(order[1::2]), ["one"] * 4 + ["other"] * 4)
        self.assertEqual(len(set(map(tuple, orders))), len(orders))
        self.assertEqual([one.text for one in material.in_turn(READER, OTHERS, 3)], orders[3])

    def test_gaps_are_all_there_in_another_order_for_each_number(self):
        self.assertEqual(sorted(material.gaps(1)), material.GAPS)
        self.assertNotEqual(material.gaps(1), material.gaps(2))
        self.assertEqual((material.GAPS[0], material.GAPS[-1]), (0.2, 20))

    def test_pieces_follow_each_other_with_faint_noise_for_the_length_of_the_pause(self):
        samples, text = material.joined(OTHERS, [0.5, 0], 1)
        self.assertEqual(text, "one\nother")
        self.assertEqual(len(samples), 2 * SECOND + SECOND // 2)
        self.assertEqual(samples[:SECOND], OTHERS[0].samples)
        self.assertEqual(samples[-SECOND:], OTHERS[1].samples)
        pause = samples[SECOND:-SECOND]
        self.assertTrue(0 < max(map(abs, pause)) < 30)
        self.assertEqual(material.joined(OTHERS, [0.5, 0], 1)[0], samples)
        self.assertNotEqual(material.joined(OTHERS, [0.5, 0], 2)[0], samples)

    def test_noise_is_as_far_below_the_speech_as_asked_and_does_not_overflow(self):
        speech = array.array("h", [3_000, -3_000] * SECOND)
        heard = material.noisy(speech, 10, 1)
        noise = [one - other for one, other in zip(heard, speech, strict=True)]
        self.assertAlmostEqual(power(speech) / power(noise), 10, delta=0.3)
        self.assertEqual(material.noisy(speech, 10, 1), heard)
        self.assertNotEqual(material.noisy(speech, 10, 2), heard)
        self.assertEqual(max(material.noisy(array.array("h", [32_767] * SECOND), 10, 1)), 32_767)

    def test_what_is_written_is_read_again(self):
        with tempfile.TemporaryDirectory() as place:
            path = pathlib.Path(place, "sound.wav")
            material.write(path, OTHERS[0].samples)
            self.assertEqual(material.read(path), OTHERS[0].samples)


if __name__ == "__main__":
    unittest.main()
