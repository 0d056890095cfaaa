"""The parts of the benchmark that transcribe: compared with sherpa-onnx, faster-whisper and PocketSphinx.

The recogniser is sherpa-onnx's release of Whisper tiny.en; ECHOTEXT_TEST_DATA names the folder that holds its archive.
All of them transcribe the natural voice reading our own text. Wrong words are counted in the same way for each, with
Whisper's text normalization.
"""

import contextlib
import os
import pathlib
import shutil
import subprocess

import measure
import peers
from ours import OUR_ENVIRONMENT, PROGRAM, ROOT, SCRATCH, speak_command, text_file
from table import Row, median

ARCHIVE = "sherpa-onnx-whisper-tiny.en-attention"
RECOGNIZER = "sherpa/whisper-tiny.en-attention"
WORDS = 1_800  # about ten minutes
SHORT = 540  # PocketSphinx is slow: three minutes must do


class Peer(peers.Answering):
    """A recogniser that answers {"sound", "text"} with {"wall", "wrong", "words"}."""

    def __init__(self, name, python, *arguments):
        super().__init__(name, python, ROOT / "Benchmarks/recognition_peer.py", *arguments)


def archive():
    data = os.environ.get("ECHOTEXT_TEST_DATA")
    path = pathlib.Path(data, f"{ARCHIVE}.tar.bz2") if data else None
    return path if path and path.exists() else None


def installed(packed):
    """The recogniser, installed as a user does it, and the folder of its files."""
    place = SCRATCH / "recognizers"
    environment = {**OUR_ENVIRONMENT, "ECHOTEXT_RECOGNIZERS": str(place), "ECHOTEXT_LIBRARY": str(SCRATCH / "hearing-library")}
    if not any(place.glob("*/*tokens.txt")):
        shutil.rmtree(place, ignore_errors=True)
        subprocess.run([PROGRAM, "recognizers", "add", packed], check=True, stdout=subprocess.DEVNULL, env=environment)
    (tokens,) = place.glob("*/*tokens.txt")
    return environment, tokens.parent


def spoken(words, voice):
    """The natural voice reading this many words, at 16,000 Hz as recognisers expect."""
    text, sound = text_file(words), SCRATCH / f"{words}-words.wav"
    if not sound.exists():
        measure.run(speak_command(text, voice, "spoken.wav"), env=OUR_ENVIRONMENT)
        convert = ["ffmpeg", "-v", "error", "-y", "-i", SCRATCH / "spoken.wav", "-ar", "16000", "-c:a", "pcm_s16le", sound]
        subprocess.run(convert, check=True)
    return text, sound


def transcribe(recognizer, sound, environment):
    """Seconds, and the file with the transcript."""
    heard = SCRATCH / "heard.txt"
    command = [PROGRAM, "transcribe", sound, "--no-library", "--recognizer", recognizer, "--language", "en", "--format", "txt"]
    return measure.run([*command, "-o", heard], env=environment), heard


def recognition(bench, voice, python):
    part = "ten minutes of speech, heard"
    if not bench.wanted(part):
        return
    packed = archive()
    if not packed:
        bench.add(Row(part, "s", None, note="not measured: ECHOTEXT_TEST_DATA has no recogniser"))
        return
    environment, folder = installed(packed)
    text, sound = spoken(WORDS, voice)
    judge = ROOT / ".deps/judge/bin/python"
    silero = ROOT / ".deps/silero-vad/silero_vad.onnx"
    with contextlib.ExitStack() as stack:

        def peer(name, interpreter, *arguments):
            return stack.enter_context(contextlib.closing(Peer(name, interpreter, *arguments)))

        sherpa = peer("sherpa-onnx's Python API", python, "sherpa", folder, silero)
        whisper = peer("faster-whisper", judge, "faster-whisper")
        count = peer("the judge", judge, "count")

        def judged(wall, heard):
            return {"wall": wall, **count.ask({"text": str(text), "heard": heard})}

        def ours():
            wall, heard = transcribe(RECOGNIZER, sound, environment)
            return judged(wall, heard.read_text(encoding="utf-8"))

        def theirs(asked):
            answer = asked.ask({"sound": str(sound)})
            return judged(answer["wall"], answer["heard"])

        taken, note = bench.in_turn(
            part, repeat=min(3, bench.repeat), ours=ours, sherpa=lambda: theirs(sherpa), whisper=lambda: theirs(whisper)
        )
    wall = {name: median([result["wall"] for result in results]) for name, results in taken.items()}
    wrong = {name: median([result["wrong"] for result in results]) for name, results in taken.items()}
    words = f"words wrong: ours {wrong['ours']:.1f} %" if wrong["ours"] is not None else ""
    bench.add(
        Row(f"{part}: sherpa-onnx's Python API, 2 threads", "s", wall["ours"], wall["sherpa"], "faster", 1.3, note or words),
        Row(f"{part}: faster-whisper, int8, 2 threads", "s", wall["ours"], wall["whisper"], "faster", 0.6, note),
        Row(f"{part}: words wrong, beside sherpa-onnx", "%", wrong["ours"], wrong["sherpa"], "above", 0.5, note),
        Row(f"{part}: words wrong, beside faster-whisper", "%", wrong["ours"], wrong["whisper"], "above"),
    )
    pocket_sphinx(bench, voice, environment)


def pocket_sphinx(bench, voice, environment):
    _, sound = spoken(SHORT, voice)
    program = shutil.which("pocketsphinx_continuous") or "pocketsphinx"
    single = [program, "-infile", sound, "-logfn", "/dev/null"]
    taken, note = bench.in_turn(
        "three minutes of speech, heard by PocketSphinx",
        repeat=min(3, bench.repeat),
        ours=lambda: transcribe("pocketsphinx/en-US", sound, environment)[0],
        peer=lambda: measure.run(single),
    )
    name = "three minutes of speech, heard by PocketSphinx: its own program"
    bench.add(Row(name, "s", median(taken["ours"]), median(taken["peer"]), "faster", 1.7, note))
