"""The recordings of people for the benchmark of transcription: in turn, with gaps, with noise; always the same."""

import array
import itertools
import random
import wave
from typing import NamedTuple

RATE = 16_000
# Between sentences a recording is silent, but for what resampling leaves: of a sample, and the shortest such pause in seconds.
SILENT, SHORTEST = 4, 0.3
# The noise of a silent room: its deviation, of a sample.
FAINT = 3.3
# Behind the sentences, in seconds.
GAPS = [0.2, 0.3, 0.4, 0.5, 0.7, 1, 1.5, 2, 3, 4, 5, 7, 8, 10, 15, 20]
FRAMES = 50


class Piece(NamedTuple):
    """Speech of one person, and its words."""

    samples: array.array
    text: str


def read(path):
    """The samples of a WAV file of 16,000 Hz, mono."""
    with wave.open(str(path)) as source:
        if (source.getframerate(), source.getnchannels(), source.getsampwidth()) != (RATE, 1, 2):
            raise ValueError(f"{path} is not of 16,000 Hz, mono, 16 bits")
        return array.array("h", source.readframes(source.getnframes()))


def write(path, samples):
    with wave.open(str(path), "wb") as written:
        written.setparams((1, 2, RATE, len(samples), "NONE", ""))
        written.writeframes(samples.tobytes())


def parted(samples):
    """The parts of a recording, cut in the middle of its silences."""
    frame = RATE // FRAMES
    silent = [max(map(abs, samples[start : start + frame])) < SILENT for start in range(0, len(samples), frame)]
    places, reached = [], 0
    for is_silent, run in itertools.groupby(silent):
        count = len(list(run))
        if is_silent and count >= SHORTEST * FRAMES and 0 < reached < len(silent) - count:
            places.append((reached + count // 2) * frame)
        reached += count
    return [samples[start:end] for start, end in itertools.pairwise([0, *places, len(samples)])]


def sentences(samples, text):
    """The sentences of a recording, one on each line of the text."""
    parts, lines = parted(samples), text.strip().splitlines()
    if len(parts) != len(lines):
        raise ValueError(f"the recording has {len(parts)} parts, its text {len(lines)} lines")
    return [Piece(*pair) for pair in zip(parts, lines, strict=True)]


def in_turn(reader, others, number):
    """The sentences of a reader in an order of their own for each number, one of the others behind each, in turn."""
    shuffled = random.Random(number).sample(reader, len(reader))
    followed = ((sentence, others[(at + number) % len(others)]) for at, sentence in enumerate(shuffled))
    return list(itertools.chain.from_iterable(followed))


def gaps(number):
    """The lengths of the gaps in an order of their own for each number."""
    return random.Random(number).sample(GAPS, len(GAPS))


def joined(pieces, pauses, number):
    """The samples and words of pieces, with a faint noise behind each for so many seconds, as a number decides it."""
    chance, samples = random.Random(number), array.array("h")
    for piece, pause in zip(pieces, pauses, strict=True):
        samples += piece.samples
        samples.extend(round(chance.gauss(0, FAINT)) for _ in range(round(pause * RATE)))
    return samples, "\n".join(piece.text for piece in pieces)


def noisy(samples, decibels, number):
    """The samples with white noise so many decibels below them, as a number decides it."""
    chance = random.Random(number)
    power = sum(sample * sample for sample in samples) / len(samples)
    deviation = (power / 10 ** (decibels / 10)) ** 0.5
    louder = (round(sample + chance.gauss(0, deviation)) for sample in samples)
    return array.array("h", (max(-32_768, min(32_767, sample)) for sample in louder))
