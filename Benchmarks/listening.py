"""The part of the benchmark that listens: compares words, pauses, seams, loudness and clipping with piper-tts.

The judge, shared with the listening tests, is a process of its own, because its packages are in an environment of their
own. Every figure is a mean over several renders, since a voice never says anything twice in the same way.
"""

import contextlib
import json
import statistics

import measure
import peers
from ours import OUR_ENVIRONMENT, PROGRAM, ROOT, SCRATCH, own_text, speak_command
from table import Row

WRONG, ADDED, SHORT = 0.5, 0, 1  # percentage points, words and texts above piper-tts: maximum
FEW = 0  # texts above the mean of other draws: maximum
LENGTH = 0.02  # of piper-tts's speech plus our silences: maximum deviation
RENDERS = 5  # of each, regardless of --repeat
JUDGE = ROOT / ".deps/judge/bin/python"


class Listener(peers.Answering):
    """The judge of Tests/Listening."""

    def __init__(self):
        super().__init__("the judge", JUDGE, ROOT / "Tests/Listening/listener.py")

    def hear(self, text, sound, timings=None, pieces=False):
        asked = {"text": str(text), "sound": str(sound), **({"timings": str(timings)} if timings else {})}
        return self.ask({**asked, "pieces": pieces})


def mean(results, figure):
    """The mean of a named figure, or of a function of a result; None without measurements."""
    take = figure if callable(figure) else lambda result: result[figure]
    return statistics.fmean(take(result) for result in results) if results else None


def spread(results, digits=1):
    """The lowest and highest share of wrong words, for the note."""
    wrong = sorted(result["wrong"] for result in results)
    return f"{wrong[0]:.{digits}f}–{wrong[-1]:.{digits}f}" if wrong else "not measured"


def listening(bench, voice, python):
    if not bench.wanted("listening"):
        return
    with contextlib.closing(Listener()) as judge, contextlib.closing(peers.Piper(python, voice)) as piper:
        chapter(bench, takers(judge, voice, piper, own_text("chapter")))
        short_texts(bench, takers(judge, voice, piper, own_text("short"), pieces=True))
        espeak(bench, judge)


def takers(judge, voice, piper, text, pieces=False):
    """Speaks the text and transcribes it, once per call: ours, and piper-tts."""

    def ours():
        sound, timings = SCRATCH / "listening-ours.wav", SCRATCH / "listening-ours.json"
        measure.run([*speak_command(text, voice, sound.name), "--timings", timings], env=OUR_ENVIRONMENT)
        return judge.hear(text, sound, timings, pieces)

    def peer():
        sound, timings = SCRATCH / "listening-piper.wav", SCRATCH / "listening-piper.json"
        piper.speak(text.read_text(encoding="utf-8"), sound, timings)
        return judge.hear(text, sound, timings, pieces)

    return {"ours": ours, "piper": peer}


def chapter(bench, take):
    taken, note = bench.in_turn("listening: a chapter", RENDERS, **take)
    ours, piper = taken["ours"], taken["piper"]
    name = "listening, chapter of 2,140 words"
    heard = note or f"mean of {RENDERS} renders: {spread(ours)}, piper-tts {spread(piper)}"
    note = note or f"mean of {RENDERS} renders"

    def row(what, unit, figure, compare="share", bar=None, note=note):
        return Row(f"{name}: {what}", unit, mean(ours, figure), mean(piper, figure), compare, bar, note)

    inside = mean(ours, lambda result: statistics.median(result["inside"]))
    silences, speech = mean(ours, lambda result: result["seconds"] - result["speech"]), mean(piper, "speech")
    bench.add(
        row("words wrong: piper-tts", "%", "wrong", "above", WRONG, heard),
        row("words added: piper-tts", "words", "added", "above", ADDED),
        Row(
            # Our pauses replace the silence that the model leaves around a sentence.
            f"{name}: length: piper-tts's speech and our silences",
            "s",
            mean(ours, "seconds"),
            None if speech is None or silences is None else speech + silences,
            "within",
            LENGTH,
            note,
        ),
        row("length without the silence between sentences: piper-tts", "s", "speech", "within"),
        row("silence between sentences: piper-tts", "s", lambda result: statistics.median(result["silences"]["sentence"])),
        row("silence between paragraphs: piper-tts", "s", lambda result: statistics.median(result["silences"]["paragraph"])),
        Row(
            f"{name}: largest step at a seam: the usual sentence's largest",
            "of full scale",
            mean(ours, lambda result: max(result["seams"])),
            inside,
            "share",
            1.0,
            note,
        ),
        row("loudness, 90 of 100 sentences lie within: piper-tts", "dB", lambda result: width(result["loudness"])),
        row("samples that are clipped: piper-tts", "%", "clipped", "limit", 0),
    )


def width(figures):
    """The distance between the 5th and the 95th percentile."""
    edges = statistics.quantiles(figures, n=20)
    return edges[-1] - edges[0]


def short_texts(bench, take):
    taken, note = bench.in_turn("listening: short texts", RENDERS, **take)
    ours, piper = taken["ours"], taken["piper"]
    heard = note or f"mean of {RENDERS} renders: {spread(ours, 0)}, piper-tts {spread(piper, 0)}"
    wrong, added = "listening, 100 short texts: not heard as written: piper-tts", "listening, 100 short texts: words added: piper-tts"
    bench.add(
        Row(wrong, "texts", mean(ours, "wrong"), mean(piper, "wrong"), "above", SHORT, heard),
        Row(added, "words", mean(ours, "added"), mean(piper, "added"), "above", note=note or f"mean of {RENDERS} renders"),
    )


def few_words(bench, voice):
    """Compares the draw of the voice's chance that people hear with ten others."""
    part = "300 texts of a few words"
    if not bench.wanted(part):
        return
    found = SCRATCH / "few-words.json-lines"

    def draws():
        found.unlink(missing_ok=True)
        measure.run([JUDGE, ROOT / "Benchmarks/draws.py", PROGRAM, voice, "--add", found], env=OUR_ENVIRONMENT)
        return [len(json.loads(line)["wrong"]) for line in found.read_text(encoding="utf-8").splitlines()]

    taken, note = bench.in_turn(part, 1, draws=draws)
    heard, *others = taken["draws"][0] if taken["draws"] else [None]
    mean_of_others = statistics.fmean(others) if others else None
    spread_of_others = f"the others {min(others)}–{max(others)}" if others else ""
    title = f"{part}: not heard as written: mean of {len(others) or 'the'} other draws of the voice's chance"
    bench.add(Row(title, "texts", heard, mean_of_others, "above", FEW, note or spread_of_others))


def espeak(bench, judge):
    """Compares our use of espeak-ng with its own program, which is deterministic."""
    text, ours, peer = own_text("chapter"), SCRATCH / "listening-espeak-ours.wav", SCRATCH / "listening-espeak.wav"

    def through_us():
        measure.run(speak_command(text, "espeak/en-US", ours.name), env=OUR_ENVIRONMENT)
        return judge.hear(text, ours)

    def through_its_program():
        measure.run(["espeak-ng", "-v", "en-us", "-f", text, "-w", peer])
        return judge.hear(text, peer)

    taken, note = bench.in_turn("listening: our espeak-ng route", RENDERS, ours=through_us)
    program, program_note = bench.in_turn("listening: espeak-ng's program", 1, peer=through_its_program)
    note = note or program_note or f"mean of {RENDERS} renders; its program: of 1, which is always the same"
    name = "listening, chapter, espeak-ng voice"
    for what, unit, key in (("words wrong", "%", "wrong"), ("words added", "words", "added")):
        figures = mean(taken["ours"], key), mean(program["peer"], key)
        bench.add(Row(f"{name}: {what}: espeak-ng", unit, *figures, "above", note=note))
