"""The judge and the measurements themselves: they find all errors, and nothing else."""

import json
import math
import pathlib
import wave

import numpy
import pytest
from judge import RATE, compare, normal, windows
from sound import FULL, Recording


@pytest.mark.parametrize(
    ("said", "written"),
    [
        ("nineteen oh six", "1906"),
        ("eighteen ninety", "1890"),
        ("three point five metres", "3.5 meters"),
        ("at ten twenty", "at 10:20"),
        ("at two thirty P M", "at 2:30pm"),
        ("eleven o'clock", "11:00"),
        ("nine a m", "9am"),
        ("number seven", "No. 7"),
        ("two hundred metres", "200 m"),
        ("twelve thousand five hundred dollars", "$12,500"),
        ("Mister and Missus Hall", "Mr. and Mrs. Hall"),
        ("one half of their roof", "1/2 of their roof"),
        ("seventy percent", "70%"),
        ("the first of June", "the 1st of June"),
        ("one thousand two hundred and fifty", "1,250"),
        ("pages twenty to twenty-five", "pages 20-25"),
        ("July fifth, nineteen seventy-six", "July 5th, 1976"),
        ("July fifth, nineteen seventy-six", "July 5, 1976"),
        ("the second of May, and May twenty-first", "the 2nd of May, and May 21"),
        ("cakes, et cetera", "cakes, etc."),
        ("versus eight hundred", "vs. 800"),
        ("Doctor Brown and Professor Lee", "Dr. Brown and Prof. Lee"),
        ("it’s the neighbour’s", "it's the neighbor's"),
        ("she said (and meant it) yes", "She said, and meant it, yes."),
    ],
)
def test_the_same_said_and_written_is_the_same(said: str, written: str):
    assert normal(said) == normal(written)


@pytest.mark.parametrize(
    ("said", "written"),
    [("nineteen oh six", "1960"), ("at ten twenty", "at 10:12"), ("the first of June", "1 June"), ("two hundred metres", "200 miles")],
)
def test_what_is_not_the_same_stays_different(said: str, written: str):
    assert normal(said) != normal(written)


def test_words_that_are_wrong_missing_and_added_are_counted_apart():
    verdict = compare("The kettle is on the old stove.", "Well, the kettle was on the stove.")
    assert (verdict.words, verdict.substituted, verdict.missing, verdict.added) == (7, 1, 1, 1)
    assert verdict.wrong == pytest.approx(3 / 7)


def test_what_is_too_long_is_cut_where_it_is_quiet():
    samples = numpy.ones(40 * RATE, numpy.float32)
    samples[25 * RATE : 25 * RATE + RATE // 4] = 0
    pieces = list(windows(samples))
    assert sum(map(len, pieces)) == len(samples)
    assert len(pieces[0]) / RATE == pytest.approx(25.125, abs=0.1)


SECONDS, HERTZ = 1.0, 22_050


def hum(seconds: float, level: float = 0.2) -> numpy.ndarray:
    """A tone that fades in and out."""
    times = numpy.arange(round(seconds * HERTZ)) / HERTZ
    return level * numpy.sin(math.tau * 200 * times) * numpy.sin(math.pi * times / seconds) ** 0.25


def recording(folder: pathlib.Path, samples: numpy.ndarray) -> Recording:
    """Two sentences of a second each, with 0.3 seconds between them."""
    with wave.open(str(folder / "hum.wav"), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(HERTZ)
        file.writeframes((numpy.clip(samples, -1, 1) * FULL).astype("<i2").tobytes())
    sentences = [
        {"text": "Hum.", "start": start, "end": start + SECONDS, "range": [0, 4], "words": []} for start in (0, SECONDS + 0.3)
    ]
    (folder / "hum.json").write_text(json.dumps({"sentences": sentences}))
    return Recording.timed(folder / "hum.wav", folder / "hum.json")


def two_hums(second: float = 0.2) -> numpy.ndarray:
    return numpy.concatenate([hum(SECONDS), numpy.zeros(round(0.3 * HERTZ)), hum(SECONDS, second)])


def test_a_pause_is_measured(tmp_path: pathlib.Path):
    spoken = recording(tmp_path, two_hums())
    assert spoken.gaps() == [pytest.approx(0.3)]
    assert spoken.silences() == [pytest.approx(0.3, abs=0.02)]


def test_a_pause_is_measured_after_a_long_time_too(tmp_path: pathlib.Path):
    minute = numpy.tile(two_hums(), 50)
    spoken = recording(tmp_path, minute)
    late = (len(minute) - len(two_hums())) / HERTZ
    for sentence in spoken.sentences:
        sentence.start, sentence.end = sentence.start + late, sentence.end + late
    assert spoken.silences() == [pytest.approx(0.3, abs=0.02)]


def test_a_click_in_a_pause_is_found(tmp_path: pathlib.Path):
    samples = two_hums()
    seams, inside = recording(tmp_path, samples).steps()
    assert max(seams) < max(inside)
    samples[round((SECONDS + 0.1) * HERTZ)] = 0.2
    seams, inside = recording(tmp_path, samples).steps()
    assert seams.index(max(seams)) == 1
    assert max(seams) > max(inside)


def test_a_sentence_cut_off_in_the_middle_of_a_tone_is_found(tmp_path: pathlib.Path):
    samples = two_hums()
    samples[: round(SECONDS * HERTZ)] = 0.5
    seams, inside = recording(tmp_path, samples).steps()
    assert seams[1] == pytest.approx(0.5, abs=0.01)
    assert seams[1] > inside[1]


def test_a_sentence_half_as_loud_is_six_decibels_quieter(tmp_path: pathlib.Path):
    first, second = recording(tmp_path, two_hums(second=0.1)).loudness()
    assert first - second == pytest.approx(6, abs=0.3)


def test_clipping_is_found(tmp_path: pathlib.Path):
    assert recording(tmp_path, two_hums()).clipped() == 0
    assert recording(tmp_path, two_hums(second=1.5)).clipped() > 0.01
