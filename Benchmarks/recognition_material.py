"""The material of the benchmark of transcription where nobody has it: a Whisper as people download it, and a dictation."""

import array
import itertools
import subprocess
import tempfile
import wave
from pathlib import Path

# Field numbers of onnx.proto3: a model's graph, a graph's outputs, and an output's name.
GRAPH, OUTPUT, NAME = 7, 12, 1
LOOKS = "cross_attention_weights"
# The amplitude of a quiet sample; the shortest pause of speech and what a dictation has there, in seconds.
QUIET, SHORTEST, PAUSE = 300, 0.3, 3
FRAMES = 50


def varint(data, place):
    """The number at a place, and the place behind it."""
    number, shift = 0, 0
    while True:
        byte = data[place]
        number, shift, place = number | (byte & 0x7F) << shift, shift + 7, place + 1
        if byte < 0x80:
            return number, place


def fields(data):
    """The number of each field, its bytes with what is before them, and the bytes alone if they are a chunk."""
    place = 0
    while place < len(data):
        key, begun = varint(data, place)
        kind, value = key & 7, None
        if kind == 0:
            _, end = varint(data, begun)
        elif kind == 2:
            size, start = varint(data, begun)
            end = start + size
            value = data[start:end]
        else:
            end = begun + (8 if kind == 1 else 4)
        yield key >> 3, data[place:end], value
        place = end


def chunk(number, value):
    """A field that is a chunk."""
    head = bytearray([number << 3 | 2])
    size = len(value)
    while size > 0x7F:
        head.append(size & 0x7F | 0x80)
        size >>= 7
    return bytes([*head, size]) + value


def without_output(model, name):
    """An ONNX model that does not report one of its outputs, and is the same else."""

    def is_it(number, value):
        return number == OUTPUT and any(field == NAME and bytes(text or b"") == name for field, _, text in fields(value))

    def graph(data):
        return b"".join(bytes(whole) for number, whole, value in fields(data) if not is_it(number, value))

    name = name.encode()
    parts = fields(memoryview(model))
    return b"".join(chunk(GRAPH, graph(value)) if number == GRAPH else bytes(whole) for number, whole, value in parts)


def plain_archive(packed, target):
    """The archive of a Whisper “with attention” as one of the same Whisper without it, as sherpa-onnx's releases have it."""
    if target.exists():
        return target
    ending = ".tar.bz2"
    with tempfile.TemporaryDirectory(dir=target.parent) as place:
        subprocess.run(["tar", "-xjf", packed, "-C", place], check=True)
        folder = Path(place, packed.name.removesuffix(ending)).rename(Path(place, target.name.removesuffix(ending)))
        for decoder in folder.glob("*-decoder*.onnx"):
            decoder.write_bytes(without_output(decoder.read_bytes(), LOOKS))
        made = Path(place, target.name)
        subprocess.run(["tar", "-cjf", made, "-C", place, folder.name], check=True)
        made.rename(target)
    return target


def dictated(sound):
    """The same speech with three seconds of silence in each of its pauses, as somebody dictates who thinks meanwhile."""
    target = sound.with_stem(f"{sound.stem}-dictated")
    if target.exists():
        return target
    with wave.open(str(sound)) as source:
        parameters, samples = source.getparams(), array.array("h", source.readframes(source.getnframes()))
    frame = parameters.framerate // FRAMES
    quiet = [max(map(abs, samples[start : start + frame])) < QUIET for start in range(0, len(samples), frame)]
    places, reached = [], 0
    for is_quiet, run in itertools.groupby(quiet):
        count = len(list(run))
        if is_quiet and count >= SHORTEST * FRAMES:
            places.append((reached + count // 2) * frame)
        reached += count
    with wave.open(str(target), "wb") as written:
        written.setparams(parameters)
        for start, end in itertools.pairwise([0, *places, len(samples)]):
            pause = bytes(2 * PAUSE * parameters.framerate) if end < len(samples) else b""
            written.writeframes(samples[start:end].tobytes() + pause)
    return target
