"""AT4, AT7: EchoText's transcript is what was said, with the real recognizer.

sherpa-onnx's release of Whisper tiny.en, and recordings of people, are in the folder that ECHOTEXT_TEST_DATA names.
"""

import json
import os
import pathlib
import wave

import numpy
import pytest
from judge import RATE, compare
from sound import Recording
from speaker import Speaker

from conftest import TEXTS

WHISPER = "sherpa/whisper-tiny.en-attention"


@pytest.fixture(scope="module")
def data() -> pathlib.Path:
    folder = os.environ.get("ECHOTEXT_TEST_DATA")
    if not folder:
        pytest.skip("ECHOTEXT_TEST_DATA names no folder with Whisper and recordings of people")
    return pathlib.Path(folder)


@pytest.fixture(scope="module")
def transcribe(speaker: Speaker, data: pathlib.Path):
    """Transcribes a sound file."""
    archive = data / "sherpa-onnx-whisper-tiny.en-attention.tar.bz2"
    assert speaker.succeed("recognizers", "add", str(archive)).strip() == WHISPER

    def written(sound: pathlib.Path, *options: str) -> str:
        return speaker.succeed("transcribe", str(sound), "--no-library", "--recognizer", WHISPER, *options)

    return written


@pytest.fixture(scope="module")
def sentences(speaker: Speaker) -> Recording:
    """Twenty sentences spoken by the natural voice."""
    return speaker.speak(TEXTS / "sentences.txt")


@pytest.mark.parametrize("name", ["jfk", "austen-0870"])
def test_no_word_of_a_person_is_wrong(transcribe, data: pathlib.Path, name: str):
    folder = data / "corpus/audio"
    verdict = compare((folder / f"{name}.txt").read_text(encoding="utf-8"), transcribe(folder / f"{name}.wav"))
    assert verdict.wrong == 0, verdict


def test_at_most_six_words_in_a_hundred_of_the_natural_voice_are_wrong(transcribe, sentences: Recording):
    verdict = compare((TEXTS / "sentences.txt").read_text(encoding="utf-8"), transcribe(sentences.sound))
    print(verdict)
    assert verdict.words > 160
    assert verdict.wrong <= 0.06, verdict


def test_words_have_the_times_at_which_they_are_said(transcribe, sentences: Recording, tmp_path: pathlib.Path):
    transcribe(sentences.sound, "-o", str(tmp_path / "sentences.json"))
    segments = json.loads((tmp_path / "sentences.json").read_text(encoding="utf-8"))["segments"]
    words = [word for segment in segments for word in segment["words"]]
    assert all(one["start"] <= other["start"] for one, other in zip(words, words[1:]))
    paragraphs = sentences.paragraph_times((TEXTS / "sentences.txt").read_text(encoding="utf-8"))
    lost = [(start, end) for start, end in paragraphs if not any(start - 0.3 <= word["start"] < end for word in words)]
    assert lost == [], "no word is heard while these sentences are spoken"


def test_nothing_is_written_of_silence_and_noise(transcribe, tmp_path: pathlib.Path):
    noise = numpy.random.default_rng(1).normal(0, 300, 20 * RATE).astype(numpy.int16)
    for name, samples in {"silence": noise * 0, "noise": noise}.items():
        with wave.open(str(tmp_path / f"{name}.wav"), "wb") as file:
            file.setparams((1, 2, RATE, len(samples), "NONE", ""))
            file.writeframes(samples.tobytes())
        assert transcribe(tmp_path / f"{name}.wav").strip() == "", name
