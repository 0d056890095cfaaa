"""Measurements that need no transcript: pauses, boundaries, loudness, clipping, times."""

import itertools
import statistics

import pytest
from faster_whisper import decode_audio
from judge import RATE, Judge, normal
from sound import Recording

from conftest import TEXTS


@pytest.fixture(params=["short", "long", "page"])
def spoken(request: pytest.FixtureRequest) -> Recording:
    return request.getfixturevalue(request.param)


def test_nothing_is_clipped(spoken: Recording):
    assert spoken.clipped() == 0


def test_no_seam_clicks(spoken: Recording):
    seams, inside = spoken.steps()
    assert max(seams) <= statistics.median(inside), f"{max(seams):.3f} at seam {seams.index(max(seams))}"


def test_sentences_are_equally_loud(long: Recording, page: Recording):
    """Whole sentences: the loudness of a single word is that of its vowel."""
    for spoken in (long, page):
        loudness = spoken.loudness()
        assert max(loudness) - min(loudness) <= 5, [f"{decibels:.1f}" for decibels in loudness]


def test_what_is_spoken_ends_with_its_last_sentence(spoken: Recording):
    assert -0.01 <= spoken.seconds - spoken.sentences[-1].end <= 0.5


@pytest.mark.parametrize(("between", "pause"), [("sentence", 0.3), ("paragraph", 0.7), ("heading", 1.0)])
def test_pauses_are_as_long_as_they_should_be(page: Recording, between: str, pause: float):
    """According to the times, and as measured; a consonant's closure before or after a pause is silent too."""
    seams = page.seams((TEXTS / "page.txt").read_text(encoding="utf-8"))
    found = [seconds for kind, *seconds in zip(seams, page.gaps(), page.silences(), strict=True) if kind == between]
    assert found, "the page has no such seam"
    for gap, silence in found:
        assert gap == pytest.approx(pause, abs=0.02), found
        assert pause - 0.03 <= silence <= pause + 0.15, found


@pytest.mark.parametrize(("spoken", "share"), [("short", 1), ("long", 0.97), ("page", 0.8)], indirect=["spoken"])
def test_times_of_words_are_exact(spoken: Recording, share: float):
    """Except for words without sounds of their own: those that espeak-ng merges, and those expanded for speaking."""
    words = [word for sentence in spoken.sentences for word in sentence.words]
    # espeak-ng speaks “Never again” as one word, with an r between that neither has alone.
    run_together = {"Never"} if share == 1 else set()
    estimated = [word["word"] for word in words if word["precision"] != "exact" and word["word"] not in run_together]
    assert len(estimated) <= (1 - share) * len(words), estimated


def test_times_of_words_are_in_order(spoken: Recording):
    for sentence in spoken.sentences:
        words = sentence.words
        assert words, sentence.text
        edges = [sentence.start, *(edge for word in words for edge in (word["start"], word["end"])), sentence.end]
        assert all(earlier <= later + 0.001 for earlier, later in itertools.pairwise(edges)), sentence


def test_words_are_heard_when_they_are_said_to_be(judge: Judge, long: Recording):
    """A sound of three sentences; Whisper's own times are off by a tenth of a second or two."""
    samples = decode_audio(str(long.sound), sampling_rate=RATE)
    distances = []
    for sentence in long.sentences[:3]:
        piece = samples[int(sentence.start * RATE) : int(sentence.end * RATE)]
        heard = {}
        for word, start, _ in judge.times(piece):
            heard.setdefault(normal(word), []).append(sentence.start + start)
        timed = [(normal(word["word"]), word["start"]) for word in sentence.words]
        # Words that occur once are the same in both.
        once = [word for word, _ in timed if sum(word == other for other, _ in timed) == 1]
        distances += [abs(heard[word][0] - start) for word, start in timed if word in once and len(heard.get(word, [])) == 1]
    assert len(distances) >= 30
    assert statistics.median(distances) <= 0.15
    assert statistics.quantiles(distances, n=10)[-1] <= 0.4
