"""Sounds for microphones: a rising tone that identifies every moment, ten steps a second, and recognizable phrases."""

import array
import io
import math
import pathlib
import wave

RATE = 48_000
# Hertz, and steps of a tenth of a second.
LOWEST, STEP, STEPS = 400, 25, 80
LENGTH = STEPS / 10
# The tenths of a second during which the browser's own microphone is irregular at its start.
UNEVEN = 6


def write(path: pathlib.Path) -> pathlib.Path:
    """Writes the whole rise, which repeats after its end."""
    samples = array.array("h")
    phase = 0.0
    for step in range(STEPS):
        for _ in range(RATE // 10):
            phase += 2 * math.pi * (LOWEST + step * STEP) / RATE
            samples.append(round(12_000 * math.sin(phase)))
    return write_wave(path, samples)


# The tones of the fixture recognizer, in hertz: `Tests/Fixtures/make-recogniser.py`.
PIECES = {"good": 400, "mor": 700, "ning": 1_150, "li": 1_850, "ttle": 3_000, "bird": 4_800}


def write_phrases(path: pathlib.Path, *phrases: list[str]) -> pathlib.Path:
    """Writes phrases for the fixture recognizer, with two seconds of silence after each."""
    samples = array.array("h")
    for phrase in phrases:
        for piece in phrase:
            samples.extend([0] * (RATE // 10))
            for place in range(count := RATE * 3 // 10):
                edge = min(1, min(place, count - place) / (RATE / 100))
                samples.append(round(9_800 * edge * math.sin(2 * math.pi * PIECES[piece] * place / RATE)))
            samples.extend([0] * (RATE // 10))
        samples.extend([0] * (2 * RATE))
    return write_wave(path, samples)


def write_wave(path: pathlib.Path, samples: array.array) -> pathlib.Path:
    with wave.open(str(path), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(RATE)
        file.writeframes(samples.tobytes())
    return path


def read(sound: bytes) -> tuple[int, array.array]:
    """The rate and the samples of a WAV file."""
    with wave.open(io.BytesIO(sound)) as file:
        assert (file.getnchannels(), file.getsampwidth()) == (1, 2)
        return file.getframerate(), array.array("h", file.readframes(file.getnframes()))


def moments(sound: bytes) -> list[float | None]:
    """The moment of the rise for each tenth of a second of a sound; `None` for other sound."""
    rate, samples = read(sound)
    size = rate // 10
    found: list[float | None] = []
    for start in range(0, len(samples) - size + 1, size):
        piece = samples[start : start + size]
        if max(map(abs, piece)) < 300:
            found.append(None)
            continue
        crossings = sum((one < 0) != (other < 0) for one, other in zip(piece, piece[1:]))
        step = (crossings * 5 - LOWEST) / STEP
        found.append(step / 10 if -1 <= step <= STEPS else None)
    return found


def jumps(sound: bytes) -> list[float]:
    """The seconds by which the rise jumps within a sound, at each place where it does; none without a gap.

    Everything before `UNEVEN` is ignored.
    """
    known = [(place / 10, moment) for place, moment in enumerate(moments(sound)) if moment is not None and place >= UNEVEN]
    assert len(known) > 5, "the sound is not of the climb"
    offsets = [(moment - place) % LENGTH for place, moment in known]
    found = []
    settled = offsets[0]
    for before, offset, after in zip(offsets, offsets[1:], offsets[2:]):
        jump = (offset - settled + LENGTH / 2) % LENGTH - LENGTH / 2
        # A single piece may cross a step, or the end of the rise.
        is_lasting = abs((after - offset + LENGTH / 2) % LENGTH - LENGTH / 2) < 0.15
        if abs(jump) > 0.25 and is_lasting:
            found.append(round(jump, 1))
            settled = offset
    return found
