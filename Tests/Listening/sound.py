"""Measures recordings without understanding them: pauses, steps between samples, loudness, clipping."""

import dataclasses
import itertools
import json
import math
import pathlib
import wave

import numpy

FRAME = 0.005  # seconds of a frame for measuring loudness
SILENT = -35  # decibels relative to the loudest frames of a recording: anything quieter is not speech
MARGIN = 0.005  # seconds around a seam that belong to it
FULL = 32_767


@dataclasses.dataclass
class Sentence:
    """A sentence spoken from `start` to `end`, in seconds; `place` is its start in its text, `words` as --timings
    writes them."""

    text: str
    start: float
    end: float
    place: int
    words: list[dict]

    def begins_paragraph_after(self, before, text):
        """Whether a blank line of the text separates this sentence from the previous one."""
        return "\n\n" in text[before.place : self.place]

    def is_heading(self, text):
        return text[text.rfind("\n", 0, self.place) + 1] == "#"


class Recording:
    """A WAV file of 16-bit mono, and the times of its sentences."""

    def __init__(self, sound, sentences):
        with wave.open(str(sound)) as file:
            assert (file.getnchannels(), file.getsampwidth()) == (1, 2), "not one channel of 16-bit samples"
            self.rate = file.getframerate()
            self.samples = numpy.frombuffer(file.readframes(file.getnframes()), "<i2").astype(float)
        self.sound, self.sentences = sound, sentences

    @classmethod
    def timed(cls, sound, timings):
        """A recording whose times are in a file written by --timings."""
        reported = json.loads(pathlib.Path(timings).read_text(encoding="utf-8"))["sentences"]
        return cls(
            sound, [Sentence(one["text"], one["start"], one["end"], one["range"][0], one["words"]) for one in reported]
        )

    @property
    def seconds(self):
        return len(self.samples) / self.rate

    def part(self, start, end):
        """The samples between two times in seconds."""
        return self.samples[max(0, round(start * self.rate)) : max(0, round(end * self.rate))]

    def stretches(self, longest):
        """Splits the whole recording at sentence boundaries into stretches of at most this many seconds."""
        times = []
        for sentence in self.sentences:
            if times and sentence.end - times[-1][0] <= longest:
                times[-1][1] = sentence.end
            else:
                times.append([sentence.start, sentence.end])
        return times

    def paragraph_times(self, text):
        """The start and end of each paragraph of the text, in seconds."""
        times = [[self.sentences[0].start, self.sentences[0].end]]
        for before, after in itertools.pairwise(self.sentences):
            if after.begins_paragraph_after(before, text):
                times.append([after.start, after.end])
            times[-1][1] = after.end
        return times

    # Pauses

    def seams(self, text):
        """The kind of boundary between each sentence and the next in their text: “heading” follows one."""
        for before, after in itertools.pairwise(self.sentences):
            if not after.begins_paragraph_after(before, text):
                yield "sentence"
            else:
                yield "heading" if before.is_heading(text) else "paragraph"

    def gaps(self):
        """Seconds between each sentence's end and the next one's start, according to the times."""
        return [after.start - before.end for before, after in itertools.pairwise(self.sentences)]

    def silences(self):
        """Seconds without speech around each boundary, measured: silence within the voice's own sound counts too."""
        loud = numpy.flatnonzero(self._is_loud()) * self._frame
        silences = []
        for before, after in itertools.pairwise(self.sentences):
            later = numpy.searchsorted(loud, (before.end + after.start) / 2 * self.rate)
            heard = 0 < later < len(loud)
            silences.append(float(loud[later] - loud[later - 1] - self._frame) / self.rate if heard else math.inf)
        return silences

    # Loudness

    @property
    def _frame(self):
        """Samples of a frame."""
        return round(FRAME * self.rate)

    def _levels(self, samples):
        """The level of each frame, in decibels of full scale."""
        size = self._frame
        count = len(samples) // size
        power = (samples[: count * size].reshape(count, size) ** 2).mean(axis=1)
        return 10 * numpy.log10(power / FULL**2 + 1e-12)

    def _is_loud(self):
        levels = self._levels(self.samples)
        return levels > numpy.percentile(levels, 95) + SILENT

    def loudness(self):
        """The level of each sentence in decibels: the mean power of its speech without silence."""
        threshold = numpy.percentile(self._levels(self.samples), 95) + SILENT
        figures = []
        for sentence in self.sentences:
            levels = self._levels(self.part(sentence.start, sentence.end))
            loud = levels[levels > threshold]
            figures.append(float(10 * numpy.log10((10 ** (loud / 10)).mean())) if len(loud) else -math.inf)
        return figures

    # Faults

    def clipped(self):
        """The share of samples at full scale next to another such sample: a lone peak may be genuine."""
        full = numpy.abs(self.samples) >= FULL
        return float((full[1:] & full[:-1]).mean())

    def steps(self):
        """The largest step from a sample to the next: at each boundary, and inside each sentence, as a share of full
        scale."""

        def largest(start, end):
            steps = numpy.abs(numpy.diff(self.part(start, end)))
            return float(steps.max() / FULL) if len(steps) else 0.0

        ends = [0.0, *(sentence.end for sentence in self.sentences)]
        starts = [*(sentence.start for sentence in self.sentences), self.seconds]
        seams = [largest(end - MARGIN, start + MARGIN) for end, start in zip(ends, starts, strict=True)]
        return seams, [largest(one.start + MARGIN, one.end - MARGIN) for one in self.sentences]
