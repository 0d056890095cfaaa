"""The part of the benchmark that hears people: their words, and the time that takes, beside faster-whisper.

Both have the same weights, of Whisper tiny.en, and write one text, the likeliest (`beam_size=1`). ECHOTEXT_TEST_DATA names
the folder with the recogniser and with the recordings, as `corpus/audio`. Each time is that of EchoText's command from
start to end, and of faster-whisper once it has loaded its model.
"""

import contextlib
import os
import pathlib
import statistics
import subprocess
from typing import NamedTuple

import human_material as material
import recognition
from bench import say
from ours import ROOT, SCRATCH
from table import Row, median

NAME = "human speech"
FILES = ["austen-0870.wav", "austen-0870.txt", "jfk.wav", "jfk.txt", "ljspeech-1-32.flac", "ljspeech-1-8.txt"]
# faster-whisper's speed, at least, and words wrong beyond its own, in percentage points, at most.
FASTER, WRONG = 1.1, 0.3
# Two voices in turn for twenty minutes: how often, with seconds of silence behind each; and what is counted.
ROUNDS, PAUSE, PHRASE = 61, 0.8, "Dashwood had then leisure to consider"
EIGHT_END = 53.9  # seconds of the reader's recording, at which the silence behind the eighth sentence ends
ORDERS = 8  # of the same sentences: a single one says little
NOISE = 10  # decibels below the speech


class Sound(NamedTuple):
    """Files with speech and its words."""

    sound: pathlib.Path
    text: pathlib.Path


class People:
    """The recordings, and the sounds that are made of them."""

    def __init__(self, folder):
        def words(name):
            return (folder / f"{name}.txt").read_text(encoding="utf-8").strip()

        self.others = [material.Piece(material.read(folder / f"{name}.wav"), words(name)) for name in ("austen-0870", "jfk")]
        converted = SCRATCH / "human-reader.wav"
        convert = ["ffmpeg", "-v", "error", "-y", "-i", folder / "ljspeech-1-32.flac", "-ar", "16000", "-c:a", "pcm_s16le"]
        subprocess.run([*convert, converted], check=True)
        rest = (ROOT / "Benchmarks/texts/ljspeech-9-32.txt").read_text(encoding="utf-8")
        first = words("ljspeech-1-8")
        self.whole = material.read(converted)
        self.reader = material.sentences(self.whole, f"{first}\n{rest}")
        self.first = self.reader[: len(first.splitlines())]

    def twenty_minutes(self):
        pieces = self.others * ROUNDS
        return [sound("twenty-minutes", *material.joined(pieces, [PAUSE] * len(pieces), 0))]

    def alone(self):
        return [sound(f"alone-{at}", piece.samples, piece.text) for at, piece in enumerate(self.others)]

    def one_reader(self):
        return [sound("reader", self.whole, words_of(self.reader))]

    def eight_sentences(self):
        return [sound("eight-sentences", self.whole[: round(EIGHT_END * material.RATE)], words_of(self.first))]

    def in_turn(self):
        return [sound(f"in-turn-{number}", *self.unbroken(number)) for number in range(ORDERS)]

    def with_gaps(self):
        return [
            sound(f"gaps-{number}", *material.joined(self.turns(number), material.gaps(number), number))
            for number in range(ORDERS)
        ]

    def with_noise(self):
        made = []
        for number in range(ORDERS):
            samples, text = self.unbroken(number)
            made.append(sound(f"noise-{number}", material.noisy(samples, NOISE, number), text))
        return made

    def turns(self, number):
        return material.in_turn(self.first, self.others, number)

    def unbroken(self, number):
        pieces = self.turns(number)
        return material.joined(pieces, [0] * len(pieces), number)


def sound(name, samples, text):
    """Writes a sound and its words."""
    files = Sound(SCRATCH / f"human-{name}.wav", SCRATCH / f"human-{name}.txt")
    material.write(files.sound, samples)
    files.text.write_text(text + "\n", encoding="utf-8")
    return files


def words_of(pieces):
    return "\n".join(piece.text for piece in pieces)


def recordings():
    """The folder of the recordings; None where one of them is missing."""
    data = os.environ.get("ECHOTEXT_TEST_DATA")
    folder = pathlib.Path(data, "corpus/audio") if data else None
    return folder if folder and all((folder / name).exists() for name in FILES) else None


TWENTY = f"{NAME}, two voices in turn for 20 minutes"
READER = f"{NAME}, one reader for 4 minutes"
EIGHT = f"{NAME}, the reader's first eight sentences"
ALONE = f"{NAME}, two short recordings, each alone"
TURNS = f"{NAME}, three voices in turn, sentence by sentence"
WITH_GAPS = f"{NAME}, three voices in turn with gaps of 0.2–20 s"
WITH_NOISE = f"{NAME}, three voices in turn, noise {NOISE} dB below"


def human_speech(bench):
    parts = {
        TWENTY: People.twenty_minutes,
        READER: People.one_reader,
        EIGHT: People.eight_sentences,
        ALONE: People.alone,
        TURNS: People.in_turn,
        WITH_GAPS: People.with_gaps,
        WITH_NOISE: People.with_noise,
    }
    wanted = {part: make for part, make in parts.items() if bench.wanted(part)}
    if not wanted:
        return
    packed, folder = recognition.archive(), recordings()
    if not packed or not folder:
        missing = "recordings of people" if packed else "recogniser"
        bench.add(Row(NAME, "s", None, note=f"not measured: ECHOTEXT_TEST_DATA has no {missing}"))
        return
    environment, _ = recognition.installed(packed)
    people, judge = People(folder), ROOT / ".deps/judge/bin/python"
    with contextlib.ExitStack() as stack:

        def peer(name, *arguments):
            return stack.enter_context(contextlib.closing(recognition.Peer(name, judge, *arguments)))

        listeners = Listeners(environment, peer("faster-whisper", "faster-whisper"), peer("the judge", "count"))
        for part, make in wanted.items():
            say(f"{part}: making it")
            sounds = make(people)
            if part == TWENTY:
                untimed = peer("faster-whisper without times of words", "faster-whisper", "no-times")
                twenty_minutes(bench, sounds, listeners, untimed)
            elif len(sounds) > 1:
                several(bench, part, sounds, listeners)
            else:
                compared(bench, part, listeners.taken(bench, part, sounds))


class Listeners:
    """EchoText and faster-whisper, and the judge who counts their words."""

    def __init__(self, environment, whisper, judge):
        self.environment, self.whisper, self.judge = environment, whisper, judge

    def ours(self, files):
        wall, heard = recognition.transcribe(recognition.RECOGNIZER, files.sound, self.environment)
        return self.judged(files, wall, heard.read_text(encoding="utf-8"))

    def peers(self, files, peer=None):
        answer = (peer or self.whisper).ask({"sound": str(files.sound)})
        return self.judged(files, answer["wall"], answer["heard"])

    def judged(self, files, wall, heard):
        return {"wall": wall, **self.judge.ask({"text": str(files.text), "heard": heard, "phrase": PHRASE})}

    def taken(self, bench, part, sounds, **others):
        """The results for one sound, several times, or for each of several sounds, once."""
        repeat = len(sounds) if len(sounds) > 1 else min(3, bench.repeat)

        def each(listen):
            files = iter(sounds * (repeat // len(sounds)))
            return lambda: listen(next(files))

        listening = {"ours": self.ours, "whisper": self.peers, **others}
        return bench.in_turn(part, repeat, **{name: each(listen) for name, listen in listening.items()})


def figures(taken, what, of=median):
    """A figure of ours and of faster-whisper's."""
    return [of([result[what] for result in taken[name]]) if taken[name] else None for name in ("ours", "whisper")]


def compared(bench, part, measured, of=median, seconds=None, note="", has_speed=True):
    """The rows of a part.

    `of` joins the figures of several runs, and `seconds` their times if it is another.
    """
    taken, failed = measured
    shares = [sorted(result["wrong"] for result in taken[name]) for name in ("ours", "whisper")]
    spread = ", faster-whisper ".join(f"{some[0]:.1f}–{some[-1]:.1f}" if some else "not measured" for some in shares)
    words = f"mean of {note}: {spread}" if note else ""
    if has_speed:
        time = f"sum of {note}" if note else ""
        title = f"{part}: faster-whisper, int8, 2 threads"
        bench.add(Row(title, "s", *figures(taken, "wall", seconds or of), "faster", FASTER, failed or time))
    title = f"{part}: words wrong, beside faster-whisper"
    bench.add(Row(title, "%", *figures(taken, "wrong", of), "above", WRONG, failed or words))


def several(bench, part, sounds, listeners):
    """The rows of several sounds; of short ones without the time, most of which is the program's start."""
    is_short = part == ALONE
    note = f"{len(sounds)} {'recordings' if is_short else 'orders'}"
    compared(bench, part, listeners.taken(bench, part, sounds), statistics.fmean, sum, note, has_speed=not is_short)


def twenty_minutes(bench, sounds, listeners, untimed):
    """The rows of one sentence that is said often: also how often it is found, and the time without times of words."""
    measured = listeners.taken(bench, TWENTY, sounds, untimed=lambda files: listeners.peers(files, untimed))
    taken, failed = measured
    compared(bench, TWENTY, measured)
    walls = [median([result["wall"] for result in taken[name]]) for name in ("ours", "untimed")]
    bench.add(Row(f"{TWENTY}: faster-whisper without times of words", "s", *walls, "faster", FASTER, failed))
    (found, theirs), (words, of_peer) = figures(taken, "found"), figures(taken, "words")
    lost = [None if some is None else abs(ROUNDS - some) for some in (found, theirs)]
    counted = ""
    if None not in (found, theirs):
        counted = f"found {found:g} of {ROUNDS}, {words:,.0f} words; faster-whisper {theirs:g}, {of_peer:,.0f} words"
    title = f"{TWENTY}: sentences lost of {ROUNDS}, or written too often: faster-whisper"
    bench.add(Row(title, "sentences", *lost, "limit", 0, failed or counted))
